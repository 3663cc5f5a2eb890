"""Distribution functions, without scipy: beta, t, normal, binomial.

Parameters of the beta distribution may be fractions, since scores have fractional numerators.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist

_NORMAL = NormalDist()
_TINY = 1e-300
_MOST_STEPS = 100_000


def beta_cdf(x: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function I_x(a, b), for a, b > 0.

    By its continued fraction, evaluated with the modified Lentz method (DLMF 8.17.22; Press et
    al., Numerical Recipes, 3rd ed., 6.4).
    """
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    if x > (a + 1) / (a + b + 2):
        return 1.0 - beta_cdf(1 - x, b, a)
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    return front * _continued_fraction(x, a, b) / a


def _continued_fraction(x: float, a: float, b: float) -> float:
    c, d = 1.0, 1.0 - (a + b) * x / (a + 1)
    d = 1.0 / (d if abs(d) > _TINY else _TINY)
    value = d
    for m in range(1, _MOST_STEPS):
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1.0 + numerator * d
            d = 1.0 / (d if abs(d) > _TINY else _TINY)
            c = 1.0 + numerator / c
            c = c if abs(c) > _TINY else _TINY
            step = c * d
            value *= step
        if abs(step - 1.0) < 4e-15:
            return value
    raise ArithmeticError(f"I_x(a, b) does not converge for x={x}, a={a}, b={b}")


def beta_quantile(p: float, a: float, b: float) -> float:
    """Return x with I_x(a, b) = p, by bisection to the last bit."""
    return _invert(lambda x: beta_cdf(x, a, b), p, 0.0, 1.0)


def t_cdf(t: float, df: float) -> float:
    """Return P(T ≤ t) for Student's t with `df` degrees of freedom (DLMF 8.17, A&S 26.7.1)."""
    square = t * t
    if square < 1:  # near the middle, where the tail's argument would round to 1
        return 0.5 + math.copysign(0.5 * beta_cdf(square / (df + square), 0.5, df / 2), t)
    tail = 0.5 * beta_cdf(df / (df + square), df / 2, 0.5)
    return 1 - tail if t > 0 else tail


def t_quantile(p: float, df: float) -> float:
    """Return t with P(T ≤ t) = p."""
    limit = 1.0
    while t_cdf(limit, df) < max(p, 1 - p):
        limit *= 2
    return _invert(lambda t: t_cdf(t, df), p, -limit, limit)


def normal_quantile(p: float) -> float:
    """Return z with Φ(z) = p."""
    return _NORMAL.inv_cdf(p)


def binomial_upper_tail(k: int, n: int, p: float) -> float:
    """Return P(X ≥ k) for X ~ Binomial(n, p)."""
    if k <= 0:
        return 1.0
    if k > n:
        return 0.0
    return beta_cdf(p, k, n - k + 1)


def binomial_pmf(k: int, n: int, p: float) -> float:
    """Return P(X = k) for X ~ Binomial(n, p)."""
    if not 0 <= k <= n:
        return 0.0
    if p in (0.0, 1.0):
        return float(k == n * p)
    ways = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    return math.exp(ways + k * math.log(p) + (n - k) * math.log1p(-p))


def _invert(cdf: Callable[[float], float], p: float, low: float, high: float) -> float:
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if cdf(middle) < p:
            low = middle
        else:
            high = middle
    return (low + high) / 2
