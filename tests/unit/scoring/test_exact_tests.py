"""Exact tests: whole numbers, large counts, scipy's answers."""

from __future__ import annotations

import importlib
import itertools
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probare.scoring.exact_tests import fisher, mcnemar, sign_flip

stats: Any = importlib.import_module("scipy.stats")

counts = st.integers(1, 12).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@settings(max_examples=60, deadline=None)
@given(counts, counts)
def test_fisher_against_scipy(base: tuple[int, int], cand: tuple[int, int]) -> None:
    table = [[base[0], base[1] - base[0]], [cand[0], cand[1] - cand[0]]]
    for one_sided, alternative in ((True, "greater"), (False, "two-sided")):
        theirs = float(stats.fisher_exact(table, alternative).pvalue)
        assert fisher(base, cand, one_sided=one_sided) == pytest.approx(theirs, abs=1e-9)


def test_fisher_refuses_impossible_counts() -> None:
    with pytest.raises(ValueError, match="impossible counts"):
        fisher((3, 2), (0, 2), one_sided=True)


@pytest.mark.parametrize(("b", "c"), [(8, 2), (3, 3), (600, 500), (9000, 9100), (5000, 0)])
def test_mcnemar_against_scipy(b: int, c: int) -> None:
    found = mcnemar(b, c)
    one = float(stats.binomtest(b, b + c, 0.5, alternative="greater").pvalue)
    assert found.one_sided_regression == pytest.approx(one, rel=1e-6, abs=1e-12)
    assert found.exact_two_sided == pytest.approx(
        float(stats.binomtest(b, b + c, 0.5).pvalue), rel=1e-6, abs=1e-12
    )
    assert found.mid_p is not None
    assert found.mid_p <= found.exact_two_sided


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(-4, 4), max_size=9))
def test_sign_flip_is_the_whole_enumeration(quarters: list[int]) -> None:
    differences = [Fraction(q, 4) for q in quarters]
    moving = [d for d in differences if d]
    sums = [
        sum(s * d for s, d in zip(signs, moving, strict=True))
        for signs in itertools.product((1, -1), repeat=len(moving))
    ]
    seen = sum(moving)
    assert sign_flip(differences, one_sided=True) == sum(s >= seen for s in sums) / len(sums)
    assert sign_flip(differences) == sum(abs(s) >= abs(seen) for s in sums) / len(sums)


def test_sign_flip_counts_ties_of_floats() -> None:
    assert sign_flip([0.1, 0.2, -0.3]) == 1.0


def test_sign_flip_of_many_equal_falls() -> None:
    assert sign_flip([0.5] * 300, one_sided=True) == pytest.approx(2.0**-300)


def test_sign_flip_says_where_it_is_too_much() -> None:
    with pytest.raises(ValueError, match="too many differences"):
        sign_flip([1 / (i + 7) for i in range(60)])
