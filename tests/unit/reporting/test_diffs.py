"""Two runs compared, for a terminal and as Markdown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from markdown_it import MarkdownIt
from rich.console import Console

from probare.model.score import Diff, DiffCase
from probare.reporting.diffs import diff_markdown, render_diff


def diff(**other: Any) -> Diff:
    settings: dict[str, Any] = {
        "before": "demo-1",
        "after": "demo-2",
        "answer": "regressed",
        "words": "2 cases fell, 1 rose, of 10 compared; p = 0.01",
        "test": "paired t, one-sided",
        "p": 0.01,
        "smallest_drop": 0.1,
        "pairs": 10,
        "pass_rate_before": 0.9,
        "pass_rate_after": 0.75,
        "fell": (
            DiffCase(case="help_1", before=(4, 4), after=(0, 4), p=0.014),
            DiffCase(case="help_2", before=(3, 4), after=(2, 4), p=0.8),
        ),
        "rose": (DiffCase(case="help_3", before=(0, 4), after=(1, 4)),),
        "significant": ("help_1",),
        "changed": ("other",),
        "added": ("new_1", "new_2"),
        "removed": (),
        "regraded": ("judged",),
        "undecided": ("broken",),
        "by_tag": {"regression": (1.0, 0.5), "hill": (None, 0.25), "same": (0.5, 0.5)},
    }
    return Diff(**{**settings, **other})


def test_in_the_terminal(
    console: Console, shown: Callable[[], str], snapshot: Callable[[str, str], None]
) -> None:
    render_diff(console, diff())
    snapshot("diff.txt", shown())


def test_as_markdown(snapshot: Callable[[str, str], None]) -> None:
    snapshot("diff.md", "".join(diff_markdown(diff())))


def test_nothing_moved(console: Console, shown: Callable[[], str]) -> None:
    quiet = diff(
        answer="no regression seen", fell=(), rose=(), changed=(), added=(), regraded=(),
        undecided=(), by_tag={},
    )  # fmt: skip
    render_diff(console, quiet)
    assert len(shown().splitlines()) == 3
    assert "## " not in "".join(diff_markdown(quiet))


@pytest.mark.parametrize("count", [30, 31, 500])
def test_long_lists_are_counted(count: int, console: Console, shown: Callable[[], str]) -> None:
    names = tuple(f"c{n}" for n in range(count))
    fell = tuple(DiffCase(case=name, before=(1, 1), after=(0, 1)) for name in names)
    long = diff(fell=fell, changed=names)
    render_diff(console, long)
    document = "".join(diff_markdown(long))
    for text in (shown(), document):
        assert (f"and {count - 30} more" in text) == (count > 30)


def test_data_is_never_markup(console: Console, shown: Callable[[], str]) -> None:
    nasty = "[red]<img src=x>\x1b[2J|`a`"
    bad = diff(
        before=nasty, words=nasty, changed=(nasty,), by_tag={nasty: (0.1, 0.2)},
        fell=(DiffCase(case=nasty, before=(1, 1), after=(0, 1)),),
    )  # fmt: skip
    render_diff(console, bad)
    assert "\x1b" not in shown()
    assert "[red]<img src=x>" in shown()
    found = MarkdownIt("commonmark").enable("table").parse("".join(diff_markdown(bad)))
    kinds = {child.type for token in found for child in (token.children or [])}
    assert kinds <= {"text", "text_special", "softbreak"}
