"""Numbers as people read them, and data that cannot steer a terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probare.model.score import Gap
from probare.reporting import words

Build = dict[str, Callable[..., Any]]


def test_a_rate_says_all_that_is_needed_to_judge_it(build: Build) -> None:
    found = build["rate"](27, 30, interval=(0.744, 0.9654), best=0.9)
    assert words.rate(found) == "27 of 30 (90.0 %, 95 % interval 74.4–96.5)"
    best = build["rate"](27, 30, interval=(0.744, 0.9654), best=29 / 30)
    assert words.rate(best).endswith(", at best 96.7 %")
    assert words.rate(build["rate"](1.5, 4, interval=None)) == "1.50 of 4 (37.5 %)"


def test_a_rate_over_nothing_says_why(build: Build) -> None:
    assert words.rate(build["rate"](0, 0)) == "– (no case has a `forbid` check)"
    assert words.rate(build["rate"](0, 0, why=None)) == "–"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "–"),
        (0.0, "0 %"),
        (1.0, "100 %"),
        (0.99999, "99.9 %"),
        (0.00001, "0.1 %"),
        (1 / 3, "33.3 %"),
        (0.5, "50 %"),
    ],
)
def test_only_all_is_all_and_only_none_is_none(value: float | None, shown: str) -> None:
    assert words.percent(value) == shown


@pytest.mark.parametrize(
    ("ms", "shown"),
    [
        (None, "–"),
        (0, "0 ms"),
        (0.123, "0.12 ms"),
        (999.4, "999 ms"),
        (1500, "1.5 s"),
        (61_000, "1 min 01 s"),
        (3_660_000, "1 h 1 min"),
    ],
)
def test_durations(ms: float | None, shown: str) -> None:
    assert words.duration(ms) == shown


@pytest.mark.parametrize(
    ("dollars", "shown"),
    [
        (None, "–"),
        (0, "$0.00"),
        (0.00001, "under $0.0001"),
        (0.0123, "$0.0123"),
        (1234.5, "$1,234.50"),
    ],
)
def test_an_unknown_price_is_not_nothing(dollars: float | None, shown: str) -> None:
    assert words.money(dollars) == shown


def test_gaps() -> None:
    assert words.gap(Gap(value=None, interval=None, method=None)) is None
    found = Gap(value=-0.1, interval=(-0.25, 0.05), method="newcombe")
    assert words.gap(found) == "−10.0 points (95 % interval −25.0 to +5.0)"


def test_trials_are_a_strip_where_they_are_few(build: Build) -> None:
    assert words.trials(build["case"]("passed", 1, 1)) == "1/1"
    assert words.trials(build["case"]("flaky", 2, 3)) == "●●○"
    assert words.trials(build["case"]("errored", 1, 4, run=2)) == "●○··"
    assert words.trials(build["case"]("flaky", 12, 20)) == "12/20"


def test_what_is_for_people_alone_says_so(build: Build) -> None:
    assert words.status(build["case"]("ungraded", 0, 1, review="always")) == "for people"
    assert words.status(build["case"]("ungraded", 0, 1)) == "ungraded"
    assert words.status(build["case"]("failed", 0, 1, review="always")) == "failed"


def test_control_characters_are_written_out() -> None:
    assert words.visible("a\x1b[2J\x07\r\n\tb\u202e\ud800") == (
        "a\\x1b[2J\\x07\\x0d\n\tb\\u202e\\ud800"
    )


@given(st.text(), st.integers(min_value=4, max_value=60))
def test_one_line_is_one_line_and_fits(text: str, width: int) -> None:
    line = words.one_line(text, width)
    assert len(line) <= width
    assert line.splitlines() in ([line], [])
    assert not any(ord(letter) < 32 for letter in line)
    if len(text) <= width and text.isascii() and text.isalnum():
        assert line == text


def test_one_line_marks_what_was_cut() -> None:
    assert words.one_line("abcdefgh", 5) == "abcd…"
    assert words.one_line(" " * 1000 + "abc", 5).endswith("…")
