"""What a uniform prior on a pass rate becomes after c passes in n trials: Beta(c+1, n−c+1)."""

from __future__ import annotations

import math
from fractions import Fraction


def posterior_pass_hat(c: int, n: int, k: int) -> float:
    """Return E[pᵏ]: the chance that the next k trials all pass. Exact."""
    if not 0 <= c <= n or k < 0:
        raise ValueError(f"impossible counts: n={n}, c={c}, k={k}")
    value = Fraction(1)
    for i in range(k):
        value *= Fraction(c + 1 + i, n + 2 + i)
    return float(value)


def posterior_greater(base: tuple[int, int], cand: tuple[int, int]) -> float:
    """Return P(p_base > p_cand) for two independent (passes, trials).

    By the finite sum for whole parameters (Miller 2015, "Formulas for Bayesian A/B testing",
    eq. 6): Σ_{i<a₁} B(a₂+i, b₁+b₂) / ((b₁+i) B(1+i, b₁) B(a₂, b₂)).
    """
    (k1, n1), (k2, n2) = base, cand
    a1, b1, a2, b2 = k1 + 1, n1 - k1 + 1, k2 + 1, n2 - k2 + 1
    terms = (
        math.exp(_log_beta(a2 + i, b1 + b2) - _log_beta(1 + i, b1) - _log_beta(a2, b2)) / (b1 + i)
        for i in range(a1)
    )
    return min(1.0, math.fsum(terms))


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
