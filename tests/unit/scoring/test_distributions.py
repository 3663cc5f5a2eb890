"""Distribution functions against scipy, fractional parameters included."""

from __future__ import annotations

import importlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probare.scoring import distributions as d

stats: Any = importlib.import_module("scipy.stats")
special: Any = importlib.import_module("scipy.special")

parameters = st.floats(0.05, 3000)


@settings(max_examples=150, deadline=None)
@given(st.floats(0, 1), parameters, parameters)
def test_beta_cdf(x: float, a: float, b: float) -> None:
    assert d.beta_cdf(x, a, b) == pytest.approx(float(special.betainc(a, b, x)), abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from([0.005, 0.025, 0.5, 0.975]), st.floats(0.5, 500), st.floats(0.5, 500))
def test_beta_quantile(p: float, a: float, b: float) -> None:
    assert d.beta_quantile(p, a, b) == pytest.approx(float(special.betaincinv(a, b, p)), abs=1e-8)


@settings(max_examples=60, deadline=None)
@given(st.floats(-40, 40), st.floats(1, 2000))
def test_t_cdf(t: float, df: float) -> None:
    assert d.t_cdf(t, df) == pytest.approx(float(stats.t.cdf(t, df)), abs=1e-9)


@pytest.mark.parametrize("df", [1, 2, 7, 30, 1000])
@pytest.mark.parametrize("p", [0.025, 0.5, 0.95, 0.975])
def test_t_quantile(p: float, df: int) -> None:
    assert d.t_quantile(p, df) == pytest.approx(float(stats.t.ppf(p, df)), abs=1e-7)


@pytest.mark.parametrize("p", [0.0001, 0.025, 0.5, 0.8, 0.975])
def test_normal_quantile(p: float) -> None:
    assert d.normal_quantile(p) == pytest.approx(float(stats.norm.ppf(p)), abs=1e-9)


@pytest.mark.parametrize(
    ("k", "n", "p"), [(0, 5, 0.3), (3, 10, 0.5), (6, 5, 0.5), (1000, 2000, 0.5)]
)
def test_binomial(k: int, n: int, p: float) -> None:
    assert d.binomial_upper_tail(k, n, p) == pytest.approx(float(stats.binom.sf(k - 1, n, p)))
    assert d.binomial_pmf(k, n, p) == pytest.approx(float(stats.binom.pmf(k, n, p)))


def test_the_ends() -> None:
    assert d.beta_cdf(0.0, 2, 3) == 0.0
    assert d.beta_cdf(1.0, 2, 3) == 1.0
