"""Intervals of a share k/n, at 95 % unless said, within [0, 1]. Never a bootstrap.

k and n may be fractions: scores have fractional numerators, and a design effect divides n.
None where n is 0; ValueError where k is not in [0, n].
"""

from __future__ import annotations

import math

from probare.scoring.distributions import beta_quantile, normal_quantile

Interval = tuple[float, float]


def _empty(k: float, n: float) -> bool:
    if not 0 <= k <= n:
        raise ValueError(f"impossible share: {k} of {n}")
    return n == 0


def wilson(k: float, n: float, level: float = 0.95) -> Interval | None:
    """Return Wilson's score interval (Wilson 1927)."""
    if _empty(k, n):
        return None
    z = normal_quantile((1 + level) / 2)
    p = k / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    low = 0.0 if k <= 0 else max(0.0, middle - half)
    high = 1.0 if k >= n else min(1.0, middle + half)
    return low, high


def clopper_pearson(k: float, n: float, level: float = 0.95) -> Interval | None:
    """Return the exact interval (Clopper & Pearson 1934), from quantiles of the beta."""
    if _empty(k, n):
        return None
    alpha = 1 - level
    low = 0.0 if k <= 0 else beta_quantile(alpha / 2, k, n - k + 1)
    high = 1.0 if k >= n else beta_quantile(1 - alpha / 2, k + 1, n - k)
    return low, high


def beta_interval(k: float, n: float, prior: float, level: float = 0.95) -> Interval | None:
    """Return the equal-tailed credible interval with a Beta(prior, prior) prior.

    `prior` is 1 for the uniform one and 0.5 for Jeffreys'.
    """
    if _empty(k, n):
        return None
    a, b = k + prior, n - k + prior
    return beta_quantile((1 - level) / 2, a, b), beta_quantile((1 + level) / 2, a, b)


def upper_bound_of_none(n: int, level: float = 0.95) -> float | None:
    """Return the one-sided upper bound of a rate seen 0 times in n: 1 − (1 − level)^(1/n)."""
    return 1 - (1 - level) ** (1 / n) if n > 0 else None


def newcombe(k1: float, n1: float, k2: float, n2: float, level: float = 0.95) -> Interval | None:
    """Return the interval of k1/n1 − k2/n2 (Newcombe 1998, method 10), in [−1, 1]."""
    first, second = wilson(k1, n1, level), wilson(k2, n2, level)
    if first is None or second is None:
        return None
    p1, p2 = k1 / n1, k2 / n2
    difference = p1 - p2
    low = difference - math.sqrt((p1 - first[0]) ** 2 + (second[1] - p2) ** 2)
    high = difference + math.sqrt((first[1] - p1) ** 2 + (p2 - second[0]) ** 2)
    return max(-1.0, low), min(1.0, high)
