"""Two runs against each other, paired by case id and content digest (DESIGN section 6)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal, TypeAlias

import msgspec

from probare.model.score import Baseline, Diff, DiffCase, Summary
from probare.scoring.distributions import normal_quantile, t_cdf
from probare.scoring.estimators import mean, standard_error
from probare.scoring.exact_tests import (
    SIGN_FLIP_CAP,
    benjamini_hochberg,
    fisher,
    mcnemar,
    sign_flip,
)

Answer: TypeAlias = Literal["regressed", "no regression seen", "inconclusive"]

ALPHA = 0.05
_POWER = 0.8
_DECIDED = ("passed", "failed", "flaky")


class SideCase(msgspec.Struct, frozen=True, kw_only=True):
    """A case of one run: c passes of n trials. `graders` is a digest of grader versions."""

    digest: str
    status: str
    n: int
    c: int
    graders: str | None = None
    tags: tuple[str, ...] = ()


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """One of the two runs."""

    run_id: str
    cases: Mapping[str, SideCase]


def side_of_summary(summary: Summary, graders: Mapping[str, str] | None = None) -> Side:
    """Return a run's side. `graders` maps cases to a digest of the versions that judged them."""
    versions = graders or {}
    cases = {
        name: SideCase(
            digest=case.digest,
            status=case.status,
            n=case.trials,
            c=case.passed,
            graders=versions.get(name),
            tags=case.tags,
        )
        for name, case in summary.per_case.items()
    }
    return Side(run_id=summary.run_id, cases=cases)


def side_of_baseline(baseline: Baseline) -> Side:
    """Return a baseline's side."""
    cases = {
        name: SideCase(
            digest=case.digest, status=case.status, n=case.n, c=case.c, graders=case.graders
        )
        for name, case in baseline.cases.items()
    }
    return Side(run_id=baseline.run_id, cases=cases)


def compare(before: Side, after: Side) -> Diff:
    """Return whether `after` regressed against `before`, one-sided at α = 0.05."""
    both = [name for name in before.cases if name in after.cases]
    changed = [n for n in both if before.cases[n].digest != after.cases[n].digest]
    same = [n for n in both if before.cases[n].digest == after.cases[n].digest]
    regraded = [n for n in same if _other_graders(before.cases[n], after.cases[n])]
    kept = [n for n in same if n not in set(regraded)]
    undecided = [
        n
        for n in kept
        if before.cases[n].status not in _DECIDED or after.cases[n].status not in _DECIDED
    ]
    left_out = set(undecided)
    pairs = [
        DiffCase(
            case=n,
            before=(before.cases[n].c, before.cases[n].n),
            after=(after.cases[n].c, after.cases[n].n),
        )
        for n in kept
        if n not in left_out
    ]
    single = all(pair.before[1] == pair.after[1] == 1 for pair in pairs)
    found = _one_trial(pairs) if single else _several_trials(pairs)
    fell = [pair for pair in found.pairs if _rate(pair.after) < _rate(pair.before)]
    rose = [pair for pair in found.pairs if _rate(pair.after) > _rate(pair.before)]
    answer, words = _answer(found, fell, rose)
    return Diff(
        before=before.run_id,
        after=after.run_id,
        answer=answer,
        words=words,
        test=found.test,
        p=found.p,
        smallest_drop=found.smallest_drop,
        pairs=len(pairs),
        pass_rate_before=mean([_rate(pair.before) for pair in pairs]),
        pass_rate_after=mean([_rate(pair.after) for pair in pairs]),
        fell=tuple(fell),
        rose=tuple(rose),
        significant=tuple(found.significant),
        changed=tuple(changed),
        added=tuple(n for n in after.cases if n not in before.cases),
        removed=tuple(n for n in before.cases if n not in after.cases),
        regraded=tuple(regraded),
        undecided=tuple(undecided),
        by_tag=_by_tag(pairs, after),
    )


class _Found(msgspec.Struct, frozen=True, kw_only=True):
    test: str
    p: float | None
    smallest_drop: float | None
    pairs: list[DiffCase]
    significant: list[str]


