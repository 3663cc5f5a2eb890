"""What a judge's check on labelled examples came to, and what is demanded of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from probare.model.outcome import UsageTotal
from probare.scoring.calibration import (
    Answered,
    Calibration,
    Corrected,
    Label,
    calibrate,
    corrected,
)


class Compared(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """People's label of one thing and the judge's answer. `dimension` is empty for the whole."""

    example: str
    label: Label
    answer: Answered
    dimension: str = ""
    reason: str = ""
    output: str = ""


class Minimums(msgspec.Struct, frozen=True, kw_only=True):
    """What a judge has to reach: the point estimates, null where nothing is demanded."""

    kappa: float | None = None
    sensitivity: float | None = None
    specificity: float | None = None


class JudgeCheck(msgspec.Struct, frozen=True, kw_only=True):
    """The result: the calibration on the whole and by dimension, what to read, what to decide.

    `unlabelled` counts what people were unsure of, which is not compared. `disagreements` are what
    the judge got wrong or could not decide, people's fails that it passes first. `rate` is the
    corrected rate behind the judge's passes elsewhere. `split_votes` counts the examples on which
    several votes contradict each other.
    """

    check: str
    grader: str
    models: tuple[str, ...]
    examples: int
    unlabelled: int
    whole: Calibration | None
    dimensions: dict[str, Calibration]
    disagreements: tuple[Compared, ...]
    split_votes: int
    rate: Corrected | None
    usage: UsageTotal | None
    exit_code: int
    why: tuple[str, ...]


def of_comparisons(
    compared: Sequence[Compared],
) -> tuple[Calibration | None, dict[str, Calibration]]:
    """Return the calibration on the whole, null where nothing has a label, and by dimension."""
    groups: dict[str, list[tuple[Label, Answered]]] = {}
    for each in compared:
        groups.setdefault(each.dimension, []).append((each.label, each.answer))
    whole = calibrate(groups[""]) if "" in groups else None
    return whole, {name: calibrate(pairs) for name, pairs in groups.items() if name}


def disagreements(compared: Iterable[Compared]) -> tuple[Compared, ...]:
    """Return what judge and people see differently, the worst first: passes of what people fail."""
    order = {("fail", "pass"): 0, ("pass", "fail"): 1}
    apart = [each for each in compared if each.label != each.answer]
    return tuple(sorted(apart, key=lambda each: order.get((each.label, each.answer), 2)))


def decided(
    whole: Calibration | None, dimensions: Mapping[str, Calibration], minimums: Minimums
) -> tuple[int, tuple[str, ...]]:
    """Return the exit code and why: 1 below a minimum, 3 where an answer is an error or a minimum
    cannot be measured, else 0. Minimums hold for the whole, or for each dimension without one.
    """
    held = {"": whole} if whole is not None else dict(dimensions)
    below: list[str] = []
    lacking: list[str] = []
    for name, found in held.items():
        of = f" of {name}" if name else ""
        for word, value, least in (
            ("κ", found.kappa, minimums.kappa),
            ("sensitivity", found.sensitivity.value, minimums.sensitivity),
            ("specificity", found.specificity.value, minimums.specificity),
        ):
            if least is None:
                continue
            if value is None:
                lacking.append(f"{word}{of} cannot be measured on these examples")
            elif value < least:
                below.append(f"{word}{of} is {value:.3f}, below {least:g}")
        if found.errors:
            count = "1 answer" if found.errors == 1 else f"{found.errors} answers"
            lacking.append(f"{count}{of} could not be had (error)")
    if below:
        return 1, (*below, *lacking)
    if not held:
        return 3, ("no example has a label that can be compared",)
    return (3 if lacking else 0), tuple(lacking)


def corrected_elsewhere(
    whole: Calibration | None, rate: tuple[int, int] | None
) -> Corrected | None:
    """Return the rate behind the judge's passes on other outputs, as (passes, of how many)."""
    return None if whole is None or rate is None else corrected(whole, *rate)
