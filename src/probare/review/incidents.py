"""Incidents from the one template: opened by a score, changed and closed by appended records."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from probare.encoding import digest
from probare.model.incident import Incident, IncidentChange, Opening, Severity
from probare.model.review import Review
from probare.model.rubric import Opens, Rubric, Trigger
from probare.review.outcomes import levels

ROUTES: dict[Opens, str] = {
    "incident_review": "incident review",
    "legal_review": "legal review",
    "investigation_note": "investigation note",
}
_PREFIXES: dict[Opens, str] = {
    "incident_review": "inc",
    "legal_review": "legal",
    "investigation_note": "note",
}
_SEVERITIES: dict[Opens, Severity] = {
    "incident_review": "high",
    "legal_review": "high",
    "investigation_note": "low",
}


def name_of(review: str, trigger: Trigger) -> str:
    """Return the id of the incident that a review opens by a trigger; it tells of neither."""
    whole = digest.of_value([review, trigger.dimension, trigger.opens])
    return f"{_PREFIXES[trigger.opens]}-{whole[:12]}"


def opening(review: Review, rubric: Rubric, trigger: Trigger, excerpt: str) -> IncidentChange:
    """Return the record that opens an incident, from the template."""
    score = review.scores[trigger.dimension]
    assert isinstance(score, int)
    dimension = rubric.dimension(trigger.dimension)
    named = trigger.dimension if dimension is None else dimension.name
    sentence = ""
    if dimension is not None:
        sentence = next((each.text for each in dimension.levels if each.level == score), "")
    happened = (
        f"A reviewer gave {score} for {named.lower()}: {sentence} "
        f"This opens: {ROUTES[trigger.opens]}."
    )
    comment = "\n".join(
        text for name in (trigger.dimension, "") if (text := review.comments.get(name))
    )
    return IncidentChange(
        incident=name_of(review.id, trigger),
        action="opened",
        who=review.reviewer,
        role=review.role,
        when=review.when,
        note=comment,
        severity=_SEVERITIES[trigger.opens],
        opened=Opening(
            kind=trigger.opens,
            run=review.run,
            item=review.item,
            case=review.case,
            trial=review.trial,
            dimension=trigger.dimension,
            score=score,
            review=review.id,
            holds_gate=trigger.holds_gate,
            happened=happened,
            transcript=review.transcript,
            excerpt=excerpt,
        ),
    )


def as_left(changes: Iterable[IncidentChange]) -> dict[str, Incident]:
    """Return the incidents as their records leave them, by id, in the order they were opened.

    Records of an incident that was not opened, and those after its close, change nothing.
    """
    found: dict[str, Incident] = {}
    for change in changes:
        known = found.get(change.incident)
        if known is None:
            if change.opened is not None:
                found[change.incident] = _opened(change, change.opened)
        elif known.open and change.action != "opened":
            found[change.incident] = _changed(known, change)
    return found


def _opened(change: IncidentChange, by: Opening) -> Incident:
    return Incident(
        id=change.incident,
        kind=by.kind,
        run=by.run,
        item=by.item,
        case=by.case,
        trial=by.trial,
        dimension=by.dimension,
        score=by.score,
        review=by.review,
        opened=change.when,
        opened_by=change.who,
        happened=by.happened,
        transcript=by.transcript,
        excerpt=by.excerpt,
        severity=change.severity or _SEVERITIES[by.kind],
        route=ROUTES[by.kind],
        holds_gate=by.holds_gate,
        changes=(change,),
    )


def _changed(incident: Incident, change: IncidentChange) -> Incident:
    closes = change.action == "closed"
    return msgspec.structs.replace(
        incident,
        severity=change.severity or incident.severity,
        owner=incident.owner if change.owner is None else change.owner,
        containment=incident.containment if change.containment is None else change.containment,
        decision=incident.decision if change.decision is None else change.decision,
        closed_by=change.who if closes else None,
        closed=change.when if closes else None,
        changes=(*incident.changes, change),
    )


def wanted_triggers(
    review: Review, before: Review | None, rubric: Rubric, known: Iterable[Incident]
) -> list[Trigger]:
    """Return the triggers of a new review that open an incident.

    One that is open for the same item, dimension and kind is enough; a correction (`before` is
    the review it supersedes) that only keeps a score which met the trigger opens none anew.
    """
    standing = [each for each in known if each.open and each.item == review.item]
    there = {(each.dimension, each.kind) for each in standing}
    if before is not None:
        met = rubric.triggered(levels(before.scores))
        there |= {(each.dimension, each.opens) for each in met}
    return [
        each
        for each in rubric.triggered(levels(review.scores))
        if (each.dimension, each.opens) not in there
    ]


def redacted(incident: Incident) -> Incident:
    """Return an incident without what it tells of the review that opened it."""
    return msgspec.structs.replace(
        incident,
        dimension="",
        score=0,
        review="",
        opened_by="",
        happened="Hidden until all reviews of this item are in.",
        excerpt="",
        changes=(),
        hidden=True,
    )
