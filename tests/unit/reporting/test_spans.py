"""What a check hit, with a little of what stands around it."""

from __future__ import annotations

import pytest

from probare.model.verdict import Span
from probare.reporting.spans import excerpts


def lines(text: str, *spans: tuple[int, int]) -> list[str]:
    return [line.plain for line in excerpts(text, [Span(*span) for span in spans])]


@pytest.mark.parametrize(
    ("text", "span", "line"),
    [
        ("a bad word", (2, 5), "a «bad» word"),
        ("bad", (0, 3), "«bad»"),
        ("x\n\tbad\ny", (3, 6), "x⏎ «bad»⏎y"),
        ("\x1b[1mbad", (0, 7), "«\\x1b[1mbad»"),
        ("." * 100 + "bad" + "." * 100, (100, 103), "…" + "." * 40 + "«bad»" + "." * 40 + "…"),
        ("y" * 300, (0, 300), "«" + "y" * 160 + "…»"),
    ],
)
def test_a_hit_with_its_surroundings(text: str, span: tuple[int, int], line: str) -> None:
    assert lines(text, span) == [line]


def test_only_the_hit_is_highlighted() -> None:
    (line,) = excerpts("a bad word", [Span(2, 5)])
    styled = [(span.start, span.end, span.style) for span in line.spans]
    assert styled == [(3, 6, "reverse")]


def test_a_few_are_shown_and_the_rest_counted() -> None:
    assert lines("abcdef", *((n, n + 1) for n in range(5)))[-1] == "and 2 more"


@pytest.mark.parametrize("span", [(-1, 2), (2, 2), (3, 2), (5, 9)])
def test_a_span_that_lies_outside_is_left_out(span: tuple[int, int]) -> None:
    assert lines("abcdef", span) == []
