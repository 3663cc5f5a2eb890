"""A judge against people, at the edges."""

from __future__ import annotations

from probare.scoring.calibration import cohen_kappa, corrected_rate, sensitivity_specificity


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
