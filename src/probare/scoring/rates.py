"""Rates over cases: numerator, denominator, worst and best case, interval."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from probare.model.score import Rate
from probare.scoring.estimators import design_effect
from probare.scoring.intervals import Interval, clopper_pearson, wilson
from probare.scoring.standing import Standing

Method = Callable[[float, float], Interval | None]
_NAMES: dict[Method, str] = {wilson: "wilson", clopper_pearson: "clopper-pearson"}


def rate(
    cases: Sequence[Standing],
    worst: Sequence[float],
    best: Sequence[float],
    *,
    method: Method = wilson,
    why: str | None = None,
) -> Rate:
    """Return the mean of a value over cases, as a share with its interval.

    `worst` and `best` hold each case's value in [0, 1]. Where cases name clusters, the
    interval's denominator is divided by the design effect. `why` says what was left out; over
    no case at all, every figure is null.
    """
    n = len(cases)
    if n == 0:
        return Rate(
            value=None,
            best=None,
            numerator=0,
            denominator=0,
            planned=0,
            run=0,
            graded=0,
            interval=None,
            method=None,
            why=why or "no case counts here",
        )
    total = math.fsum(worst)
    effective = effective_size(cases, worst)
    return Rate(
        value=total / n,
        best=math.fsum(best) / n,
        numerator=total,
        denominator=n,
        planned=n,
        run=sum([case.run == case.planned for case in cases]),
        graded=sum([case.decided for case in cases]),
        interval=method(min(1.0, total / n) * effective, effective),
        method=_NAMES[method],
        why=why,
    )


def effective_size(cases: Sequence[Standing], values: Sequence[float]) -> float:
    """Return how many independent cases these are worth: n over the design effect."""
    n = len(cases)
    if not any(case.case.cluster for case in cases):
        return float(n)
    clusters: dict[str, list[float]] = {}
    for case, value in zip(cases, values, strict=True):
        clusters.setdefault(case.case.cluster or f"\0{case.case.id}", []).append(value)
    return n / design_effect(list(clusters.values()))
