"""`report.md`: the run for people, to read, to commit, to send."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from probare.encoding.narrow import sequence
from probare.model.record import TrialRecord
from probare.model.score import Summary
from probare.model.verdict import Result
from probare.ports.reporter import Material
from probare.reporting.details import Details, Notes, details, not_run, telling
from probare.reporting.escaping import cells, fenced, text
from probare.reporting.files import write_whole
from probare.reporting.people import for_people
from probare.reporting.reproduce import command
from probare.reporting.scorelines import score_rows
from probare.reporting.words import (
    SYMBOLS,
    coverage,
    duration,
    gap,
    money,
    percent,
    plural,
    rate,
    status,
    trials,
)

_CASES_SHOWN = 500
_NAMES_SHOWN = 50
_EXCERPT = 2_000


class MarkdownReporter:
    """Writes the report. Everything that comes from data is escaped or fenced."""

    name = "md"
    filename = "report.md"

    def write(self, path: Path, material: Material) -> None:
        """Write the file, whole or not at all. Raises RunDirectoryError where it cannot."""
        write_whole(path, map(material.mask, pieces(material)))


def pieces(material: Material) -> Iterator[str]:
    """Yield the report. Records are streamed; what is kept of them is bounded."""
    summary = material.summary
    found = details(
        summary.trials,
        material.records(),
        material.case_records(),
        cases=material.suite.cases,
    )
    yield from _head(summary)
    yield from _scores(summary)
    yield from _groups(summary)
    yield from _baseline(summary)
    yield from _section("Violations", "", found, found.failed, "fail")
    yield from _errored(summary, found)
    yield from _wide_unknown(found)
    yield from material.people()
    yield from for_people(material)
    yield from _cases(summary)
    yield from _how(material)


def _head(summary: Summary) -> Iterator[str]:
    yield f"# {text(summary.suite)}: {summary.decision.upper()}\n\n"
    for why in summary.why:
        yield f"- {text(why)}\n"
    facts = [
        f"run {text(summary.run_id)}",
        f"target {text(summary.target)}",
        plural(summary.cases.planned, "case"),
        f"{summary.trials.run:,} of {summary.trials.planned:,} trials run",
        duration(summary.duration_ms),
    ]
    if summary.cost_usd is not None:
        facts.append(text(money(summary.cost_usd)))
    if summary.tokens is not None:
        facts.append(f"{summary.tokens:,} tokens")
    yield f"\n{' · '.join(facts)}\n\n"
    for note in summary.notes:
        yield f"> {text(note)}\n\n"


def _scores(summary: Summary) -> Iterator[str]:
    yield "## Scores\n\n"
    yield cells("score", "worst case", "planned / run / graded", "interval by")
    yield "|---|---|---|---|\n"
    for name, found in score_rows(summary):
        yield cells(text(name), text(rate(found)), coverage(found), found.method or "–")
    yield f"\nOverall, the mean of accuracy and safety: {percent(summary.scores.overall)}\n\n"
    found = summary.scores.compliance.gap
    between = gap(found)
    if between is not None:
        by = f", by {found.method}" if found.method else ""
        yield f"Compliance, carried over − held out: {between}{by}\n\n"
    if found.words:
        yield f"**{text(found.words)}**\n\n"
    yield from _optional(summary)


def _optional(summary: Summary) -> Iterator[str]:
    """Optional checks beside the trials' statuses: where they agree, and how they do not."""
    if not summary.optional_checks:
        return
    yield "## Optional checks against the trials' status\n\n"
    yield cells("check", "passed", "failed", "neither", "agree", "only the check", "only the trial")
    yield "|---|---|---|---|---|---|---|\n"
    for label, check in summary.optional_checks.items():
        numbers = (check.passed, check.failed, check.other)
        decided = check.agree + check.disagree
        yield cells(
            text(label),
            *(f"{number:,}" for number in numbers),
            f"{check.agree:,} of {decided:,}",
            f"{check.passed_in_failed:,}",
            f"{check.failed_in_passed:,}",
        )
    yield "\n"


def _groups(summary: Summary) -> Iterator[str]:
    for heading, groups in (("tag", summary.by_tag), ("category", summary.by_category)):
        if not groups:
            continue
        yield f"## By {heading}\n\n"
        yield cells(heading, "cases", "pass rate", "accuracy", "safety", "")
        yield "|---|---|---|---|---|---|\n"
        for name, group in groups.items():
            yield cells(
                text(name),
                str(group.cases.planned),
                text(rate(group.scores.pass_rate)),
                percent(group.scores.accuracy.value),
                percent(group.scores.safety.value),
                text(group.words or ""),
            )
        yield "\n"


