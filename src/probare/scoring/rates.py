"""Rates over cases: numerator, denominator, worst and best case, interval."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from probare.model.score import Rate
from probare.scoring.estimators import design_effect
from probare.scoring.intervals import Interval, clopper_pearson, wilson
from probare.scoring.tally import CaseTally

Value = Callable[[CaseTally], float]
Method = Callable[[float, float], Interval | None]
_NAMES: dict[Method, str] = {wilson: "wilson", clopper_pearson: "clopper-pearson"}


def rate(
    tallies: Sequence[CaseTally],
    worst: Value,
    best: Value,
    *,
    method: Method = wilson,
    why: str | None = None,
) -> Rate:
    """Return the mean of a case value over cases, as a share with its interval.

    Where cases name clusters, the interval's denominator is divided by the design effect.
    """
    n = len(tallies)
    run = sum(tally.run == tally.planned for tally in tallies)
    graded = sum(tally.decided for tally in tallies)
    values = [worst(tally) for tally in tallies]
    total = math.fsum(values)
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
    effective = n / _design_effect(tallies, values)
    interval = method(total / n * effective, effective)
    return Rate(
        value=total / n,
        best=math.fsum(best(tally) for tally in tallies) / n,
        numerator=total,
        denominator=n,
        planned=n,
        run=run,
        graded=graded,
        interval=interval,
        method=_NAMES[method],
        why=why,
    )


def _design_effect(tallies: Sequence[CaseTally], values: Sequence[float]) -> float:
    if not any(tally.case.cluster for tally in tallies):
        return 1.0
    clusters: dict[str, list[float]] = {}
    for tally, value in zip(tallies, values, strict=True):
        clusters.setdefault(tally.case.cluster or f"\0{tally.case.id}", []).append(value)
    return design_effect(list(clusters.values()))
