"""Estimators beyond the reference values: their limits and what they refuse."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probare.scoring import estimators as e


@pytest.mark.parametrize(("n", "c", "k"), [(3, 4, 1), (3, -1, 1), (3, 1, 0), (2, 5, 9)])
def test_impossible_counts_are_refused(n: int, c: int, k: int) -> None:
    for estimator in (e.pass_at_k, e.pass_hat_k):
        with pytest.raises(ValueError, match="impossible counts"):
            estimator(n, c, k)


def test_fewer_trials_than_k_is_undefined() -> None:
    """Field report B74: n = 99, c = 0, k = 100 is not 1.0."""
    assert e.pass_at_k(99, 0, 100) is None
    assert e.pass_hat_k(99, 99, 100) is None


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 300).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))))
def test_both_meet_at_one_and_part_beyond(nc: tuple[int, int]) -> None:
    n, c = nc
    assert e.pass_at_k(n, c, 1) == e.pass_hat_k(n, c, 1) == pytest.approx(c / n)
    at, hat = e.pass_at_k(n, c, n), e.pass_hat_k(n, c, n)
    assert at == float(c > 0)
    assert hat == float(c == n)


def test_the_standard_error_of_few_is_null_and_never_nought_between() -> None:
    """Field reports B78 and B79."""
    assert e.standard_error([1.0]) is None
    values = [1.0] * 14 + [0.0] * 293
    assert e.standard_error(values) == pytest.approx(0.011926, abs=1e-6)


def test_the_error_of_an_unweighted_mean() -> None:
    """Field report B80: √(Σ se²)/G, not the error of another estimator."""
    assert e.unweighted_mean_standard_error([0.1, 0.01]) == pytest.approx(0.050249, abs=1e-6)
    assert e.unweighted_mean_standard_error([]) is None


def test_design_effect() -> None:
    clusters = [[1.0, 1, 1], [1, 1, 0], [0, 0, 0], [1, 0, 0]]
    assert e.design_effect(clusters) == pytest.approx((0.215166 / 0.150756) ** 2, rel=1e-4)
    assert e.design_effect([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]) == 1.0
    assert e.design_effect([]) == 1.0


def test_design_effect_that_cannot_be_estimated_is_the_largest() -> None:
    assert e.design_effect([[1.0] * 5, [1.0] * 5]) == 5.0
    assert e.design_effect([[1.0, 0.0, 1.0]]) == 3.0
    assert e.design_effect([[1.0], [1.0], [1.0]]) == 1.0


def test_cluster_error_needs_two_clusters() -> None:
    assert e.cluster_standard_error([[1.0, 0.0]]) is None


def test_sample_size_and_detectable_effect_agree() -> None:
    n = e.sample_size(1 / 9, 1 / 6, 0.05, trials=4)
    assert e.minimum_detectable_effect(1 / 9, 1 / 6, n, trials=4) == pytest.approx(0.05)
