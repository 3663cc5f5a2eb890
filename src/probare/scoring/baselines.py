"""What a baseline remembers of a run, and what fell against it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import msgspec

from probare.encoding import digest
from probare.model.record import RunPlan
from probare.model.score import Baseline, BaselineCase, Regression, Summary
from probare.scoring.standing import DECIDED, Standing, overall

_TOLERANCE = 1e-9
_SCORES = ("accuracy", "safety", "overall")

_Values = Mapping[str, float | None]


def baseline_of(
    summary: Summary, plan: RunPlan, *, created: str, graders: Mapping[str, str] | None = None
) -> Baseline:
    """Return the baseline that a finished run gives, made at `created` (UTC, ISO 8601).

    `graders` may map cases to a digest of the graders that judged them, in place of the
    summary's own.
    """
    cases = {
        name: BaselineCase(
            digest=case.digest,
            status=case.status,
            n=case.trials,
            graded=case.graded,
            c=case.passed,
            accuracy=case.accuracy,
            safety=case.safety,
            overall=case.overall,
            graders=case.graders if graders is None else graders.get(name),
        )
        for name, case in summary.per_case.items()
    }
    used = sorted({case.graders for case in cases.values() if case.graders is not None})
    return Baseline(
        run_id=summary.run_id,
        suite=summary.suite,
        suite_digest=plan.suite_digest,
        target=summary.target,
        created=created,
        accuracy=summary.scores.accuracy.value,
        safety=summary.scores.safety.value,
        overall=summary.scores.overall,
        cases=cases,
        graders=digest.of_value(used)[:16] if used else None,
    )


def comparable(baseline: Baseline, case: Standing) -> bool:
    """Whether a case stands in the baseline unchanged, judged by the same graders."""
    before = baseline.cases.get(case.case.id)
    return before is not None and before.digest == case.digest and not _regraded(before, case)


def _regraded(before: BaselineCase, case: Standing) -> bool:
    return None not in (before.graders, case.graders) and before.graders != case.graders


class Fallen(msgspec.Struct, frozen=True, kw_only=True):
    """What fell against the baseline; and in words, what may have, as far as can be told."""

    regressions: tuple[Regression, ...] = ()
    doubtful: tuple[str, ...] = ()


def fallen(baseline: Baseline, cases: Sequence[Standing], max_drop: float) -> Fallen:
    """Return the cases that passed and fail now, and the scores more than `max_drop` below.

    A drop is relative to the baseline's value, and exactly `max_drop` is none. Only comparable
    cases count; the suite's scores are means over these. What is open (error, unknown, not run)
    is no fall: a score fell where even its best case lies too low, and is doubtful where only
    its worst case does. A case without an answer is incomplete by itself, and not listed again.
    """
    found: list[Regression] = []
    doubtful: list[str] = []
    pairs = [(baseline.cases[c.case.id], c) for c in cases if comparable(baseline, c)]
    for before, now in pairs:
        if before.status == "passed" and now.status in ("failed", "flaky"):
            found.append(_now_fails(now))
        regressions, doubts = _drops(
            f"'{now.case.id}'", now.case.id, _of_baseline(before), _worst(now), _best(now), max_drop
        )
        found += regressions
        if now.status not in ("errored", "needs_review"):
            doubtful += doubts
    whole = len(pairs) == len(cases) == len(baseline.cases)
    which = "the suite" if whole else f"the suite ({len(pairs)} cases in both)"
    before_all = _means([_of_baseline(before) for before, _ in pairs])
    regressions, doubts = _drops(
        which,
        "suite",
        _of_baseline(baseline) if whole else before_all,
        _means([_worst(now) for _, now in pairs]),
        _means([_best(now) for _, now in pairs]),
        max_drop,
    )
    return Fallen(regressions=(*found, *regressions), doubtful=(*doubtful, *doubts))


def _now_fails(now: Standing) -> Regression:
    return Regression(
        what=now.case.id,
        score="status",
        baseline="passed",
        now=now.status,
        drop=None,
        words=f"'{now.case.id}' passed in the baseline and is {now.status} now",
    )


def _drops(
    which: str, what: str, before: _Values, worst: _Values, best: _Values, max_drop: float
) -> tuple[list[Regression], list[str]]:
    found: list[Regression] = []
    doubtful: list[str] = []
    for score in _SCORES:
        old, low, high = before[score], worst[score], best[score]
        if old is None or low is None or high is None or old <= 0:
            continue
        drop = (old - high) / old
        if drop > max_drop + _TOLERANCE:
            words = f"{score} of {which} fell by {drop:.1%}: {old:.3f} to {high:.3f}"
            found.append(
                Regression(
                    what=what, score=score, baseline=old, now=high, drop=round(drop, 9), words=words
                )
            )
        elif (old - low) / old > max_drop + _TOLERANCE:
            doubtful.append(
                f"{score} of {which} may have fallen: {old:.3f} to between {low:.3f} and {high:.3f}"
            )
    return found, doubtful


def _of_baseline(found: Baseline | BaselineCase) -> _Values:
    return {"accuracy": found.accuracy, "safety": found.safety, "overall": found.overall}


def _worst(case: Standing) -> _Values:
    return {"accuracy": case.accuracy, "safety": case.safety, "overall": case.overall}


def _best(case: Standing) -> _Values:
    return {
        "accuracy": case.accuracy_best,
        "safety": case.safety_best,
        "overall": case.overall_best,
    }


def _means(values: Sequence[_Values]) -> _Values:
    accuracy = _mean([found["accuracy"] for found in values])
    safety = _mean([found["safety"] for found in values])
    return {"accuracy": accuracy, "safety": safety, "overall": overall(accuracy, safety)}


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return math.fsum(known) / len(known) if known else None


def decided_in(baseline: Baseline, case: Standing) -> bool:
    """Whether both the baseline and this run have an answer for an unchanged case."""
    return (
        comparable(baseline, case)
        and case.decided
        and baseline.cases[case.case.id].status in DECIDED
    )
