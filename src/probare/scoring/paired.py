"""Student's tests of two runs over the same cases, and why pairing matters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from probare.scoring.distributions import t_cdf, t_quantile
from probare.scoring.estimators import mean, standard_error


class Difference(NamedTuple):
    """A mean difference, its standard error, two-sided p, 95 % interval.

    p and interval are None where the error is None (fewer than two) or 0 (nothing varies).
    """

    difference: float
    standard_error: float | None
    p: float | None
    interval: tuple[float, float] | None


def paired_t(first: Sequence[float], second: Sequence[float]) -> Difference:
    """Return the paired t-test of first − second, case by case. ValueError on no case."""
    differences = [x - y for x, y in zip(first, second, strict=True)]
    return _student(_mean(differences), standard_error(differences), len(differences) - 1)


def unpaired_t(first: Sequence[float], second: Sequence[float]) -> Difference:
    """Return Student's test of two samples with pooled variance: what not to use on pairs."""
    n1, n2 = len(first), len(second)
    m1, m2 = _mean(first), _mean(second)
    df = n1 + n2 - 2
    if df < 1:
        return Difference(m1 - m2, None, None, None)
    ss = math.fsum((x - m1) ** 2 for x in first) + math.fsum((y - m2) ** 2 for y in second)
    return _student(m1 - m2, math.sqrt(ss / df * (1 / n1 + 1 / n2)), df)


def _mean(values: Sequence[float]) -> float:
    found = mean(values)
    if found is None:
        raise ValueError("a test of nothing")
    return found


def _student(difference: float, error: float | None, df: int) -> Difference:
    if not error:
        return Difference(difference, error, None, None)
    half = t_quantile(0.975, df) * error
    p = 2 * t_cdf(-abs(difference / error), df)
    return Difference(difference, error, p, (difference - half, difference + half))


def one_sided_t(differences: Sequence[float]) -> float:
    """Return the p-value that the mean of the differences is so large or larger.

    Where nothing varies, the limit: 0 above nought, else 1.
    """
    middle, error = _mean(differences), standard_error(differences)
    if not error:
        return 0.0 if error is not None and middle > 0 else 1.0
    return t_cdf(-middle / error, len(differences) - 1)
