"""Exact tests of whether a run fell against another: McNemar, Fisher, sign-flip."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from probare.scoring.distributions import beta_cdf, binomial_pmf

SIGN_FLIP_WORK = 1_000_000
"""How many additions an exact sign-flip test may take (differences times distinct sums)."""

_EXACT_BINOMIAL = 1000


class McNemar(NamedTuple):
    """p-values of McNemar's exact test. `mid_p` is None where nothing is discordant."""

    exact_two_sided: float
    mid_p: float | None
    one_sided_regression: float


def mcnemar(base_pass_cand_fail: int, base_fail_cand_pass: int) -> McNemar:
    """Test paired passes and fails: b fell, c rose, b ~ Binomial(b + c, ½) under no change.

    (McNemar 1947; mid-p, which takes half of what was seen: Fagerland, Lydersen & Laake 2013.)
    """
    b, c = base_pass_cand_fail, base_fail_cand_pass
    n = b + c
    if n == 0:
        return McNemar(1.0, None, 1.0)
    smaller = _half_binomial_tail(max(b, c), n)
    mid = min(1.0, 2 * smaller - binomial_pmf(min(b, c), n, 0.5))
    return McNemar(min(1.0, 2 * smaller), mid, _half_binomial_tail(b, n))


def _half_binomial_tail(k: int, n: int) -> float:
    """P(X ≥ k) for X ~ Binomial(n, ½); in whole numbers up to n = 1000."""
    if k <= 0:
        return 1.0
    if n > _EXACT_BINOMIAL:
        return beta_cdf(0.5, k, n - k + 1)
    return sum(math.comb(n, x) for x in range(k, n + 1)) / 2**n


def fisher(base: tuple[int, int], cand: tuple[int, int], *, one_sided: bool) -> float:
    """Return Fisher's exact p for (passes, trials) of baseline and candidate.

    One-sided: that the candidate passes so seldom or more seldom. Two-sided: by the sum of
    tables no more likely than the one seen. In whole numbers.
    """
    (a, n1), (c, n2) = base, cand
    if not (0 <= a <= n1 and 0 <= c <= n2):
        raise ValueError(f"impossible counts: {a} of {n1}, {c} of {n2}")
    passes = a + c
    low, high = max(0, passes - n1), min(passes, n2)
    ways = {x: math.comb(n2, x) * math.comb(n1, passes - x) for x in range(low, high + 1)}
    if one_sided:
        counted = sum(ways[x] for x in range(low, c + 1))
    else:
        counted = sum(count for count in ways.values() if count <= ways[c])
    return counted / math.comb(n1 + n2, passes)


def sign_flip(differences: Sequence[float | Fraction], *, one_sided: bool = False) -> float:
    """Return the exact sign-flip permutation p of paired differences (Fisher 1935, III.21).

    One-sided: that the sum is so large or larger. The distribution over all 2ⁿ flips is built
    sum by sum; where that takes more than `SIGN_FLIP_WORK` additions, ValueError is raised (use
    the paired t-test). Floats are taken as the nearest fraction with a denominator up to 10⁶.
    """
    moving = [Fraction(d).limit_denominator(1_000_000) for d in differences if d != 0]
    scale = math.lcm(*(d.denominator for d in moving))
    steps = [int(d * scale) for d in moving]
    ways = {0: 1}
    work = 0
    for step in steps:
        work += 2 * len(ways)
        if work > SIGN_FLIP_WORK:
            raise ValueError(f"too many differences for an exact test: {len(moving)}")
        grown: dict[int, int] = {}
        for total, count in ways.items():
            grown[total + step] = grown.get(total + step, 0) + count
            grown[total - step] = grown.get(total - step, 0) + count
        ways = grown
    seen = sum(steps)
    if one_sided:
        reached = sum(count for total, count in ways.items() if total >= seen)
    else:
        reached = sum(count for total, count in ways.items() if abs(total) >= abs(seen))
    return reached / 2 ** len(steps)
