"""Hits in a text."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from probare.model.verdict import Span
from probare.web.marking import pieces

_SPANS = st.lists(st.builds(Span, st.integers(-3, 30), st.integers(-3, 30)), max_size=8)


@settings(max_examples=200)
@given(st.text(max_size=25), _SPANS)
def test_the_pieces_are_the_text_and_what_is_hit_is_marked(text: str, spans: list[Span]) -> None:
    found = pieces(text, spans)
    assert "".join(each.text for each in found) == text
    marked = [each.hit for each in found for _ in each.text]
    inside = [span for span in spans if 0 <= span.start < span.end <= len(text)]
    wanted = [any(s.start <= n < s.end for s in inside) for n in range(len(text))]
    assert marked == wanted
    assert all(each.text for each in found)


def test_a_long_text_is_cut_after_the_last_hit_and_says_so() -> None:
    found = pieces("x" * 50_000, [Span(2, 4)])
    assert [each.hit for each in found] == [False, True, False]
    assert found[-1].text.endswith("… [29,996 more characters]")
