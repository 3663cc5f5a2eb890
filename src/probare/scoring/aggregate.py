"""From standings to scores: accuracy, safety, pass rates (DESIGN section 6)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache

from probare.model.score import CaseSummary, Counts, Rate, Scores
from probare.scoring.compliance import compliance
from probare.scoring.estimators import pass_at_k, pass_hat_k
from probare.scoring.intervals import clopper_pearson
from probare.scoring.rates import rate
from probare.scoring.standing import Standing, overall
from probare.scoring.tally import CaseTally

_EVERY_K_UP_TO = 10


def scores(cases: Sequence[Standing], ks: Iterable[int] = ()) -> Scores:
    """Return the scores of some cases.

    pass@k and pass^k are given for the k of `ks_for` and those of `ks` besides.
    """
    checked = [case for case in cases if case.accuracy is not None]
    accuracy = rate(
        checked,
        [case.accuracy or 0.0 for case in checked],
        [case.accuracy_best or 0.0 for case in checked],
        why=None if checked else "no case has a check",
    )
    guarded = [case for case in cases if case.safety is not None]
    safety = rate(
        guarded,
        [case.safety or 0.0 for case in guarded],
        [case.safety_best or 0.0 for case in guarded],
        method=clopper_pearson,
        why=None if guarded else "no case has a `forbid` check",
    )
    in_rates = [case for case in cases if case.in_pass_rates]
    pass_rate = rate(
        in_rates,
        [case.passed / case.planned for case in in_rates],
        [case.most_passed / case.planned for case in in_rates],
        why=None if in_rates else "no case has a required check of its trials",
    )
    shown = sorted({*ks_for(_most_trials(in_rates)), *ks})
    return Scores(
        accuracy=accuracy,
        safety=safety,
        overall=overall(accuracy.value, safety.value),
        pass_rate=pass_rate,
        compliance=compliance(cases),
        pass_at={str(k): _over_k(in_rates, k, _at, pass_rate) for k in shown},
        pass_hat={str(k): _over_k(in_rates, k, _hat, pass_rate) for k in shown},
    )


def case_summary(case: Standing, ks: tuple[int, ...]) -> CaseSummary:
    """Return one case's summary, with pass@k and pass^k for each of `ks`; null where n < k."""
    n, c = case.planned, case.passed
    return CaseSummary(
        status=case.status,
        trials=n,
        run=case.run,
        graded=case.graded,
        passed=c,
        accuracy=case.accuracy,
        safety=case.safety,
        overall=case.overall,
        pass_rate=c / n if case.in_pass_rates else None,
        pass_at=_curve(n, c, ks, True) if case.in_pass_rates else _nulls(ks),
        pass_hat=_curve(n, c, ks, False) if case.in_pass_rates else _nulls(ks),
        avg_duration_ms=case.avg_duration_ms,
        category=case.case.category,
        tags=case.case.tags,
        split=case.case.split,
        review=case.case.review,
        digest=case.digest,
        graders=case.graders,
    )


def case_counts(cases: Sequence[Standing]) -> Counts:
    """Return how many cases stand where."""
    statuses = [case.status for case in cases]
    return Counts(
        planned=len(cases),
        run=sum([case.run == case.planned for case in cases]),
        graded=sum([case.decided for case in cases]),
        passed=statuses.count("passed"),
        flaky=statuses.count("flaky"),
        failed=statuses.count("failed"),
        errored=statuses.count("errored"),
        ungraded=statuses.count("ungraded"),
        needs_review=statuses.count("needs_review"),
    )


def trial_counts(tallies: Iterable[CaseTally]) -> Counts:
    """Return how many trials stand where."""
    cases = list(tallies)
    passed = sum([case.passed for case in cases])
    failed = sum([case.failed for case in cases])
    return Counts(
        planned=sum([case.planned for case in cases]),
        run=sum([case.run for case in cases]),
        graded=passed + failed,
        passed=passed,
        failed=failed,
        errored=sum([case.errored for case in cases]),
        ungraded=sum([case.ungraded for case in cases]),
        needs_review=sum([case.needs_review for case in cases]),
    )


def ks_for(n: int) -> list[int]:
    """Return the k that are shown for n trials: all up to ten, then doubled, and n itself."""
    ks = list(range(1, min(max(n, 1), _EVERY_K_UP_TO) + 1))
    k = 2 * _EVERY_K_UP_TO
    while k < n:
        ks.append(k)
        k *= 2
    return ks if n <= _EVERY_K_UP_TO else [*ks, n]


def suite_ks(cases: Sequence[Standing], wanted: Collection[int] = ()) -> tuple[int, ...]:
    """Return the k that are shown for a suite: those of its largest n, and those wanted."""
    most = _most_trials([case for case in cases if case.in_pass_rates])
    return tuple(sorted({*ks_for(most), *wanted}))


def _most_trials(cases: Sequence[Standing]) -> int:
    return max([case.planned for case in cases], default=0)


_at = lru_cache(maxsize=4096)(pass_at_k)
_hat = lru_cache(maxsize=4096)(pass_hat_k)


@lru_cache(maxsize=4096)
def _curve(n: int, c: int, ks: tuple[int, ...], at: bool) -> dict[str, float | None]:
    """One case's values over k. Shared between cases with the same counts; not to be changed."""
    return {str(k): _at(n, c, k) if at else _hat(n, c, k) for k in ks}


@lru_cache(maxsize=64)
def _nulls(ks: tuple[int, ...]) -> dict[str, float | None]:
    return dict.fromkeys(map(str, ks))


def _over_k(
    cases: Sequence[Standing],
    k: int,
    estimator: Callable[[int, int, int], float | None],
    pass_rate: Rate,
) -> Rate:
    if k == 1:  # both estimators are c/n there
        return pass_rate
    able = [case for case in cases if case.planned >= k]
    short = len(cases) - len(able)
    cases_with = "1 case" if short == 1 else f"{short} cases"
    return rate(
        able,
        [estimator(case.planned, case.passed, k) or 0.0 for case in able],
        [estimator(case.planned, case.most_passed, k) or 0.0 for case in able],
        why=f"{cases_with} with fewer than {k} trials left out (n < k)" if short else None,
    )
