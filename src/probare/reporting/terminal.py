"""A finished run in the terminal: the table, what to read, scores, the decision.

Data is only ever printed as `Text`, never as markup, with its control characters written out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rich.console import Console
from rich.table import Table
from rich.text import Text

from probare.model.record import TrialRecord
from probare.model.score import CaseSummary, GroupSummary, Summary
from probare.model.verdict import CheckVerdict, Result
from probare.reporting.details import CaseWide, Details, Notes, not_run, telling
from probare.reporting.printing import print_data
from probare.reporting.scorelines import optional_check, score_rows
from probare.reporting.words import (
    SYMBOLS,
    duration,
    gap,
    money,
    one_line,
    percent,
    plural,
    rate,
    status,
    trials,
    visible,
)

COLOURS = {
    "passed": "green",
    "failed": "red",
    "flaky": "magenta",
    "errored": "yellow",
    "needs_review": "cyan",
    "ungraded": "dim",
    "incomplete": "yellow",
}
_ORDER = ("failed", "flaky", "errored", "needs_review", "ungraded", "passed")
_ALL_ROWS_UP_TO = 30
_TRIALS_SHOWN = 12
_REASON = 300
_NAME = 120


def render_run(console: Console, summary: Summary, details: Details, *, table: bool) -> None:
    """Print a run. With `table`, a row a case and what went wrong; else the summary alone.

    The decision and its reasons stand last, where the eye is.
    """
    if table:
        _case_table(console, summary)
        _section(console, "Violations", details, details.failed, "fail")
        _errored(console, summary, details)
        _section(console, "Needs review: the harness cannot tell", details, details.needs_review,
                 "unknown")  # fmt: skip
    _scores(console, summary)
    _decision(console, summary)


def _case_table(console: Console, summary: Summary) -> None:
    ordered = sorted(summary.per_case.items(), key=lambda row: _ORDER.index(row[1].status))
    rows = ordered
    if len(rows) > _ALL_ROWS_UP_TO:
        rows = [row for row in rows if row[1].status != "passed"][:_ALL_ROWS_UP_TO]
    if rows:
        grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
        grid.add_column("status")
        grid.add_column("case", overflow="fold")
        for heading in ("trials", "accuracy", "time"):
            grid.add_column(heading, justify="right")
        for name, case in rows:
            grid.add_row(
                _status(case),
                Text(one_line(name, _NAME)),
                trials(case),
                percent(case.accuracy),
                duration(case.avg_duration_ms),
            )
        console.print(grid)
    shown = {name for name, _ in rows}
    rest = [case for name, case in ordered if name not in shown]
    if rest:
        passed = sum(case.status == "passed" for case in rest)
        words = [f"{passed:,} passed"] if passed else []
        words += [f"{len(rest) - passed:,} did not"] if len(rest) > passed else []
        print_data(console, f"… and {plural(len(rest), 'case')} more: {', '.join(words)}", 0, "dim")


def _status(case: CaseSummary) -> Text:
    return Text(f"{SYMBOLS[case.status]} {status(case)}", COLOURS[case.status])


def _section(
    console: Console, heading: str, details: Details, shown: list[TrialRecord], result: Result
) -> None:
    """Print the trials and the case-wide verdicts of one kind under a heading."""
    wide = details.wide.get(result, [])
    total = details.totals.get(shown[0].status, 0) if shown else 0
    wide_total = details.wide_totals.get(result, 0)
    if not total and not wide_total:
        return
    counted = [plural(total, "trial")] if total else []
    counted += [plural(wide_total, "case-wide check")] if wide_total else []
    console.print()
    print_data(console, f"{heading}: {', '.join(counted)}", 0, "bold")
    notes = Notes(details)
    for record in shown[:_TRIALS_SHOWN]:
        _trial(console, record, result)
        _noted(console, notes.of(record.case))
    for found in wide[:_TRIALS_SHOWN]:
        _wide(console, found)
        _noted(console, notes.of(found.case))
    more = total + wide_total - len(shown[:_TRIALS_SHOWN]) - len(wide[:_TRIALS_SHOWN])
    if more:
        print_data(console, f"  … and {more:,} more: see report.md and trials.jsonl", 0, "dim")


def _errored(console: Console, summary: Summary, details: Details) -> None:
    heading = "Errored (not judged: neither passed nor violations)"
    _section(console, heading, details, details.errored, "error")
    missing = not_run(summary)
    if missing:
        console.print()
        count = plural(sum(missing.values()), "trial")
        print_data(console, f"Did not run: {count} of {plural(len(missing), 'case')}", 0, "bold")
        names = [one_line(name, _NAME) for name in list(missing)[:_TRIALS_SHOWN]]
        more = f" and {len(missing) - len(names):,} more" if len(missing) > len(names) else ""
        print_data(console, f"{', '.join(names)}{more}", 2)


def _trial(console: Console, record: TrialRecord, result: Result) -> None:
    print_data(console, f"{one_line(record.case, _NAME)}, trial {record.trial}", 2)
    if record.error is not None:
        stop = record.stop.replace("_", " ")
        message = one_line(f"{record.error.type}: {record.error.message}", _REASON)
        hint = f" ({one_line(record.error.hint, _REASON)})" if record.error.hint else ""
        print_data(console, f"{stop}: {message}{hint}", 4, COLOURS["errored"])
    for verdict in telling(record.verdicts, result):
        print_data(console, _verdict(verdict), 4)


def _wide(console: Console, found: CaseWide) -> None:
    print_data(console, f"{one_line(found.case, _NAME)}, over all its trials", 2)
    print_data(console, _verdict(found.verdict), 4)


def _noted(console: Console, notes: Mapping[str, str]) -> None:
    for name, note in notes.items():
        print_data(console, f"{one_line(name, _NAME)}: {one_line(note, _REASON)}", 4, "dim")


def _verdict(verdict: CheckVerdict) -> str:
    optional = "" if verdict.required else " (optional)"
    return f"{verdict.list} {one_line(verdict.label, _NAME)}{optional}: " + one_line(
        verdict.reason, _REASON
    )


def _scores(console: Console, summary: Summary) -> None:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(overflow="fold", max_width=30)
    grid.add_column(overflow="fold")
    for name, found in score_rows(summary):
        grid.add_row(Text(name), Text(visible(rate(found))))
    between = gap(summary.scores.compliance.gap)
    if between is not None:
        grid.add_row(Text("carried over − held out"), Text(between))
    _groups(grid, "by tag", summary.by_tag.items())
    _groups(grid, "by category", summary.by_category.items())
    if summary.optional_checks:
        grid.add_row(Text("optional checks", "bold"))
    for label, check in summary.optional_checks.items():
        grid.add_row(Text(f"  {one_line(label, _NAME)}"), Text(optional_check(check)))
    console.print()
    console.print(grid)
    if summary.scores.compliance.gap.words:
        print_data(console, summary.scores.compliance.gap.words, 0, COLOURS["incomplete"])


def _groups(grid: Table, heading: str, groups: Iterable[tuple[str, GroupSummary]]) -> None:
    listed = list(groups)
    if listed:
        grid.add_row(Text(heading, "bold"))
    for name, group in listed:
        words = f"; {one_line(group.words, _REASON)}" if group.words else ""
        text = f"{visible(rate(group.scores.pass_rate))}{words}"
        grid.add_row(Text(f"  {one_line(name, _NAME)}"), Text(text))


def _decision(console: Console, summary: Summary) -> None:
    console.print()
    for note in summary.notes:
        print_data(console, f"note: {one_line(note, 2 * _REASON)}", 0, "dim")
    if summary.baseline is not None:
        words = one_line(str(summary.baseline.get("words", "")), 2 * _REASON)
        print_data(console, f"against the baseline: {words}", 0)
    asked = sum(
        case.review == "always" and case.status in ("ungraded", "needs_review")
        for case in summary.per_case.values()
    )
    if asked:
        print_data(
            console, f"for people: {plural(asked, 'case')}, with replies in report.md", 0, "dim"
        )
    facts = [plural(summary.cases.planned, "case"), plural(summary.trials.run, "trial")]
    facts.append(duration(summary.duration_ms))
    facts += [money(summary.cost_usd)] if summary.cost_usd is not None else []
    facts += [f"{summary.tokens:,} tokens"] if summary.tokens is not None else []
    line = Text(summary.decision.upper(), f"bold {COLOURS[summary.decision]}")
    names = f"{one_line(summary.suite, _NAME)} on {one_line(summary.target, _NAME)}"
    line.append(f"  {names}: {', '.join(facts)}", "default")
    console.print(line)
    for why in summary.why:
        print_data(console, one_line(why, 4 * _REASON), 2)
