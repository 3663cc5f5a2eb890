"""What a case that did not pass tells its reader: which check, in which trial, why, and what was
replied.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from probare.encoding import jsonbytes
from probare.grading.ready import label_of
from probare.model.case import Case, Check
from probare.model.outcome import Outcome
from probare.model.record import CaseStatus, TrialRecord
from probare.model.verdict import CheckVerdict, Result
from probare.reporting.details import telling
from probare.reporting.words import STATUS_WORDS, one_line, plural, visible

_TRIALS = 5
_LINE = 500
_OUTPUT_LINES = 12
_OUTPUT = 1_000
_DIFF_LINES = 40
_WHY: dict[CaseStatus, str] = {
    "errored": "errored, not failed",
    "needs_review": "needs review, not passed: a person has to judge it",
    "ungraded": "ungraded, not passed: no required check judges it",
}


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """What there is to tell of a case: records and outcomes of its trials, in the same order, and
    the verdicts over all of them. `named`: begin with its id.
    """

    case: Case
    status: CaseStatus
    planned: int
    trials: Sequence[TrialRecord]
    outcomes: Sequence[Outcome]
    wide: Sequence[CheckVerdict] = ()
    named: bool = True


def told(about: Told) -> str:
    """Return the text. Its first line has the status and the first reason; what agents said in it
    cannot steer a terminal.
    """
    return "\n".join(_lines(about))


def _lines(about: Told) -> Iterator[str]:
    yield _headline(about)
    if about.status == "passed":
        return
    case = about.case
    if case.description:
        yield f"  {one_line(case.description, _LINE)}"
    for name, text in case.notes.items():
        yield f"  {name}: {one_line(text, _LINE)}"
    for verdict in telling(about.wide, "fail", "error", "unknown", "skipped"):
        yield f"  all trials: {_verdict(verdict)}"
    told_of = [
        (record, outcome)
        for record, outcome in zip(about.trials, about.outcomes, strict=True)
        if record.status != "passed"
    ]
    for record, outcome in told_of[:_TRIALS]:
        yield from _trial(case, record, outcome)
    if len(told_of) > _TRIALS:
        yield f"  … and {plural(len(told_of) - _TRIALS, 'trial')} more"
    if len(about.trials) < about.planned:
        yield f"  {plural(about.planned - len(about.trials), 'trial')} did not run"


def _headline(about: Told) -> str:
    words = _WHY.get(about.status, STATUS_WORDS[about.status])
    head = f"{about.case.id}: {words}" if about.named else words
    if about.planned > 1:
        passed = sum(record.status == "passed" for record in about.trials)
        head += f" ({passed} of {about.planned} trials passed)"
    reason = _first_reason(about)
    return f"{head}: {reason}" if reason else head


def _first_reason(about: Told) -> str:
    """Return why the first trial that decided the case ended as it did."""
    for record in about.trials:
        if record.status == "failed":
            return _statement(_required(record.verdicts, "fail")[0])
    for verdict in _required(about.wide, "fail"):
        return _statement(verdict)
    for record in about.trials:
        if record.error is not None:
            return one_line(_error(record), _LINE)
        for verdict in _required(record.verdicts, "error", "skipped", "unknown"):
            return _verdict(verdict)
    for verdict in _required(about.wide, "error", "skipped", "unknown"):
        return _verdict(verdict)
    return ""


def _required(verdicts: Sequence[CheckVerdict], *results: Result) -> list[CheckVerdict]:
    return [verdict for verdict in telling(verdicts, *results) if verdict.required]


def _trial(case: Case, record: TrialRecord, outcome: Outcome) -> Iterator[str]:
    yield f"  trial {record.trial}: {STATUS_WORDS[record.status]}"
    if record.error is not None:
        yield f"    {one_line(_error(record), _LINE)}"
    for verdict in telling(record.verdicts, "fail", "error", "unknown", "skipped"):
        yield f"    {_verdict(verdict)}"
        yield from (f"      {line}" for line in _difference(case, verdict, outcome))
    if record.output_text is None:
        yield "    replied nothing"
        return
    yield "    replied:"
    yield from (f"    | {line}" for line in _excerpt(record.output_text))


def _error(record: TrialRecord) -> str:
    assert record.error is not None
    hint = f" ({record.error.hint})" if record.error.hint else ""
    stop = record.stop.replace("_", " ")
    return f"{stop}: {record.error.type}: {record.error.message}{hint}"


def _verdict(verdict: CheckVerdict) -> str:
    return f"{verdict.result}: {_statement(verdict)}"


def _statement(verdict: CheckVerdict) -> str:
    beside = "" if verdict.required else " (not required)"
    name = verdict.label
    if not name.startswith(verdict.grader):
        name = f"{name} ({verdict.grader})"
    return one_line(f"{verdict.list} {name}{beside}: {verdict.reason}", _LINE)


def _excerpt(text: str) -> list[str]:
    cut = len(text) > _OUTPUT
    lines = visible(text[:_OUTPUT]).splitlines() or [""]
    if len(lines) > _OUTPUT_LINES or cut:
        lines = [*lines[:_OUTPUT_LINES], "…"]
    return lines


def _difference(case: Case, verdict: CheckVerdict, outcome: Outcome) -> list[str]:
    """Return a diff of a failed `equals` over several lines, from expected to replied."""
    if (verdict.grader, verdict.list, verdict.result) != ("equals", "expect", "fail"):
        return []
    check = next((each for each in case.expect if label_of(each) == verdict.label), None)
    if check is None or not _is_plain(check) or outcome.output is UNSET:
        return []
    expected, replied = _pretty(check.args.get("value")), _pretty(outcome.output)
    if len(expected) < 2 and len(replied) < 2:
        return []
    lines = list(difflib.unified_diff(expected, replied, "expected", "replied", n=2, lineterm=""))
    shown = [visible(line) for line in lines[:_DIFF_LINES]]
    return [*shown, "…"] if len(lines) > _DIFF_LINES else shown


def _is_plain(check: Check) -> bool:
    """Whether a check looks at the output as it is, for a value that stands in the suite."""
    value = check.args.get("value")
    placeholder = isinstance(value, str) and value.startswith("$")
    looks = check.look_in in (None, "$output") and check.transform is None
    return looks and not placeholder


def _pretty(value: Any) -> list[str]:
    if isinstance(value, str):
        return value.splitlines()
    return msgspec.json.format(jsonbytes.encode_sorted(value), indent=2).decode().splitlines()
