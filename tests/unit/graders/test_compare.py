import unicodedata
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probare.graders.compare import difference, same

JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (12, 12.0),
        ({"numbers": [12, 15]}, {"numbers": [12.0, 15.0]}),
        ("café", "cafe\u0301"),
        ({"deep": ["10 km"]}, {"deep": ["10\u00a0km"]}),
        ((1, 2), [1, 2]),
        (0, -0.0),
        (None, None),
    ],
)
def test_same(a: Any, b: Any) -> None:
    assert same(a, b)
    assert difference(a, b) == ""


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (True, 1),
        (False, 0),
        ("12", 12),
        ("", None),
        (False, None),
        ([], {}),
        (0, ""),
        (2**53 + 1, float(2**53)),
        ("a", "A"),
        ({"a": 1}, {"a": 1, "b": None}),
        ({"a": 1, "b": None}, {"a": 1}),
        ([1, 2], [2, 1]),
        ({"base": 10}, {"base": 999}),
        ("ﬁle", "file"),
        (float("nan"), float("nan")),
    ],
)
def test_not_the_same(a: Any, b: Any) -> None:
    assert not same(a, b)
    assert not same(b, a)


def test_falsy_values_are_four_values_and_more() -> None:
    values: list[Any] = [False, 0, "", None, [], {}]
    for i, a in enumerate(values):
        for j, b in enumerate(values):
            assert same(a, b) == (i == j)


def test_ignoring_case_reaches_inside_but_not_keys() -> None:
    assert same({"a": ["X"]}, {"a": ["x"]}, ignore_case=True)
    assert not same({"A": 1}, {"a": 1}, ignore_case=True)


@pytest.mark.parametrize(
    ("expected", "got", "words"),
    [
        ("0", "1", "expected '0', got '1'"),
        (12, "12", "expected 12, got '12' (text, not a number)"),
        (1, True, "expected 1, got true (a boolean, not a number)"),
        ({"a": 1}, [1], 'expected {"a":1}, got [1] (a list, not an object)'),
        ({"a": {"b": [1, 2]}}, {"a": {"b": [1, 3]}}, "at a.b[1]: expected 2, got 3"),
        ({"a": 1}, {}, "expected a key 'a' (1), got none"),
        ({}, {"a": 1}, "expected no key 'a', got 1"),
        ({"l": [1]}, {"l": [1, 2]}, "at l: expected 1 item, got 2 items"),
    ],
)
def test_the_first_difference_in_words(expected: Any, got: Any, words: str) -> None:
    assert difference(expected, got) == words


def test_long_texts_are_shown_where_they_part() -> None:
    words = difference("x" * 500 + "left", "x" * 500 + "right")
    assert "left'" in words
    assert "right'" in words
    assert "part at character 500" in words
    assert len(words) < 200


@given(JSON)
@settings(max_examples=100)
def test_reflexive(value: Any) -> None:
    assert same(value, value)


@given(JSON, JSON, st.booleans())
@settings(max_examples=200)
def test_symmetric_and_told_exactly_where_it_fails(a: Any, b: Any, ignore_case: bool) -> None:
    equal = same(a, b, ignore_case=ignore_case)
    assert equal == same(b, a, ignore_case=ignore_case)
    assert (difference(a, b, ignore_case=ignore_case) == "") == equal


@given(st.text(max_size=20))
@settings(max_examples=100)
def test_canonically_equal_strings_are_the_same(text: str) -> None:
    assert same(unicodedata.normalize("NFD", text), unicodedata.normalize("NFC", text))
