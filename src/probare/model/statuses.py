"""Statuses of trials and cases: only pass is pass (DESIGN section 5)."""

from __future__ import annotations

from collections.abc import Iterable

from probare.model.outcome import Stop
from probare.model.record import CaseStatus, TrialStatus
from probare.model.verdict import CheckVerdict, people_verdict


def trial_status(stop: Stop, verdicts: Iterable[CheckVerdict]) -> TrialStatus:
    """Return a trial's status: first match of failed, errored, needs_review, ungraded, passed.

    What a check left unknown went to people: where they pass the trial, it is settled. Nothing
    that they say makes a fail or an error undone.
    """
    verdicts = tuple(verdicts)
    results = {verdict.result for verdict in verdicts if verdict.required}
    if "fail" in results:
        return "failed"
    if stop != "completed" or "error" in results or "skipped" in results:
        return "errored"
    if "unknown" in results:
        said = people_verdict(verdicts)
        if said is None or said.result != "pass":
            return "needs_review"
    return "passed" if results else "ungraded"


def case_status(
    trials: Iterable[TrialStatus], case_wide: Iterable[CheckVerdict] = ()
) -> CaseStatus:
    """Return a case's status from its trials' and its case-wide verdicts.

    First match: passes and fails among its trials → flaky; any failed (a case-wide check too)
    → failed; errored; needs_review; ungraded; else passed. A case without a single trial is
    errored: nothing was seen of it.
    """
    statuses = set(trials)
    wide = {verdict.result for verdict in case_wide if verdict.required}
    if "passed" in statuses and "failed" in statuses:
        return "flaky"
    if "failed" in statuses or "fail" in wide:
        return "failed"
    if not statuses or "errored" in statuses or "error" in wide or "skipped" in wide:
        return "errored"
    if "needs_review" in statuses or "unknown" in wide:
        return "needs_review"
    if "ungraded" in statuses and not wide:
        return "ungraded"
    return "passed"
