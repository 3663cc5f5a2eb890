"""A finished run in the terminal: the table, what to read, scores, the decision."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console
from rich.table import Table
from rich.text import Text

from probare.model.record import TrialRecord
from probare.model.score import CaseSummary, Summary
from probare.reporting.details import Details, telling
from probare.reporting.words import (
    STATUS_WORDS,
    SYMBOLS,
    duration,
    money,
    percent,
    plural,
    rate,
    shortened,
)

_COLOURS = {
    "passed": "green",
    "failed": "red",
    "flaky": "magenta",
    "errored": "yellow",
    "needs_review": "cyan",
    "ungraded": "dim",
    "incomplete": "yellow",
}
_ORDER = ("failed", "flaky", "errored", "needs_review", "ungraded", "passed")
_ALL_ROWS_UP_TO = 40
_SHOWN = 12


def render_run(console: Console, summary: Summary, details: Details, *, table: bool) -> None:
    """Print a run. With `table`, a row a case and what went wrong; else the summary alone."""
    if table:
        _table(console, summary.per_case)
        _trials(console, "Violations", details.failed, details.totals.get("failed", 0), "fail")
        _case_wide(console, details)
        _trials(
            console,
            "Errored (not judged: neither passed nor violated)",
            details.errored,
            details.totals.get("errored", 0),
            "error",
        )
        _trials(
            console,
            "For people (the harness cannot tell)",
            details.needs_review,
            details.totals.get("needs_review", 0),
            "unknown",
        )
    _scores(console, summary)
    _decision(console, summary)


def _table(console: Console, cases: Mapping[str, CaseSummary]) -> None:
    rows = sorted(cases.items(), key=lambda item: _ORDER.index(item[1].status))
    hidden = 0
    if len(rows) > _ALL_ROWS_UP_TO:
        passed = sum(case.status == "passed" for _, case in rows)
        rows = [row for row in rows if row[1].status != "passed"]
        hidden = passed + max(0, len(rows) - _ALL_ROWS_UP_TO)
        rows = rows[:_ALL_ROWS_UP_TO]
    grid = Table(box=None, pad_edge=False, header_style="bold")
    grid.add_column("", width=1)
    grid.add_column("case", overflow="fold", ratio=3)
    grid.add_column("status")
    grid.add_column("trials", justify="right")
    grid.add_column("accuracy", justify="right")
    grid.add_column("safety", justify="right")
    grid.add_column("time", justify="right")
    for name, case in rows:
        grid.add_row(
            Text(SYMBOLS[case.status], _COLOURS[case.status]),
            Text(name),
            Text(_status_words(case), _COLOURS[case.status]),
            f"{case.passed}/{case.trials}",
            percent(case.accuracy),
            percent(case.safety),
            duration(case.avg_duration_ms),
        )
    if rows:
        console.print(grid)
    if hidden:
        console.print(f"… and {plural(hidden, 'case')} more (all are in report.md)", style="dim")


def _status_words(case: CaseSummary) -> str:
    if case.review == "always" and case.status in ("ungraded", "needs_review"):
        return "for people"
    return STATUS_WORDS[case.status]


def _trials(
    console: Console, heading: str, records: list[TrialRecord], total: int, result: str
) -> None:
    if not records:
        return
    console.print()
    console.print(f"{heading}: {plural(total, 'trial')}", style="bold")
    width = max(40, console.width - 6)
    for record in records[:_SHOWN]:
        console.print(Text(f"  {record.case}, trial {record.trial}"))
        if record.error is not None:
            kind = record.stop.replace("_", " ")
            message = f"{record.error.type}: {record.error.message}"
            console.print(Text(f"    {kind}: {shortened(message, width - len(kind))}", "yellow"))
        for verdict in telling(record.verdicts, result):
            optional = "" if verdict.required else " (optional)"
            text = f"    {verdict.list} {verdict.label}{optional}: {verdict.reason}"
            console.print(Text(shortened_keep_indent(text, width)))
    if total > _SHOWN:
        console.print(f"  … and {total - _SHOWN} more", style="dim")


def shortened_keep_indent(text: str, width: int) -> str:
    """Return one line of text, shortened, with its indentation."""
    indent = text[: len(text) - len(text.lstrip())]
    return indent + shortened(text, 2 * width)


def _case_wide(console: Console, details: Details) -> None:
    for record in details.case_wide[:_SHOWN]:
        for verdict in telling(record.verdicts, "fail", "error", "unknown"):
            text = f"  {record.case}, over its trials: {verdict.label}: {verdict.reason}"
            console.print(Text(text))


def _scores(console: Console, summary: Summary) -> None:
    scores = summary.scores
    rows = [
        ("accuracy", rate(scores.accuracy)),
        ("safety", rate(scores.safety)),
        ("pass rate", rate(scores.pass_rate)),
        ("compliance", rate(scores.compliance.all)),
        ("  held out", rate(scores.compliance.held_out)),
        ("  carried over", rate(scores.compliance.carried_over)),
    ]
    for k in scores.pass_hat:
        if k != "1":
            rows.append((f"pass@{k}", rate(scores.pass_at[k])))
            rows.append((f"pass^{k}", rate(scores.pass_hat[k])))
    for name, group in [*summary.by_tag.items(), *summary.by_category.items()]:
        text = rate(group.scores.pass_rate)
        rows.append((name, f"{text}  {group.words}" if group.words else text))
    for label, check in summary.optional_checks.items():
        decided = check.agree + check.disagree
        text = f"passed {check.passed}, failed {check.failed}, neither {check.other}"
        if decided:
            text += f"; agrees with the trials' status in {check.agree} of {decided}"
        rows.append((f"{label} (optional)", text))
    grid = Table.grid(padding=(0, 2))
    grid.add_column(overflow="fold", max_width=32)
    grid.add_column(overflow="fold")
    for name, text in rows:
        grid.add_row(Text(name), Text(text))
    console.print()
    console.print(grid)
    if scores.compliance.gap.words:
        console.print(Text(scores.compliance.gap.words, "yellow"))


def _decision(console: Console, summary: Summary) -> None:
    console.print()
    for note in summary.notes:
        console.print(Text(f"note: {note}", "dim"))
    if summary.baseline is not None:
        console.print(Text(f"against the baseline: {summary.baseline['words']}"))
    parts = [plural(summary.cases.planned, "case"), plural(summary.trials.run, "trial")]
    parts.append(duration(summary.duration_ms))
    if summary.cost_usd is not None:
        parts.append(money(summary.cost_usd))
    if summary.tokens is not None:
        parts.append(f"{summary.tokens:,} tokens")
    line = Text(f"{summary.decision.upper()}", f"bold {_COLOURS[summary.decision]}")
    line.append(f"  {summary.suite} on {summary.target}: {', '.join(parts)}", "default")
    console.print(line)
    for why in summary.why:
        console.print(Text(f"  {why}"))
