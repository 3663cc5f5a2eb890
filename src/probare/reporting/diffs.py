"""Two runs compared: in the terminal, and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console

from probare.model.score import Diff, DiffCase
from probare.reporting.escaping import cells, text
from probare.reporting.printing import print_data
from probare.reporting.words import one_line, percent, signed

_COLOURS = {"regressed": "red", "inconclusive": "yellow", "no regression seen": "green"}
_SHOWN = 30
_NAME = 120


def render_diff(console: Console, diff: Diff) -> None:
    """Print a comparison: the answer, what moved, what was kept out and why."""
    print_data(console, f"{diff.before} → {diff.after}", 0)
    print_data(console, f"{diff.answer}: {diff.words}", 0, f"bold {_COLOURS[diff.answer]}")
    print_data(console, _rates(diff), 0)
    for word, cases in (("fell", diff.fell), ("rose", diff.rose)):
        for case in cases[:_SHOWN]:
            print_data(console, f"{word}: {one_line(case.case, _NAME)}  {_moved(case, diff)}", 2)
        if len(cases) > _SHOWN:
            print_data(console, f"… and {len(cases) - _SHOWN:,} more {word}", 2)
    for tag, (before, after) in diff.by_tag.items():
        print_data(console, f"#{tag}: {_change(before, after)}", 2)
    for why, names in _apart(diff):
        shown = ", ".join(one_line(name, _NAME) for name in names[:_SHOWN])
        print_data(console, f"not compared, {why}: {shown}{_more(names)}", 2)


def diff_markdown(diff: Diff) -> Iterator[str]:
    """Yield a comparison as Markdown."""
    yield f"# {text(diff.before)} → {text(diff.after)}: {diff.answer}\n\n"
    yield f"{text(diff.words)}\n\n{text(_rates(diff))}\n\n"
    for heading, cases in (("Fell", diff.fell), ("Rose", diff.rose)):
        if not cases:
            continue
        yield f"## {heading}: {len(cases):,}\n\n"
        yield cells("case", "trials passed, before → after")
        yield "|---|---|\n"
        for case in cases[:_SHOWN]:
            yield cells(text(case.case), _moved(case, diff))
        more = len(cases) - _SHOWN
        yield f"\n… and {more:,} more\n\n" if more > 0 else "\n"
    if diff.by_tag:
        yield "## By tag\n\n"
        yield cells("tag", "pass rate, before → after")
        yield "|---|---|\n"
        for tag, (before, after) in diff.by_tag.items():
            yield cells(text(tag), _change(before, after))
        yield "\n"
    apart = list(_apart(diff))
    if apart:
        yield "## Not compared\n\n"
    for why, names in apart:
        shown = ", ".join(text(name) for name in names[:_SHOWN])
        yield f"- {why}: {shown}{_more(names)}\n"


def _rates(diff: Diff) -> str:
    change = _change(diff.pass_rate_before, diff.pass_rate_after)
    return f"pass rate of {diff.pairs:,} compared cases: {change} ({diff.test})"


def _change(before: float | None, after: float | None) -> str:
    shown = f"{percent(before)} → {percent(after)}"
    if before is None or after is None or before == after:
        return shown
    return f"{shown} ({signed(after - before)} points)"


def _moved(case: DiffCase, diff: Diff) -> str:
    counts = f"{case.before[0]}/{case.before[1]} → {case.after[0]}/{case.after[1]}"
    if case.p is None:
        return counts
    verdict = ", significant" if case.case in diff.significant else ""
    return f"{counts} (adjusted p = {case.p:.3g}{verdict})"


def _apart(diff: Diff) -> Iterator[tuple[str, tuple[str, ...]]]:
    for why, names in (
        ("the case changed", diff.changed),
        ("added", diff.added),
        ("removed", diff.removed),
        ("judged by other grader versions", diff.regraded),
        ("undecided in one of the runs", diff.undecided),
    ):
        if names:
            yield why, names


def _more(names: tuple[str, ...]) -> str:
    return f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
