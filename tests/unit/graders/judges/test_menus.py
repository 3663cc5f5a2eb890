from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probare.graders.judges.menus import PASS_FAIL, UNKNOWN, YES_NO, Entry, Menu, scale_of

LETTERS = Menu(
    entries=(Entry("C", "Correct"), Entry("I", "Incorrect"), Entry("P", "Partially correct"))
)


@pytest.mark.parametrize(
    ("value", "word"),
    [
        ("pass", "pass"),
        (" PASS ", "pass"),
        ("Fail", "fail"),
        ("unknown", UNKNOWN),
        ("passed", None),
        ("pass.", None),
        ("", None),
        (True, None),
        (1, None),
        (1.0, None),
        (None, None),
        (["pass"], None),
        ({"pass": True}, None),
    ],
)
def test_words(value: Any, word: str | None) -> None:
    assert PASS_FAIL.read(value) == word


@pytest.mark.parametrize(
    ("value", "word"),
    [
        (3, "3"),
        ("3", "3"),
        (3.0, "3"),
        (3.5, None),
        (0, None),
        (6, None),
        (989898, None),
        ("3/5", None),
        ("03", None),
        (True, None),
        (float("nan"), None),
        (float("inf"), None),
        (1e300, None),
        ("unknown", UNKNOWN),
    ],
)
def test_numbers_are_neither_rounded_nor_clamped(value: Any, word: str | None) -> None:
    assert scale_of("1..5").read(value) == word


def test_a_level_s_score_begins_at_nought() -> None:
    """B29: 1..5 gives 0, 0.25, 0.5, 0.75, 1."""
    assert [each.score for each in scale_of("1..5").entries] == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert [each.score for each in scale_of("-2..2").entries] == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert [each.score for each in scale_of(["poor", "fair", "good"]).entries] == [0, 0.5, 1]
    assert [e.word for e in scale_of({"4": "all", "1": "none", "2": "some"}).entries] == [
        "1",
        "2",
        "4",
    ]
    assert [e.score for e in scale_of({"5": "all", "1": "none", "2": "some"}).entries] == [
        0.0,
        0.25,
        1.0,
    ]


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("5..5", "no width"),
        ("5..1", "no width"),
        ("0..100000", "levels"),
        ("1-5", "no scale"),
        ("", "no scale"),
        (["good"], "at least two"),
        (["good", "Good"], "each once"),
        (["good", ""], "each once"),
        (["good", "unknown"], "offered to every judge"),
        ({"1": "bad"}, "at least two"),
        ({"good": "yes", "bad": "no"}, "no whole number"),
    ],
)
def test_what_is_no_scale(written: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        scale_of(written)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("C", ("C", True)),
        (" c ", ("C", True)),
        ("**C**", ("C", True)),
        ("C.", ("C", True)),
        ("Correct", ("C", True)),
        ("correct.", ("C", True)),
        ("C. No reason to downgrade: insufficient grounds.", ("C", False)),
        ("I ... on reflection", ("I", False)),
        ("unknown", (UNKNOWN, True)),
        ("unknown, since nothing is given", (UNKNOWN, False)),
        ("CI", None),
        ("C/P", None),
        ("C or P", None),
        ("C, or P", None),
        ("C - or rather P", None),
        ("Correctish", None),
        ("Correct answer", None),
        ("neither", None),
        ("", None),
    ],
)
def test_lines(line: str, found: tuple[str, bool] | None) -> None:
    assert LETTERS.read_line(line) == found


@pytest.mark.parametrize(
    ("line", "found"),
    [("4", ("4", True)), ("4.", ("4", True)), ("4.5", None), ("4/5", None), ("4, 5", None)],
)
def test_lines_of_numbers(line: str, found: tuple[str, bool] | None) -> None:
    assert scale_of("1..5").read_line(line) == found
    assert scale_of("1..4").read_line("4.5") is None


@given(st.text(max_size=40))
@settings(max_examples=200, deadline=None)
def test_any_text_is_on_the_menu_or_is_not(text: str) -> None:
    for menu in (PASS_FAIL, YES_NO, LETTERS, scale_of("1..5"), scale_of(["a", "b"])):
        assert menu.read(text) in (*menu.words, None)
        line = menu.read_line(text)
        assert line is None or line[0] in menu.words


def test_what_the_judge_is_told_and_held_to() -> None:
    assert PASS_FAIL.schema() == {"type": "string", "enum": ["fail", "pass", "unknown"]}
    assert scale_of("0..100").schema() == {
        "anyOf": [
            {"type": "integer", "minimum": 0, "maximum": 100},
            {"type": "string", "enum": ["unknown"]},
        ]
    }
    assert "from 0 (worst) to 100 (best)" in scale_of("0..100").described()
    assert "- 2: half of it" in scale_of({"1": "none", "2": "half of it"}).described()
    for menu in (PASS_FAIL, YES_NO, LETTERS):
        assert "- unknown: you cannot tell" in menu.described()