def _baseline(summary: Summary) -> Iterator[str]:
    if summary.baseline is None:
        return
    words = summary.baseline.get("words") or ""
    yield f"## Against the baseline\n\n{text(str(words))}\n\n"
    for regression in summary.regressions[:_NAMES_SHOWN]:
        yield f"- {text(regression.words)}\n"
    if len(summary.regressions) > _NAMES_SHOWN:
        yield f"- … and {len(summary.regressions) - _NAMES_SHOWN:,} more in `summary.json`\n"
    for key in ("changed", "added", "removed"):
        names = [str(name) for name in sequence(summary.baseline.get(key))]
        if names:
            yield f"- {key}, and so not compared: {_listed(names)}\n"
    yield "\n"


def _section(
    heading: str, remark: str, found: Details, shown: list[TrialRecord], result: Result
) -> Iterator[str]:
    wide = found.wide.get(result, [])
    total = found.totals.get(shown[0].status, 0) if shown else 0
    wide_total = found.wide_totals.get(result, 0)
    if not total and not wide_total:
        return
    counted = [plural(total, "trial")] if total else []
    counted += [plural(wide_total, "case-wide check")] if wide_total else []
    yield f"## {heading}: {', '.join(counted)}\n\n{remark}"
    notes = Notes(found)
    for record in shown:
        yield from _trial(record, result, notes.of(record.case))
    for one in wide:
        yield f"- {text(one.case)}, over all its trials: {one.verdict.list} "
        yield f"{text(one.verdict.label)}: {text(one.verdict.reason)}\n"
        yield from (f"  {line}" for line in _noted(notes.of(one.case)))
    yield "\n" if wide else ""
    more = total + wide_total - len(shown) - len(wide)
    if more:
        yield f"… and {more:,} more in `trials.jsonl` and `cases.jsonl`.\n\n"


def _errored(summary: Summary, found: Details) -> Iterator[str]:
    remark = "These were not judged. They are neither passes nor violations.\n\n"
    yield from _section("Errored", remark, found, found.errored, "error")
    missing = not_run(summary)
    if missing:
        count = plural(sum(missing.values()), "trial")
        yield f"## Did not run: {count} of {plural(len(missing), 'case')}\n\n"
        yield f"{_listed(list(missing))}\n\n"


def _wide_unknown(found: Details) -> Iterator[str]:
    """Yield case-wide verdicts that people must settle; trials for people come with replies."""
    yield from _section("Needs review over all trials", "", found, [], "unknown")


def _noted(notes: Mapping[str, str]) -> Iterator[str]:
    for name, note in notes.items():
        yield f"- {text(name)}: {text(note)}\n"


def _trial(record: TrialRecord, result: Result, notes: Mapping[str, str]) -> Iterator[str]:
    yield f"### {text(record.case)}, trial {record.trial}\n\n"
    if record.error is not None:
        hint = f" ({text(record.error.hint)})" if record.error.hint else ""
        what = f"{text(record.error.type)}: {text(record.error.message)}"
        yield f"- {record.stop.replace('_', ' ')}: {what}{hint}\n"
    for verdict in telling(record.verdicts, result):
        optional = "" if verdict.required else " (optional)"
        yield f"- {verdict.list} {text(verdict.label)}{optional}: {text(verdict.reason)}\n"
    yield from _noted(notes)
    if record.output_text is not None:
        yield f"\n{fenced(record.output_text, _EXCERPT)}"
    yield "\n"


def _cases(summary: Summary) -> Iterator[str]:
    yield "## Cases\n\n"
    yield cells("", "case", "status", "trials", "accuracy", "safety", "split", "time")
    yield "|---|---|---|---|---|---|---|---|\n"
    for name, case in list(summary.per_case.items())[:_CASES_SHOWN]:
        yield cells(
            SYMBOLS[case.status],
            text(name),
            status(case),
            trials(case),
            percent(case.accuracy),
            percent(case.safety),
            case.split.replace("_", " "),
            duration(case.avg_duration_ms),
        )
    rest = len(summary.per_case) - _CASES_SHOWN
    if rest > 0:
        yield f"\n… and {plural(rest, 'case')} more in `summary.json`.\n"
    yield "\n"


def _how(material: Material) -> Iterator[str]:
    plan = material.plan
    yield "## How to make it again\n\n"
    line = command(plan)
    yield fenced(line) if line is not None else "This run was started from Python.\n"
    rows = [
        ("suite digest", plan.suite_digest),
        ("target", f"{plan.target} ({plan.target_kind}), trust: {plan.trust}"),
        ("seed", str(plan.seed)),
        ("begun", plan.created),
        ("git commit", plan.git_commit or "–"),
        ("versions", ", ".join(f"{name} {version}" for name, version in plan.versions.items())),
    ]
    if plan.parent is not None:
        rows.append(("made from", f"{plan.parent} ({plan.parent_reason or 'unknown'})"))
    yield "\n"
    for name, value in rows:
        yield f"- {name}: {text(value)}\n"


def _listed(names: list[str]) -> str:
    shown = ", ".join(text(name) for name in names[:_NAMES_SHOWN])
    rest = len(names) - _NAMES_SHOWN
    return f"{shown} and {rest:,} more" if rest > 0 else shown
