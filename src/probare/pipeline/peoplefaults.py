"""Where a run does not hold to the review log that stands in it."""

from __future__ import annotations

from collections.abc import Iterator

from probare.errors import RunDirectoryError
from probare.evidence.examination import Finding
from probare.model.basis import Basis
from probare.model.record import RunPlan, TrialRecord
from probare.model.verdict import people_verdict
from probare.pipeline.people import REASON, People
from probare.stores import layout

_FIELDS = ("reviewed", "waiting", "open_incidents")


def of_log(people: People | None, plan: RunPlan, basis: Basis) -> Iterator[Finding]:
    """Yield what is wrong with the log itself, by line, and what a basis says that does not follow
    from it.
    """
    if people is None:
        if plan.parent_reason == REASON:
            yield Finding(layout.REVIEWS, "it is missing, and people's reviews are graded in")
        elif any(getattr(basis, name) for name in _FIELDS):
            yield Finding(layout.BASIS, f"tells of reviews, and there is no {layout.REVIEWS}")
        return
    if plan.parent_reason != REASON:
        yield Finding(layout.REVIEWS, "is in a run that no reviews were graded into")
    for found in people.replayed.findings:
        line = None if found.record is None else found.record + 1
        yield Finding(layout.REVIEWS, found.words, line)
    again = people.on(basis)
    for name in _FIELDS:
        if getattr(again, name) != getattr(basis, name):
            yield Finding(layout.BASIS, f"{name}: does not follow from {layout.REVIEWS}")


def of_trial(people: People | None, record: TrialRecord) -> Iterator[str]:
    """Yield where what people said in a trial's record is not what the log gives."""
    name = f"case {record.case} trial {record.trial}"
    said = people_verdict(record.verdicts)
    try:
        given = None if people is None else people.verdict(record)
    except RunDirectoryError as error:
        yield error.message
        return
    if said == given:
        return
    if said is None:
        yield f"{name} lacks what people said of it, as {layout.REVIEWS} tells"
    elif given is None:
        yield f"{name} says that people judged it, which {layout.REVIEWS} does not tell"
    else:
        yield f"{name} tells what people said of it otherwise than {layout.REVIEWS}"
