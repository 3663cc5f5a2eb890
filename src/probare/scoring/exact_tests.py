"""Tests of whether a run fell against another: exact where the counts are small."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import NamedTuple

from probare.scoring.distributions import beta_cdf, binomial_pmf, t_cdf, t_quantile
from probare.scoring.estimators import mean, standard_error

SIGN_FLIP_CAP = 16


class McNemar(NamedTuple):
    """p-values of McNemar's exact test. `mid_p` is None where nothing is discordant."""

    exact_two_sided: float
    mid_p: float | None
    one_sided_regression: float


def mcnemar(base_pass_cand_fail: int, base_fail_cand_pass: int) -> McNemar:
    """Test paired passes and fails: b fell, c rose, n = b + c ~ Binomial(n, ½) under no change.

    (McNemar 1947; mid-p: Fagerland, Lydersen & Laake 2013.)
    """
    b, c = base_pass_cand_fail, base_fail_cand_pass
    n = b + c
    if n == 0:
        return McNemar(1.0, None, 1.0)
    smaller = sum(binomial_pmf(k, n, 0.5) for k in range(min(b, c) + 1))
    upper = sum(binomial_pmf(k, n, 0.5) for k in range(b, n + 1))
    two_sided = min(1.0, 2 * smaller)
    mid = two_sided - binomial_pmf(min(b, c), n, 0.5)
    return McNemar(two_sided, mid, min(1.0, upper))


def fisher(base: tuple[int, int], cand: tuple[int, int], *, one_sided: bool) -> float:
    """Return Fisher's exact p for (passes, trials) of baseline and candidate.

    One-sided: that the candidate passes so seldom or more seldom. Two-sided: by the sum of
    tables no more likely than the one seen.
    """
    (a, n1), (c, n2) = base, cand
    passes, total = a + c, n1 + n2
    low, high = max(0, passes - n1), min(passes, n2)
    whole = math.comb(total, passes)

    def chance(x: int) -> float:
        return math.comb(n2, x) * math.comb(n1, passes - x) / whole

    if one_sided:
        return min(1.0, sum(chance(x) for x in range(low, c + 1)))
    seen = chance(c)
    likely = (chance(x) for x in range(low, high + 1))
    return min(1.0, sum(p for p in likely if p <= seen * (1 + 1e-9)))


class Paired(NamedTuple):
    """A paired comparison: mean difference, its standard error, two-sided p, 95 % interval."""

    difference: float
    standard_error: float | None
    p: float | None
    interval: tuple[float, float] | None


def paired_t(first: Sequence[float], second: Sequence[float]) -> Paired:
    """Return the paired t-test of first − second, case by case."""
    differences = [x - y for x, y in zip(first, second, strict=True)]
    middle = mean(differences)
    assert middle is not None
    error = standard_error(differences)
    if not error:
        return Paired(middle, error, None, None)
    df = len(differences) - 1
    t = middle / error
    half = t_quantile(0.975, df) * error
    return Paired(middle, error, 2 * (1 - t_cdf(abs(t), df)), (middle - half, middle + half))


def unpaired_t(first: Sequence[float], second: Sequence[float]) -> Paired:
    """Return Student's test of two samples with pooled variance: what not to use on pairs."""
    n1, n2 = len(first), len(second)
    m1, m2 = mean(first), mean(second)
    assert m1 is not None
    assert m2 is not None
    ss = math.fsum((x - m1) ** 2 for x in first) + math.fsum((y - m2) ** 2 for y in second)
    df = n1 + n2 - 2
    error = math.sqrt(ss / df * (1 / n1 + 1 / n2))
    if error == 0:
        return Paired(m1 - m2, error, None, None)
    t = (m1 - m2) / error
    half = t_quantile(0.975, df) * error
    return Paired(m1 - m2, error, 2 * (1 - t_cdf(abs(t), df)), (m1 - m2 - half, m1 - m2 + half))


def sign_flip(differences: Sequence[float], *, one_sided: bool = False) -> float:
    """Return the exact sign-flip permutation p of paired differences.

    Zero differences cannot flip and are left out of the enumeration; with more than
    `SIGN_FLIP_CAP` others ValueError is raised (use the paired t-test). One-sided: that the sum
    is so large or larger.
    """
    moving = [d for d in differences if d != 0]
    if len(moving) > SIGN_FLIP_CAP:
        raise ValueError(f"too many differences to enumerate: {len(moving)}")
    seen = math.fsum(moving)
    reached = 0
    for signs in itertools.product((1, -1), repeat=len(moving)):
        value = math.fsum(s * abs(d) for s, d in zip(signs, moving, strict=True))
        if one_sided:
            reached += value >= seen - 1e-12
        else:
            reached += abs(value) >= abs(seen) - 1e-12
    return reached / 2 ** len(moving)


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted for the false discovery rate (Benjamini & Hochberg 1995)."""
    m = len(p_values)
    adjusted = [1.0] * m
    lowest = 1.0
    for rank, index in enumerate(sorted(range(m), key=lambda i: -p_values[i])):
        lowest = min(lowest, p_values[index] * m / (m - rank))
        adjusted[index] = lowest
    return adjusted


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted for the family-wise error rate (Holm 1979)."""
    m = len(p_values)
    adjusted = [1.0] * m
    highest = 0.0
    for rank, index in enumerate(sorted(range(m), key=lambda i: p_values[i])):
        highest = max(highest, min(1.0, p_values[index] * (m - rank)))
        adjusted[index] = highest
    return adjusted


def false_alarm(m: int, alpha: float) -> float:
    """Return the chance of at least one false alarm in m independent tests."""
    return 1 - (1 - alpha) ** m


def posterior_pass_hat(c: int, n: int, k: int) -> float:
    """Return E[p^k] after c passes in n trials with a uniform prior on p."""
    a, b = c + 1, n - c + 1
    return math.exp(
        math.lgamma(a + k) - math.lgamma(a) + math.lgamma(a + b) - math.lgamma(a + b + k)
    )


def posterior_greater(base: tuple[int, int], cand: tuple[int, int], steps: int = 20000) -> float:
    """Return P(p_base > p_cand) with uniform priors, by Simpson's rule over p_base's density."""
    (k1, n1), (k2, n2) = base, cand
    a1, b1, a2, b2 = k1 + 1, n1 - k1 + 1, k2 + 1, n2 - k2 + 1
    constant = math.lgamma(a1 + b1) - math.lgamma(a1) - math.lgamma(b1)

    def height(x: float) -> float:
        if x in (0.0, 1.0):
            return 0.0
        density = math.exp(constant + (a1 - 1) * math.log(x) + (b1 - 1) * math.log1p(-x))
        return density * beta_cdf(x, a2, b2)

    width = 1 / steps
    inner = math.fsum(height(i * width) * (4 if i % 2 else 2) for i in range(1, steps))
    return (height(0.0) + height(1.0) + inner) * width / 3
