"""`report.md`: the run for people, to read, to commit, to send."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from probare.encoding import jsonbytes
from probare.encoding.narrow import mapping, sequence
from probare.model.case import Case
from probare.model.record import TrialRecord
from probare.model.score import CaseSummary, Rate, Summary
from probare.ports.reporter import Material
from probare.reporting.details import Details, details, telling
from probare.reporting.files import write_whole
from probare.reporting.words import (
    STATUS_WORDS,
    SYMBOLS,
    coverage,
    duration,
    money,
    percent,
    plural,
    rate,
)

_CASES_SHOWN = 500
_REPLIES_SHOWN = 200
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#~&])")


class MarkdownReporter:
    """Writes the report. Everything that comes from data is escaped or fenced."""

    name = "md"
    filename = "report.md"

    def write(self, path: Path, material: Material) -> None:
        """Write the file."""
        write_whole(path, _pieces(material))


def _pieces(material: Material) -> Iterator[str]:
    found = details(material.summary.trials, material.records(), material.case_records())
    summary = material.summary
    yield from _head(summary)
    yield from _score_table(summary)
    yield from _groups(summary)
    yield from _baseline(summary)
    yield from _violations(found)
    yield from _errored(found)
    yield from _for_people(material, summary, found)
    yield from _case_table(summary)
    yield from _how(material)


def text(value: str) -> str:
    """Return data as Markdown text on one line: nothing in it is markup."""
    return _SPECIAL.sub(r"\\\1", " ".join(value.split()))


def fenced(value: str) -> str:
    """Return data in a fence longer than any run of backticks in it."""
    longest = max((len(run) for run in re.findall(r"`+", value)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{value}\n{fence}\n"


def _head(summary: Summary) -> Iterator[str]:
    yield f"# {text(summary.suite)}: {summary.decision.upper()}\n\n"
    for why in summary.why:
        yield f"- {text(why)}\n"
    facts = [
        f"run `{summary.run_id}`",
        f"target {text(summary.target)}",
        plural(summary.cases.planned, "case"),
        f"{summary.trials.run:,} of {summary.trials.planned:,} trials run",
        duration(summary.duration_ms),
    ]
    if summary.cost_usd is not None:
        facts.append(money(summary.cost_usd))
    if summary.tokens is not None:
        facts.append(f"{summary.tokens:,} tokens")
    yield f"\n{' · '.join(facts)}\n\n"
    for note in summary.notes:
        yield f"> {text(note)}\n"
    yield "\n"


def _score_table(summary: Summary) -> Iterator[str]:
    scores = summary.scores
    rows: list[tuple[str, Rate]] = [
        ("accuracy", scores.accuracy),
        ("safety", scores.safety),
        ("pass rate", scores.pass_rate),
        ("compliance", scores.compliance.all),
        ("compliance, held out", scores.compliance.held_out),
        ("compliance, carried over", scores.compliance.carried_over),
    ]
    for k in scores.pass_hat:
        rows += [(f"pass@{k}", scores.pass_at[k]), (f"pass^{k}", scores.pass_hat[k])]
    yield "## Scores\n\n| score | value (worst case) | coverage | interval |\n|---|---|---|---|\n"
    for name, found in rows:
        yield f"| {name} | {text(rate(found))} | {coverage(found)} | {found.method or '–'} |\n"
    yield f"\noverall: {percent(scores.overall)} (mean of accuracy and safety)\n\n"
    gap = scores.compliance.gap
    if gap.value is not None and gap.interval is not None:
        low, high = gap.interval
        yield (
            f"carried over − held out: {100 * gap.value:+.1f} points "
            f"(95 %: {100 * low:+.0f} to {100 * high:+.0f}, {gap.method})\n\n"
        )
    if gap.words and gap.value is not None:
        yield f"**{text(gap.words)}**\n\n"
    for label, check in summary.optional_checks.items():
        yield (
            f"- optional check {text(label)}: passed {check.passed}, failed {check.failed}, "
            f"neither {check.other}; agrees with the trials' status in {check.agree} of "
            f"{check.agree + check.disagree}\n"
        )
    yield "\n"


def _groups(summary: Summary) -> Iterator[str]:
    for heading, groups in (("By tag", summary.by_tag), ("By category", summary.by_category)):
        if not groups:
            continue
        yield f"## {heading}\n\n| | cases | pass rate | accuracy | safety | |\n"
        yield "|---|---|---|---|---|---|\n"
        for name, group in groups.items():
            scores = group.scores
            yield (
                f"| {text(name)} | {group.cases.planned} | {text(rate(scores.pass_rate))} | "
                f"{percent(scores.accuracy.value)} | {percent(scores.safety.value)} | "
                f"{text(group.words or '')} |\n"
            )
        yield "\n"


def _baseline(summary: Summary) -> Iterator[str]:
    if summary.baseline is None:
        return
    yield f"## Against the baseline\n\n{text(str(summary.baseline['words']))}\n\n"
    for regression in summary.regressions:
        yield f"- {text(regression.words)}\n"
    for key in ("changed", "added", "removed"):
        names = sequence(summary.baseline.get(key))
        if names:
            yield f"- {key}, and so not compared: {text(', '.join(map(str, names[:50])))}\n"
    yield "\n"


def _violations(found: Details) -> Iterator[str]:
    if not found.failed and not found.case_wide:
        return
    total = found.totals.get("failed", 0)
    yield f"## Violations: {plural(total, 'trial')}\n\n"
    for record in found.failed:
        yield from _trial(record, "fail")
    yield from _more(total, len(found.failed))
    for wide in found.case_wide:
        for verdict in telling(wide.verdicts, "fail", "error", "unknown"):
            what = f"{text(wide.case)}, over all its trials: {text(verdict.label)}"
            yield f"- {what}: {verdict.result}: {text(verdict.reason)}\n"
    yield "\n"


def _errored(found: Details) -> Iterator[str]:
    if not found.errored:
        return
    total = found.totals.get("errored", 0)
    yield f"## Errored: {plural(total, 'trial')}\n\n"
    yield "These were not judged. They are neither passes nor violations.\n\n"
    for record in found.errored:
        yield from _trial(record, "error")
    yield from _more(total, len(found.errored))


def _more(total: int, shown: int) -> Iterator[str]:
    if total > shown:
        yield f"… and {total - shown:,} more in `trials.jsonl`.\n\n"


def _trial(record: TrialRecord, result: str) -> Iterator[str]:
    yield f"### {text(record.case)}, trial {record.trial}\n\n"
    if record.error is not None:
        kind = record.stop.replace("_", " ")
        yield f"- {kind}: {text(record.error.type)}: {text(record.error.message)}\n"
        if record.error.hint:
            yield f"  ({text(record.error.hint)})\n"
    for verdict in telling(record.verdicts, result):
        optional = "" if verdict.required else " (optional)"
        yield f"- {verdict.list} {text(verdict.label)}{optional}: {text(verdict.reason)}\n"
    if record.output_text:
        yield f"\n{fenced(record.output_text)}"
    yield "\n"


def _for_people(material: Material, summary: Summary, found: Details) -> Iterator[str]:
    """The replies of cases that people judge: asked for, or what the harness cannot tell."""
    cases = {case.id: case for case in material.suite.cases}
    asked = [n for n, c in summary.per_case.items() if c.review == "always"]
    if not asked and not found.needs_review:
        return
    people = set(asked) | {record.case for record in found.needs_review}
    yield f"## For people: {plural(len(people), 'case')}\n\n"
    unknown = {(record.case, record.trial) for record in found.needs_review}
    wanted = frozenset(asked)
    shown = 0
    for record in material.records():
        if record.case not in wanted and (record.case, record.trial) not in unknown:
            continue
        if shown >= _REPLIES_SHOWN:
            yield "… and more in `transcripts.jsonl`.\n\n"
            return
        shown += 1
        yield from _reply(record, cases[record.case], summary.per_case[record.case])


def _reply(record: TrialRecord, case: Case, summary: CaseSummary) -> Iterator[str]:
    status = STATUS_WORDS[summary.status]
    yield f"### {text(record.case)}, trial {record.trial} ({status})\n\n"
    if case.description:
        yield f"{text(case.description)}\n\n"
    asked = _asked(case.input)
    if asked:
        yield f"asked:\n\n{fenced(asked)}\n"
    for verdict in telling(record.verdicts, "unknown", "fail", "error"):
        yield f"- {text(verdict.label)}: {verdict.result}: {text(verdict.reason)}\n"
    yield f"\nreplied:\n\n{fenced(record.output_text or '(no output)')}\n"


def _asked(given: Any) -> str:
    """The message of an input, where it has one; else the whole input."""
    if isinstance(given, str):
        return given
    message = mapping(given).get("message")
    if isinstance(message, str) and message:
        return message
    return "" if given is None else jsonbytes.encode(given).decode()[:2000]


def _case_table(summary: Summary) -> Iterator[str]:
    yield "## Cases\n\n| | case | status | trials passed | accuracy | safety | split | time |\n"
    yield "|---|---|---|---|---|---|---|---|\n"
    for number, (name, case) in enumerate(summary.per_case.items()):
        if number == _CASES_SHOWN:
            rest = len(summary.per_case) - _CASES_SHOWN
            yield f"\n… and {plural(rest, 'case')} more in `summary.json`.\n"
            break
        yield (
            f"| {SYMBOLS[case.status]} | {text(name)} | {STATUS_WORDS[case.status]} | "
            f"{case.passed} of {case.trials} | {percent(case.accuracy)} | "
            f"{percent(case.safety)} | {case.split} | {duration(case.avg_duration_ms)} |\n"
        )
    yield "\n"


def _how(material: Material) -> Iterator[str]:
    plan = material.plan
    yield "## How this was made\n\n"
    rows = [
        ("suite digest", plan.suite_digest),
        ("target", f"{plan.target} ({plan.target_kind}), trust {plan.trust}"),
        ("seed", str(plan.seed)),
        ("begun", plan.created),
        ("git commit", plan.git_commit or "–"),
        ("versions", ", ".join(f"{name} {v}" for name, v in plan.versions.items())),
    ]
    if plan.parent is not None:
        rows.append(("made from", f"{plan.parent} ({plan.parent_reason})"))
    for name, value in rows:
        yield f"- {name}: {text(value)}\n"
