"""Intervals: clamped, defined for fractions, compared with scipy."""

from __future__ import annotations

import importlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probare.scoring import intervals

stats: Any = importlib.import_module("scipy.stats")

shares = st.tuples(st.floats(0, 1), st.floats(0.1, 5000)).map(lambda s: (s[0] * s[1], s[1]))


@pytest.mark.parametrize(("k", "n"), [(0, 1), (1, 1), (14, 307), (0, 20000), (19999, 20000)])
def test_against_scipy(k: int, n: int) -> None:
    for function, method in ((intervals.wilson, "wilson"), (intervals.clopper_pearson, "exact")):
        theirs = stats.binomtest(k, n).proportion_ci(method=method)
        assert function(k, n) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(shares)
def test_the_share_lies_within(share: tuple[float, float]) -> None:
    k, n = share
    for interval in (intervals.wilson(k, n), intervals.clopper_pearson(k, n)):
        assert interval is not None
        low, high = interval
        assert 0 <= low <= k / n + 1e-12
        assert k / n - 1e-12 <= high <= 1


@settings(max_examples=40, deadline=None)
@given(shares, shares)
def test_newcombe_holds_the_difference(a: tuple[float, float], b: tuple[float, float]) -> None:
    interval = intervals.newcombe(*a, *b)
    assert interval is not None
    low, high = interval
    assert -1 <= low <= a[0] / a[1] - b[0] / b[1] + 1e-12
    assert a[0] / a[1] - b[0] / b[1] - 1e-12 <= high <= 1


def test_of_nothing_there_is_none() -> None:
    assert intervals.wilson(0, 0) is None
    assert intervals.clopper_pearson(0, 0) is None
    assert intervals.beta_interval(0, 0, 0.5) is None
    assert intervals.newcombe(1, 1, 0, 0) is None
    assert intervals.upper_bound_of_none(0) is None


@pytest.mark.parametrize(("k", "n"), [(2, 1), (-1, 3), (float("nan"), 2)])
def test_an_impossible_share_is_refused(k: float, n: float) -> None:
    for function in (intervals.wilson, intervals.clopper_pearson):
        with pytest.raises(ValueError, match="impossible share"):
            function(k, n)
