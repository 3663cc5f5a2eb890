"""Two runs compared, in the terminal."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

from probare.model.score import Diff, DiffCase
from probare.reporting.words import percent

_SHOWN = 30


def render_diff(console: Console, diff: Diff) -> None:
    """Print a comparison: the answer, what moved, what was kept out and why."""
    console.print(Text(f"{diff.before} → {diff.after}"))
    colour = {"regressed": "red", "inconclusive": "yellow"}.get(diff.answer, "green")
    line = Text(diff.answer, f"bold {colour}")
    line.append(f": {diff.words}", "default")
    console.print(line)
    rates = f"{percent(diff.pass_rate_before)} → {percent(diff.pass_rate_after)}"
    console.print(Text(f"pass rate of {diff.pairs} compared cases: {rates} ({diff.test})"))
    _moved(console, "fell", diff.fell)
    _moved(console, "rose", diff.rose)
    for tag, (before, after) in diff.by_tag.items():
        console.print(Text(f"  #{tag}: {percent(before)} → {percent(after)}"))
    _apart(console, "changed", diff.changed)
    _apart(console, "added", diff.added)
    _apart(console, "removed", diff.removed)
    _apart(console, "judged by other grader versions", diff.regraded)
    _apart(console, "undecided in one of the runs", diff.undecided)


def _moved(console: Console, word: str, cases: Iterable[DiffCase]) -> None:
    listed = list(cases)
    for case in listed[:_SHOWN]:
        before, after = f"{case.before[0]}/{case.before[1]}", f"{case.after[0]}/{case.after[1]}"
        p = "" if case.p is None else f"  (p = {case.p:.3g})"
        console.print(Text(f"  {word}: {case.case}  {before} → {after}{p}"))
    if len(listed) > _SHOWN:
        console.print(Text(f"  … and {len(listed) - _SHOWN} more {word}"))


def _apart(console: Console, word: str, names: tuple[str, ...]) -> None:
    if names:
        more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
        listed = ", ".join(names[:_SHOWN])
        console.print(Text(f"  not compared, {word}: {listed}{more}"))