def _one_trial(pairs: list[DiffCase]) -> _Found:
    fell = sum(pair.before[0] > pair.after[0] for pair in pairs)
    rose = sum(pair.before[0] < pair.after[0] for pair in pairs)
    could_fall = sum(pair.before[0] for pair in pairs)
    smallest = None
    for falls in range(1, could_fall + 1):
        if mcnemar(falls, rose).one_sided_regression <= ALPHA:
            smallest = (falls - rose) / len(pairs)
            break
    p = mcnemar(fell, rose).one_sided_regression if pairs else None
    return _Found(
        test="exact McNemar, one-sided", p=p, smallest_drop=smallest, pairs=pairs, significant=[]
    )


def _several_trials(pairs: list[DiffCase]) -> _Found:
    falls = [_rate(pair.before) - _rate(pair.after) for pair in pairs]
    moving = sum(fall != 0 for fall in falls)
    error = standard_error(falls)
    middle = mean(falls) or 0.0
    if moving <= SIGN_FLIP_CAP:
        test, p = (
            "exact sign-flip of paired differences, one-sided",
            sign_flip(falls, one_sided=True),
        )
    else:
        assert error
        test = "paired t, one-sided"
        p = 1 - t_cdf(middle / error, len(falls) - 1)
    chances = [fisher(pair.before, pair.after, one_sided=True) for pair in pairs]
    adjusted = benjamini_hochberg(chances)
    judged = [
        msgspec.structs.replace(pair, p=value) for pair, value in zip(pairs, adjusted, strict=True)
    ]
    return _Found(
        test=test,
        p=p,
        smallest_drop=_smallest_drop(pairs, error),
        pairs=judged,
        significant=[pair.case for pair in judged if pair.p is not None and pair.p <= ALPHA],
    )


def _smallest_drop(pairs: list[DiffCase], error: float | None) -> float | None:
    """The fall that these cases would show in four runs of five; None where none could.

    Where nothing varied, the least that a sign-flip test can call: five cases, a trial each.
    """
    able = [pair for pair in pairs if pair.before[0] > 0]
    least = math.ceil(math.log(1 / ALPHA, 2))
    if len(able) < least:
        return None
    step = least / max(pair.after[1] for pair in pairs) / len(pairs)
    if not error:
        return step
    return max(step, (normal_quantile(1 - ALPHA) + normal_quantile(_POWER)) * error)


def _answer(found: _Found, fell: list[DiffCase], rose: list[DiffCase]) -> tuple[Answer, str]:
    if not found.pairs:
        return "inconclusive", "no case stands unchanged and decided in both runs"
    moved = f"{len(fell)} cases fell, {len(rose)} rose, of {len(found.pairs)} compared"
    if found.p is not None and found.p <= ALPHA:
        return "regressed", f"{moved}; p = {found.p:.3g}"
    if found.significant:
        names = ", ".join(found.significant[:5])
        return "regressed", f"{moved}; significant by itself: {names}"
    p = f"p = {found.p:.3g}"
    if found.smallest_drop is None:
        return (
            "inconclusive",
            f"{moved}; {p}; significance was out of reach with so few cases",
        )
    drop = f"{found.smallest_drop:.1%}"
    net = sum(_rate(pair.before) - _rate(pair.after) for pair in found.pairs)
    if net > 0:
        return (
            "inconclusive",
            f"{moved}; {p}; the fall may be chance: {drop} would have been significant",
        )
    return "no regression seen", f"{moved}; the smallest drop it could have seen is {drop}"


def _other_graders(before: SideCase, after: SideCase) -> bool:
    return (
        before.graders is not None and after.graders is not None and before.graders != after.graders
    )


def _rate(counts: tuple[int, int]) -> float:
    return counts[0] / counts[1] if counts[1] else 0.0


def _by_tag(pairs: list[DiffCase], side: Side) -> dict[str, tuple[float | None, float | None]]:
    tags = sorted({tag for pair in pairs for tag in side.cases[pair.case].tags})
    return {
        tag: (
            mean([_rate(p.before) for p in pairs if tag in side.cases[p.case].tags]),
            mean([_rate(p.after) for p in pairs if tag in side.cases[p.case].tags]),
        )
        for tag in tags
    }
