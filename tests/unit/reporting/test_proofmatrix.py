"""Marks, columns and legend of a proof's matrix."""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest

from probare.model.proof import Outcome, ProofResult
from probare.reporting import proofmatrix
from probare.reporting.proofmatrix import ASCII, UNICODE, Marks


@pytest.mark.parametrize(
    ("outcome", "must", "other"),
    [
        ("failed", "✗", "x"),
        ("flaky", "≈", "x"),
        ("passed", "○", "·"),
        ("ungraded", "○", "–"),
        ("alike", "=", "="),
        ("errored", "!", "!"),
        ("needs_review", "?", "?"),
        (None, " ", " "),
    ],
)
def test_a_mark_says_whether_the_case_had_to_fail(
    outcome: Outcome | None, must: str, other: str
) -> None:
    assert UNICODE.of(outcome, must_fail=True) == must
    assert UNICODE.of(outcome, must_fail=False) == other


@pytest.mark.parametrize("marks", [UNICODE, ASCII])
def test_each_mark_has_one_meaning(marks: Marks) -> None:
    every = {
        marks.of(outcome, must_fail=must) for outcome in get_args(Outcome) for must in (True, False)
    }
    meanings = dict(proofmatrix.legend("".join(every), marks))
    assert meanings.keys() == every
    assert len(set(meanings.values())) == len(meanings)


def test_ascii_is_ascii() -> None:
    assert all(
        ASCII.of(outcome, must_fail=must).isascii()
        for outcome in get_args(Outcome)
        for must in (True, False)
    )


def test_columns_are_the_cases_that_a_defect_touches(every_outcome: ProofResult) -> None:
    found = proofmatrix.columns(every_outcome)
    assert found == every_outcome.cases[:10]


def test_rows(every_outcome: ProofResult) -> None:
    cases = proofmatrix.columns(every_outcome)
    rows = [
        proofmatrix.row(every_outcome, defect, cases, UNICODE) for defect in every_outcome.defects
    ]
    assert rows == ["✗≈x·······", "···✗○=!x?–", " " * 10]
    words = [proofmatrix.result_words(defect) for defect in every_outcome.defects]
    assert words == ["caught 2/2", "SURVIVED 1/4", "unproven 0/1"]


def test_where_there_are_too_many_those_that_must_fail_are_kept(every_outcome: ProofResult) -> None:
    cases = every_outcome.cases
    asked = (*cases[:2], *cases[3:8])
    assert proofmatrix.columns(every_outcome, 8) == tuple(sorted((*asked, cases[2])))
    assert proofmatrix.columns(every_outcome, 7) == asked
    assert list(proofmatrix.not_shown(every_outcome, asked)) == [
        "3 cases more than there is room for",
        "2 cases that no defect touches",
    ]


def test_what_no_defect_was_run_in_is_not_said_to_be_untouched(every_outcome: ProofResult) -> None:
    first = every_outcome.defects[0]
    fast = msgspec.structs.replace(
        every_outcome,
        defects=(first,),
        matrix={first.name: dict.fromkeys(first.must_fail, "failed")},
    )
    shown = proofmatrix.columns(fast)
    assert shown == first.must_fail
    assert list(proofmatrix.not_shown(fast, shown)) == ["10 cases that no defect was run in"]
