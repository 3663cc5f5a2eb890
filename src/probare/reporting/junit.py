"""`junit.xml`: a test case a case. What is unknown is never green.

failed and flaky are `failure`; errored, and what the harness cannot tell, are `error`; cases
that are for people alone are `skipped`. Consumers count `skipped` as fine, so nothing else is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, TypeAlias
from xml.sax.saxutils import escape, quoteattr

from probare.model.record import CaseRecord, TrialRecord
from probare.model.score import CaseSummary
from probare.ports.reporter import Material
from probare.reporting.details import telling
from probare.reporting.files import write_whole
from probare.reporting.words import one_line

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LINES_A_CASE = 20
_LINES = 50_000
_LINE = 500
_MORE = "… more in trials.jsonl"

Kind: TypeAlias = Literal["", "failure", "error", "skipped"]


class JunitReporter:
    """Writes JUnit's XML."""

    name = "junit"
    filename = "junit.xml"

    def write(self, path: Path, material: Material) -> None:
        """Write the file, whole or not at all. Raises RunDirectoryError where it cannot."""
        write_whole(path, pieces(material))


def pieces(material: Material) -> Iterator[str]:
    """Yield the document. Of the reasons at most `_LINES` lines are kept in memory."""
    summary = material.summary
    reasons = _reasons(material)
    kinds: list[Kind] = [_kind(case) for case in summary.per_case.values()]
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield (
        f"<testsuites><testsuite name={_attribute(summary.suite)} tests={_attribute(len(kinds))}"
        f" failures={_attribute(kinds.count('failure'))}"
        f" errors={_attribute(kinds.count('error'))}"
        f" skipped={_attribute(kinds.count('skipped'))}"
        f" time={_attribute(f'{summary.duration_ms / 1000:.3f}')}"
        f" timestamp={_attribute(material.plan.created)}>\n"
    )
    yield "<properties>"
    for name, value in (
        ("run_id", summary.run_id),
        ("target", summary.target),
        ("trust", summary.trust),
        ("decision", summary.decision),
        ("why", "; ".join(summary.why)),
        ("suite_digest", material.plan.suite_digest),
    ):
        yield f"<property name={_attribute(name)} value={_attribute(value)}/>"
    yield "</properties>\n"
    for (name, case), kind in zip(summary.per_case.items(), kinds, strict=True):
        yield from _case(name, case, kind, reasons.get(name, []))
    yield "</testsuite></testsuites>\n"


def _kind(case: CaseSummary) -> Kind:
    if case.status == "passed":
        return ""
    if case.status in ("failed", "flaky"):
        return "failure"
    if case.review == "always" and case.status in ("ungraded", "needs_review"):
        return "skipped"
    return "error"


def _case(name: str, case: CaseSummary, kind: Kind, reasons: list[str]) -> Iterator[str]:
    seconds = (case.avg_duration_ms or 0) / 1000 * case.run
    yield (
        f"<testcase name={_attribute(name)} classname={_attribute(case.category or 'cases')}"
        f" time={_attribute(f'{seconds:.3f}')}"
    )
    if not kind:
        yield "/>\n"
        return
    message = f"{case.status.replace('_', ' ')}: {case.passed} of {case.trials} trials passed"
    if case.run < case.trials:
        message += f", {case.trials - case.run} did not run"
    if kind == "skipped":
        message = "for people: run and recorded, not judged automatically"
    text = escape(_clean("\n".join(reasons)))
    yield f"><{kind} message={_attribute(message)} type={_attribute(case.status)}>{text}"
    yield f"</{kind}></testcase>\n"


def _reasons(material: Material) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    kept = 0

    def keep(case: str, lines: list[str]) -> None:
        nonlocal kept
        mine = found.setdefault(case, [])
        for line in lines:
            if len(mine) < _LINES_A_CASE and kept < _LINES:
                mine.append(line)
                kept += 1
            elif not mine or mine[-1] != _MORE:
                mine.append(_MORE)

    for record in material.case_records():
        keep(record.case, _of_case(record))
    for record in material.records():
        if record.status != "passed":
            keep(record.case, _of_trial(record))
    return found


def _of_trial(record: TrialRecord) -> list[str]:
    lines: list[str] = []
    start = f"trial {record.trial}: "
    if record.error is not None:
        stop = record.stop.replace("_", " ")
        lines.append(f"{start}{stop}: {record.error.type}: {record.error.message}")
    for verdict in telling(record.verdicts, "fail", "error", "unknown"):
        text = f"{verdict.result}: {verdict.list} {verdict.label}: {verdict.reason}"
        lines.append(start + text)
    return [one_line(line, _LINE) for line in lines]


def _of_case(record: CaseRecord) -> list[str]:
    found = telling(record.verdicts, "fail", "error", "unknown")
    lines = [f"all trials: {v.result}: {v.list} {v.label}: {v.reason}" for v in found]
    return [one_line(line, _LINE) for line in lines]


def _attribute(value: object) -> str:
    return quoteattr(_clean(str(value)))


def _clean(text: str) -> str:
    """Replace what XML 1.0 cannot hold (section 2.2, Char)."""
    return _NOT_XML.sub("\ufffd", text)
