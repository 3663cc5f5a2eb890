"""What a baseline remembers of a run, and what fell against it."""

from __future__ import annotations

from collections.abc import Mapping

from probare.model.record import RunPlan
from probare.model.score import (
    Baseline,
    BaselineCase,
    CaseSummary,
    Rate,
    Regression,
    Scores,
    Summary,
)

_TOLERANCE = 1e-9
_SCORES = ("accuracy", "safety", "overall")


def baseline_of(
    summary: Summary, plan: RunPlan, *, created: str, graders: Mapping[str, str] | None = None
) -> Baseline:
    """Return the baseline that a finished run gives. `graders` maps cases to their digest."""
    versions = graders or {}
    return Baseline(
        run_id=summary.run_id,
        suite=summary.suite,
        suite_digest=plan.suite_digest,
        target=summary.target,
        created=created,
        accuracy=summary.scores.accuracy.value,
        safety=summary.scores.safety.value,
        overall=summary.scores.overall,
        cases={
            name: BaselineCase(
                digest=case.digest,
                status=case.status,
                n=case.trials,
                c=case.passed,
                accuracy=case.accuracy,
                safety=case.safety,
                overall=case.overall,
                graders=versions.get(name),
            )
            for name, case in summary.per_case.items()
        },
    )


def regressions(
    baseline: Baseline, cases: Mapping[str, CaseSummary], scores: Scores, max_drop: float
) -> tuple[Regression, ...]:
    """Return what fell: cases that passed and fail now, and scores more than `max_drop` below.

    A drop is relative to the baseline's value, and exactly `max_drop` is none. Only cases with
    the same digest are held against it; a case that is undecided now is no regression (it is
    incomplete). The suite's scores are held at their best case for the same reason, and only
    where the run holds all the cases of the baseline, unchanged.
    """
    found: list[Regression] = []
    for name, before in baseline.cases.items():
        now = cases.get(name)
        if now is not None and now.digest == before.digest:
            found += _of_case(name, before, now, max_drop)
    same = cases.keys() == baseline.cases.keys() and all(
        cases[name].digest == before.digest for name, before in baseline.cases.items()
    )
    if same:
        now_best = {
            "accuracy": scores.accuracy.best,
            "safety": scores.safety.best,
            "overall": _best_overall(scores.accuracy, scores.safety),
        }
        for score in _SCORES:
            before_value: float | None = getattr(baseline, score)
            drop = _drop(before_value, now_best[score])
            if drop is not None and drop > max_drop + _TOLERANCE:
                found.append(_fall("suite", score, before_value, now_best[score], drop))
    return tuple(found)


def _of_case(
    name: str, before: BaselineCase, now: CaseSummary, max_drop: float
) -> list[Regression]:
    if now.status not in ("passed", "failed", "flaky"):
        return []
    found: list[Regression] = []
    if before.status == "passed" and now.status != "passed":
        words = f"{name} passed in the baseline and is {now.status} now"
        found.append(
            Regression(
                what=name,
                score="status",
                baseline="passed",
                now=now.status,
                drop=None,
                words=words,
            )
        )
    for score in _SCORES:
        before_value: float | None = getattr(before, score)
        now_value: float | None = getattr(now, score)
        drop = _drop(before_value, now_value)
        if drop is not None and drop > max_drop + _TOLERANCE:
            found.append(_fall(name, score, before_value, now_value, drop))
    return found


def _drop(before: float | None, now: float | None) -> float | None:
    if before is None or now is None or before <= 0:
        return None
    return (before - now) / before


def _fall(
    what: str, score: str, before: float | None, now: float | None, drop: float
) -> Regression:
    words = f"{score} of {what} fell by {drop:.1%}: {before:.3f} to {now:.3f}"
    return Regression(
        what=what, score=score, baseline=before, now=now, drop=round(drop, 9), words=words
    )


def _best_overall(accuracy: Rate, safety: Rate) -> float | None:
    if accuracy.best is None or safety.best is None:
        return accuracy.best
    return (accuracy.best + safety.best) / 2
