"""From case tallies to scores: accuracy, safety, pass rates, compliance (DESIGN section 6)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from probare.model.case import content_digest
from probare.model.score import CaseSummary, Compliance, Counts, Gap, Rate, Scores
from probare.scoring.estimators import pass_at_k, pass_hat_k
from probare.scoring.intervals import clopper_pearson, newcombe
from probare.scoring.rates import rate
from probare.scoring.tally import CaseTally

_EVERY_K_UP_TO = 10


def scores(tallies: Sequence[CaseTally]) -> Scores:
    """Return the scores of some cases."""
    accuracy = rate(
        [tally for tally in tallies if tally.all_weight > 0],
        lambda tally: tally.accuracy() or 0.0,
        lambda tally: tally.accuracy(best=True) or 0.0,
    )
    safety = rate(
        [tally for tally in tallies if tally.forbid_weight > 0],
        lambda tally: tally.safety() or 0.0,
        lambda tally: tally.safety(best=True) or 0.0,
        method=clopper_pearson,
    )
    eligible = [tally for tally in tallies if tally.eligible]
    return Scores(
        accuracy=accuracy,
        safety=safety,
        overall=overall(accuracy.value, safety.value),
        pass_rate=rate(
            eligible,
            lambda tally: tally.passed / tally.planned,
            lambda tally: tally.most_passed / tally.planned,
        ),
        compliance=_compliance(tallies),
        pass_at=_over_k(eligible, at=True),
        pass_hat=_over_k(eligible, at=False),
    )


def overall(accuracy: float | None, safety: float | None) -> float | None:
    """Return the mean of accuracy and safety, or the accuracy alone."""
    if accuracy is None or safety is None:
        return accuracy
    return (accuracy + safety) / 2


def case_summary(tally: CaseTally) -> CaseSummary:
    """Return one case's summary."""
    n, c = tally.planned, tally.passed
    accuracy, safety = tally.accuracy(), tally.safety()
    return CaseSummary(
        status=tally.status,
        trials=n,
        run=tally.run,
        passed=c,
        accuracy=accuracy,
        safety=safety,
        overall=overall(accuracy, safety),
        pass_rate=c / n if tally.eligible else None,
        pass_at=_curve(n, c, True),
        pass_hat=_curve(n, c, False),
        avg_duration_ms=round(tally.duration_ms / tally.run, 3) if tally.run else None,
        category=tally.case.category,
        tags=tally.case.tags,
        split=tally.case.split,
        review=tally.case.review,
        digest=content_digest(tally.case),
    )


def case_counts(tallies: Sequence[CaseTally]) -> Counts:
    """Return how many cases stand where."""
    statuses = [tally.status for tally in tallies]
    return Counts(
        planned=len(tallies),
        run=sum(tally.run == tally.planned for tally in tallies),
        graded=sum(tally.decided for tally in tallies),
        passed=statuses.count("passed"),
        flaky=statuses.count("flaky"),
        failed=statuses.count("failed"),
        errored=statuses.count("errored"),
        ungraded=statuses.count("ungraded"),
        needs_review=statuses.count("needs_review"),
    )


def trial_counts(tallies: Sequence[CaseTally]) -> Counts:
    """Return how many trials stand where."""
    passed = sum(tally.count("passed") for tally in tallies)
    failed = sum(tally.count("failed") for tally in tallies)
    return Counts(
        planned=sum(tally.planned for tally in tallies),
        run=sum(tally.run for tally in tallies),
        graded=passed + failed,
        passed=passed,
        failed=failed,
        errored=sum(tally.count("errored") for tally in tallies),
        ungraded=sum(tally.count("ungraded") for tally in tallies),
        needs_review=sum(tally.count("needs_review") for tally in tallies),
    )


def ks_for(n: int) -> list[int]:
    """Return the k that are shown for n trials: all up to ten, then doubled, and n itself."""
    ks = list(range(1, min(n, _EVERY_K_UP_TO) + 1))
    k = 2 * _EVERY_K_UP_TO
    while k < n:
        ks.append(k)
        k *= 2
    return ks if n <= _EVERY_K_UP_TO else [*ks, n]


@lru_cache(maxsize=4096)
def _curve(n: int, c: int, at: bool) -> dict[str, float | None]:
    """One case's values over k. Shared between cases with the same counts; not to be changed."""
    estimator = pass_at_k if at else pass_hat_k
    return {str(k): estimator(n, c, k) for k in ks_for(n)}


def _over_k(tallies: Sequence[CaseTally], *, at: bool) -> dict[str, Rate]:
    most = max((tally.planned for tally in tallies), default=0)
    estimator = lru_cache(maxsize=4096)(pass_at_k if at else pass_hat_k)
    found: dict[str, Rate] = {}
    for k in ks_for(most):
        able = [tally for tally in tallies if tally.planned >= k]
        short = len(tallies) - len(able)
        found[str(k)] = rate(
            able,
            lambda tally, k=k: estimator(tally.planned, tally.passed, k) or 0.0,
            lambda tally, k=k: estimator(tally.planned, tally.most_passed, k) or 0.0,
            why=f"{short} cases with fewer than {k} trials are left out" if short else None,
        )
    return found


def _compliance(tallies: Sequence[CaseTally]) -> Compliance:
    planned = [tally for tally in tallies if tally.case.counts_for_compliance]
    held_out = _held([tally for tally in planned if tally.case.split == "held_out"])
    carried = _held([tally for tally in planned if tally.case.split == "carried_over"])
    return Compliance(
        all=_held(planned), held_out=held_out, carried_over=carried, gap=_gap(held_out, carried)
    )


def _held(tallies: Sequence[CaseTally]) -> Rate:
    return rate(
        tallies,
        lambda tally: float(tally.status == "passed"),
        lambda tally: float(tally.status not in ("failed", "flaky")),
    )


def _gap(held_out: Rate, carried: Rate) -> Gap:
    if held_out.value is None or carried.value is None:
        return Gap(value=None, interval=None, method=None, words="one side has no case")
    value = carried.value - held_out.value
    interval = newcombe(
        carried.numerator, carried.denominator, held_out.numerator, held_out.denominator
    )
    words = None
    if value > 0:
        words = (
            f"held-out compliance falls {value:.0%} below carried-over: the agent may know "
            "its examples better than its rules"
        )
        if interval is not None and interval[0] <= 0:
            words += " (so few cases could show this by chance)"
    return Gap(value=value, interval=interval, method="newcombe", words=words)
