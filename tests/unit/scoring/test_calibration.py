"""A judge against people, at the edges."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probare.scoring.calibration import (
    calibrate,
    cohen_kappa,
    corrected,
    corrected_interval,
    corrected_rate,
    kappa_error,
    sensitivity_specificity,
)

LANG_REICZIGEL = (0.08538246615613984, 0.4590059625145736)


def test_kappa_is_null_where_chance_alone_agrees() -> None:
    assert cohen_kappa([[10, 0], [0, 0]]) is None
    assert cohen_kappa([[0, 0], [0, 0]]) is None
    assert cohen_kappa([[5, 0], [0, 5]]) == 1.0


def test_without_passes_or_fails_of_people_a_share_is_null() -> None:
    assert sensitivity_specificity([[0, 0], [1, 3]]) == (None, 0.75)
    assert sensitivity_specificity([[1, 1], [0, 0]]) == (0.5, None)


def test_a_judge_no_better_than_chance_corrects_nothing() -> None:
    assert corrected_rate(0.7, 0.5, 0.5) is None


def test_a_corrected_rate_stays_within_bounds() -> None:
    assert corrected_rate(0.99, 0.9, 0.9) == 1.0
    assert corrected_rate(0.01, 0.9, 0.9) == 0.0


COHEN_1968 = [[88, 10, 2], [14, 40, 6], [18, 10, 12]]


def test_the_standard_error_of_kappa_is_that_of_the_literature() -> None:
    """Cohen 1968, table 1: κ 0.492, with the error of Fleiss, Cohen & Everitt 0.051."""
    kappa, error = cohen_kappa(COHEN_1968), kappa_error(COHEN_1968)
    assert kappa == pytest.approx(0.492, abs=5e-4)
    assert error == pytest.approx(0.051, abs=5e-4)
    assert kappa_error([[10, 0], [0, 0]]) is None
    assert kappa_error([[5, 0], [0, 5]]) == 0.0


def pairs(a: int, b: int, c: int, d: int, unknown: int = 0, error: int = 0) -> list[Any]:
    found: list[Any] = [("pass", "pass")] * a + [("pass", "fail")] * b
    found += [("fail", "pass")] * c + [("fail", "fail")] * d
    return found + [("pass", "unknown")] * unknown + [("fail", "error")] * error


def test_a_calibration() -> None:
    found = calibrate(pairs(40, 10, 5, 45))
    assert (found.n, found.undecided) == (100, 0)
    assert found.kappa == pytest.approx(0.7)
    assert found.kappa_interval == pytest.approx((0.560, 0.840), abs=1e-3)
    assert (found.sensitivity.value, found.specificity.value) == (0.8, 0.9)
    assert found.sensitivity.interval == pytest.approx((0.663, 0.900), abs=1e-3)
    assert (found.false_pass.value, found.judge.value, found.people.value) == (0.1, 0.45, 0.5)


def test_what_is_not_decided_stays_in_every_denominator() -> None:
    found = calibrate(pairs(40, 0, 0, 45, unknown=10, error=5))
    assert (found.n, found.undecided, found.errors) == (100, 15, 5)
    assert (found.sensitivity.value, found.specificity.value) == (0.8, 0.9)
    assert found.agreement.value == 0.85
    assert found.kappa is not None
    assert found.kappa < 0.8
    assert found.false_pass.value == 0.0


def test_kappa_without_a_disagreement_or_with_one_label() -> None:
    agreed = calibrate(pairs(5, 0, 0, 5))
    assert (agreed.kappa, agreed.kappa_interval) == (1.0, None)
    assert "no interval" in agreed.kappa_why
    one = calibrate(pairs(5, 0, 0, 0))
    assert (one.kappa, one.kappa_interval) == (None, None)
    assert "one label only" in one.kappa_why
    assert one.specificity.value is None
    constant = calibrate(pairs(5, 1, 0, 0))
    assert (constant.kappa, constant.kappa_interval) == (0.0, None)
    nothing = calibrate([])
    assert (nothing.n, nothing.kappa, nothing.agreement.value) == (0, None, None)


def test_on_its_own_examples_the_corrected_rate_is_people_s() -> None:
    found = calibrate(pairs(40, 5, 5, 40, unknown=5, error=5))
    there = corrected(found, found.judge.numerator, found.n)
    assert there.value == pytest.approx(found.people.value)
    assert there.interval is not None
    assert there.interval[0] < 0.5 < there.interval[1]


def test_the_interval_of_a_corrected_rate() -> None:
    """Lang & Reiczigel 2014, worked out by hand for 40 of 100, 45/50 and 40/50."""
    assert corrected_interval(40, 100, (45, 50), (40, 50)) == pytest.approx(
        LANG_REICZIGEL, abs=1e-9
    )
    wider = corrected_interval(40, 100, (9, 10), (8, 10))
    assert wider is not None
    assert wider[1] - wider[0] > LANG_REICZIGEL[1] - LANG_REICZIGEL[0]
    assert corrected_interval(0, 0, (1, 1), (1, 1)) is None
    assert corrected_interval(5, 10, (1, 10), (1, 10)) is None


def test_what_cannot_be_corrected_says_why() -> None:
    assert "no better than chance" in corrected(calibrate(pairs(5, 5, 5, 5)), 5, 10).why
    assert "some that they failed" in corrected(calibrate(pairs(5, 5, 0, 0)), 5, 10).why
    assert corrected(calibrate(pairs(9, 1, 1, 9)), 0, 0).value is None


@given(st.lists(st.integers(0, 30), min_size=6, max_size=6), st.integers(0, 50), st.integers(0, 50))
@settings(max_examples=100, deadline=None)
def test_all_numbers_stay_within_bounds(counts: list[int], passes: int, more: int) -> None:
    found = calibrate(pairs(*counts))
    assert found.n == sum(counts)
    assert found.kappa is None or -1 <= found.kappa <= 1
    rate = corrected(found, passes, passes + more)
    assert rate.value is None or 0 <= rate.value <= 1
    assert rate.interval is None or 0 <= rate.interval[0] <= rate.interval[1] <= 1
