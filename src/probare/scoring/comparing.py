"""The tests behind a comparison of two runs, and the smallest drop each could have called."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

import msgspec

from probare.model.score import DiffCase
from probare.scoring.distributions import t_quantile
from probare.scoring.estimators import standard_error
from probare.scoring.exact_tests import fisher, mcnemar, sign_flip
from probare.scoring.multiplicity import benjamini_hochberg
from probare.scoring.paired import one_sided_t

ALPHA = 0.05

_LEAST_FALLS = math.ceil(-math.log2(ALPHA))
"""With fewer cases falling, all by themselves, no flip test reaches α: (½)⁴ > 0.05 > (½)⁵."""


class Tested(msgspec.Struct, frozen=True, kw_only=True):
    """A test's p, its cases with their own p, and the least fall of the mean pass rate that it
    could have called; null where none could be.
    """

    test: str
    p: float
    pairs: tuple[DiffCase, ...]
    smallest_drop: float | None
    significant: tuple[str, ...] = ()


def share(counts: tuple[int, int]) -> Fraction:
    """Return passes over trials."""
    return Fraction(*counts)


def one_trial(pairs: Sequence[DiffCase]) -> Tested:
    """Test cases of one trial each by McNemar's exact test, one-sided.

    The smallest drop: the rises as seen, and as many falls as significance needs.
    """
    fell = sum(pair.before[0] > pair.after[0] for pair in pairs)
    rose = sum(pair.before[0] < pair.after[0] for pair in pairs)
    could_fall = sum(pair.before[0] for pair in pairs)

    def called(falls: int) -> bool:
        return mcnemar(falls, rose).one_sided_regression <= ALPHA

    least = _least(called, could_fall)
    return Tested(
        test="exact McNemar, one-sided",
        p=mcnemar(fell, rose).one_sided_regression,
        pairs=tuple(pairs),
        smallest_drop=None if least is None else (least - rose) / len(pairs),
    )


def several_trials(pairs: Sequence[DiffCase]) -> Tested:
    """Test cases of several trials: the paired differences of their pass rates together, and
    each case by itself (Fisher's exact test, adjusted after Benjamini and Hochberg).

    The differences are tested by exact sign-flips; where these are too many to add up, by the
    paired t-test.
    """
    test, p, smallest = _differences(pairs)
    adjusted = benjamini_hochberg(
        [fisher(pair.before, pair.after, one_sided=True) for pair in pairs]
    )
    judged = [
        msgspec.structs.replace(pair, p=own) for pair, own in zip(pairs, adjusted, strict=True)
    ]
    reachable = [drop for drop in (smallest, _smallest_fisher(pairs)) if drop is not None]
    return Tested(
        test=f"{test}; Fisher by case (Benjamini–Hochberg)",
        p=p,
        pairs=tuple(judged),
        smallest_drop=min(reachable, default=None),
        significant=tuple(
            pair.case for pair, own in zip(pairs, adjusted, strict=True) if own <= ALPHA
        ),
    )


def _differences(pairs: Sequence[DiffCase]) -> tuple[str, float, float | None]:
    """The test of the differences, its p, and the smallest drop it could have called."""
    falls = [share(pair.before) - share(pair.after) for pair in pairs]
    try:
        p = sign_flip(falls, one_sided=True)
        smallest = _smallest_flip(pairs, falls)
    except ValueError:
        floats = [float(fall) for fall in falls]
        return "paired t, one-sided", one_sided_t(floats), _smallest_t(floats)
    return "exact sign-flip of paired differences, one-sided", p, smallest


def _smallest_flip(pairs: Sequence[DiffCase], falls: Sequence[Fraction]) -> float | None:
    """The rises as seen, and as many other cases falling by one trial (or two, …) as
    significance needs.
    """
    rises = [fall for fall in falls if fall < 0]
    able = [pair for pair, fall in zip(pairs, falls, strict=True) if fall >= 0]
    for trials in range(1, max((pair.before[0] for pair in able), default=0) + 1):
        steps = sorted(Fraction(trials, p.before[1]) for p in able if p.before[0] >= trials)

        def called(count: int, steps: list[Fraction] = steps) -> bool:
            return sign_flip([*rises, *steps[:count]], one_sided=True) <= ALPHA

        least = _least(called, len(steps))
        if least is not None:
            return float((sum(rises) + sum(steps[:least])) / len(pairs))
    return None


def _smallest_t(falls: Sequence[float]) -> float | None:
    error = standard_error(falls)
    return None if error is None else t_quantile(1 - ALPHA, len(falls) - 1) * error


def _smallest_fisher(pairs: Sequence[DiffCase]) -> float | None:
    """One case falling far enough to be called after adjustment, all others standing."""
    drops: list[Fraction] = []
    for before, n in {(pair.before, pair.after[1]) for pair in pairs}:
        limit = ALPHA / len(pairs)
        most = next(
            (c for c in range(n, -1, -1) if fisher(before, (c, n), one_sided=True) <= limit), None
        )
        if most is not None:
            drops.append((share(before) - share((most, n))) / len(pairs))
    return float(min(drops)) if drops else None


def _least(called: Callable[[int], bool], most: int) -> int | None:
    """The least count in [_LEAST_FALLS, most] that is called, where more are called too."""
    if most < _LEAST_FALLS or not called(most):
        return None
    low, high = _LEAST_FALLS, most
    while low < high:
        middle = (low + high) // 2
        if called(middle):
            high = middle
        else:
            low = middle + 1
    return low
