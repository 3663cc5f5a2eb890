"""Finding the lines: short cases by example, all others by what must be true of them."""

from __future__ import annotations

import io

from hypothesis import given, settings
from hypothesis import strategies as st

from probare.evidence.linediff import differences, leaf_token, tokens_of


def _split(text: str) -> list[bytes]:
    return [c.encode() for c in text]


def test_nothing_changed() -> None:
    assert differences(_split("abc"), _split("abc")) == []


def test_lines_replaced_by_fewer() -> None:
    assert differences(_split("abcde"), _split("axe")) == [
        (2, "this line stands where 3 lines (from line 2) stood when it was sealed")
    ]


def test_lines_replaced_by_more() -> None:
    assert differences(_split("abe"), _split("axyze")) == [
        (2, "lines 2 to 4 stand where 1 line (from line 2) stood when it was sealed")
    ]


def test_many_are_counted() -> None:
    found = differences(_split("a" * 50), _split("b" * 50))
    assert len(found) == 21
    assert found[-1][1] == "and 30 more lines like it"


@settings(max_examples=80, deadline=None)
@given(st.lists(st.integers(0, 20), unique=True, max_size=20), st.data())
def test_a_difference_is_always_told(lines: list[int], data: st.DataObject) -> None:
    expected = [b"%d" % line for line in lines]
    actual = data.draw(st.lists(st.sampled_from([*expected, b"new"]), max_size=22))
    found = differences(expected, actual)
    assert (found == []) == (expected == actual)
    if found:
        first = next(
            (i for i, (a, b) in enumerate(zip(expected, actual, strict=False)) if a != b),
            min(len(expected), len(actual)),
        )
        assert found[0][0] == first + 1


def test_little_is_read_beyond_the_sealed_size() -> None:
    giant = io.BytesIO(b"x\n" * 5_000_000)
    tokens, _ = tokens_of(giant, 100, leaf_token)
    assert giant.tell() < 1_000_000
    assert len(tokens) < 100_000
