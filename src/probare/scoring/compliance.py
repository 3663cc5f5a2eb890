"""Compliance: the share of cases whose every rule held, by where the cases come from."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from probare.model.score import Baseline, Compliance, Gap, Rate
from probare.scoring.baselines import decided_in
from probare.scoring.intervals import newcombe
from probare.scoring.rates import effective_size, rate
from probare.scoring.standing import Standing


def compliance(cases: Sequence[Standing]) -> Compliance:
    """Return compliance over the cases planned for it (DESIGN section 6).

    These have a required automatic check and are not `review: always`. A rule held where the
    case passed, in all its trials.
    """
    planned = [case for case in cases if case.case.counts_for_compliance]
    held_out = [case for case in planned if case.case.split == "held_out"]
    carried_over = [case for case in planned if case.case.split == "carried_over"]
    low = _held(held_out, "held-out case")
    high = _held(carried_over, "carried-over case")
    return Compliance(
        all=_held(planned, "case"),
        held_out=low,
        carried_over=high,
        gap=_gap(held_out, low, carried_over, high),
    )


def _held(cases: Sequence[Standing], which: str) -> Rate:
    return rate(
        cases,
        _values(cases),
        [float(case.status not in ("failed", "flaky")) for case in cases],
        why=None if cases else f"no {which} is planned for automatic compliance",
    )


def _values(cases: Sequence[Standing]) -> list[float]:
    return [float(case.status == "passed") for case in cases]


def _gap(
    held_out: Sequence[Standing], low: Rate, carried_over: Sequence[Standing], high: Rate
) -> Gap:
    if low.value is None or high.value is None:
        side = low if low.value is None else high
        return Gap(value=None, interval=None, method=None, words=side.why)
    value = high.value - low.value
    n1 = effective_size(carried_over, _values(carried_over))
    n2 = effective_size(held_out, _values(held_out))
    interval = newcombe(high.value * n1, n1, low.value * n2, n2)
    words = _fall(low, high) if value > 0 else None
    if words is not None and interval is not None and interval[0] <= 0:
        words += "; with so few cases this may be chance"
    return Gap(value=value, interval=interval, method="newcombe", words=words)


def _fall(low: Rate, high: Rate) -> str:
    assert low.value is not None
    assert high.value is not None
    points = 100 * (high.value - low.value)
    words = (
        f"held-out compliance ({_of(low)}) stands {points:.1f} points below carried-over "
        f"({_of(high)}): the agent may know its examples better than its rules"
    )
    undecided = low.planned - low.graded
    if low.best is not None and low.best >= high.value and undecided:
        words += f"; or not: {undecided} held-out cases have no answer"
    return words


def _of(found: Rate) -> str:
    return f"{found.numerator:g} of {found.denominator:g}"


def with_trend(found: Compliance, cases: Sequence[Standing], baseline: Baseline) -> Compliance:
    """Return the same, with words where held-out fell since the baseline while carried-over
    held: over the cases that both runs decided, unchanged.
    """
    pairs = [
        (case, baseline.cases[case.case.id].status == "passed")
        for case in cases
        if case.case.counts_for_compliance and decided_in(baseline, case)
    ]
    sides: dict[str, tuple[int, int, int]] = {}
    for split in ("held_out", "carried_over"):
        of_split = [(case, passed) for case, passed in pairs if case.case.split == split]
        before = sum(passed for _, passed in of_split)
        now = sum(case.status == "passed" for case, _ in of_split)
        sides[split] = before, now, len(of_split)
    fell, held = sides["held_out"], sides["carried_over"]
    if fell[1] >= fell[0] or not held[2] or held[1] < held[0]:
        return found
    words = (
        f"since the baseline, held-out compliance fell from {fell[0]} to {fell[1]} of {fell[2]}, "
        f"while carried-over held at {held[1]} of {held[2]}"
    )
    if found.gap.words and found.gap.value is not None:
        words += f"; {found.gap.words}"
    gap = msgspec.structs.replace(found.gap, words=words)
    return msgspec.structs.replace(found, gap=gap)
