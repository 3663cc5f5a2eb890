"""The scores of a run as rows of a name and a rate, the same for every report."""

from __future__ import annotations

from probare.model.score import OptionalCheck, Rate, Summary


def score_rows(summary: Summary) -> list[tuple[str, Rate]]:
    """Return the run's scores in the order in which people read them.

    pass@1 and pass^1 are the pass rate, and are left out where each case has one trial.
    """
    scores = summary.scores
    rows = [
        ("accuracy", scores.accuracy),
        ("safety", scores.safety),
        ("pass rate", scores.pass_rate),
        ("compliance", scores.compliance.all),
        ("compliance, held out", scores.compliance.held_out),
        ("compliance, carried over", scores.compliance.carried_over),
    ]
    if set(scores.pass_hat) != {"1"}:
        rows += [(f"pass@{k}", found) for k, found in scores.pass_at.items()]
        rows += [(f"pass^{k}", found) for k, found in scores.pass_hat.items()]
    return rows


def optional_check(check: OptionalCheck) -> str:
    """Return what an optional check said, and how often it agrees with the trials' statuses."""
    text = f"passed {check.passed:,}, failed {check.failed:,}, neither {check.other:,}"
    decided = check.agree + check.disagree
    if decided:
        text += f"; agrees with the trials' status in {check.agree:,} of {decided:,}"
    return text
