"""Drafts, reviews, adjudications and corrections."""

from __future__ import annotations

import secrets

import msgspec

from probare.errors import InvalidReview, NotAllowed, NotFound, Outdated
from probare.model.incident import Incident
from probare.model.review import (
    Draft,
    ItemOutcome,
    LevelScore,
    Person,
    QueueItem,
    Review,
    Submission,
)
from probare.model.rubric import Rubric
from probare.review import assigning, incidents, items, logbook, seeing
from probare.review.database import Transaction
from probare.review.outcomes import counting
from probare.review.people import allow
from probare.review.validating import LONGEST_EXCERPT, faults_of


class Submitted(msgspec.Struct, frozen=True, kw_only=True):
    """A review that is in, the incidents that it opened, and how the item stands now.

    `new` is false where the same review was in already.
    """

    review: Review
    incidents: tuple[Incident, ...]
    item: QueueItem
    new: bool = True


def save_draft(
    transaction: Transaction,
    person: Person,
    item: QueueItem,
    *,
    scores: dict[str, LevelScore],
    comments: dict[str, str],
    rubric: str,
    transcript: str,
    when: str,
) -> Draft:
    """Keep what a person has filled in so far; see ReviewDesk.save_draft."""
    allow(person, "review")
    purpose = assigning.purpose_of(transaction, person, item)
    mine = [each.purpose for each in item.assigned if each.person == person.name]
    if purpose not in mine:
        raise NotAllowed("the item is not assigned to you", hint="take it from the queue first")
    faults = faults_of(items.rubric(transaction, item.rubric), scores, comments, partial=True)
    if faults and rubric == item.rubric:
        raise InvalidReview(faults)
    draft = Draft(
        item=item.id,
        person=person.name,
        purpose=purpose,
        rubric=rubric,
        transcript=transcript,
        scores=dict(scores),
        comments=dict(comments),
        saved=when,
    )
    items.keep_draft(transaction, draft)
    return draft


def submit(
    transaction: Transaction,
    person: Person,
    given: Submission,
    *,
    when: str,
    entered_by: str | None = None,
) -> Submitted:
    """Take a review or an adjudication; see ReviewDesk.submit."""
    meaning = assigning.known_purpose(given.meaning)
    allow(person, "review" if meaning == "reviewed" else "adjudicate")
    item = items.item(transaction, given.item, lock=True)
    rubric = _checked(transaction, item, given)
    for known in _counting(transaction, item):
        if known.reviewer == person.name and known.meaning == given.meaning:
            if _same(known, given):
                return Submitted(review=known, incidents=(), item=item, new=False)
            message = f"'{person.name}' has {known.meaning} this item already"
            raise Outdated(message, hint="correct that review instead")
    item = assigning.hold(transaction, person, item, meaning, when=when)
    if given.meaning == "adjudicated" and item.state != "adjudication":
        raise Outdated("the item is not to be adjudicated")
    review = _review(transaction, person, item, rubric, given, when, entered_by)
    return _keep(transaction, item, rubric, review, given, before=None)


def correct(
    transaction: Transaction,
    person: Person,
    name: str,
    given: Submission,
    *,
    when: str,
    entered_by: str | None = None,
) -> Submitted:
    """Take a review in place of an earlier one; see ReviewDesk.correct."""
    before = logbook.review(transaction, name)
    if before is None or (before.item != given.item):
        raise NotFound(f"there is no review '{name[:80]}' of this item")
    allow(person, "review" if before.meaning == "reviewed" else "adjudicate")
    if before.reviewer != person.name:
        raise NotAllowed("a review is corrected by whoever made it, and by nobody else")
    item = items.item(transaction, before.item, lock=True)
    if given.meaning != before.meaning:
        raise Outdated(f"this review is {before.meaning}, and is corrected as such")
    rubric = _checked(transaction, item, given)
    if all(each.id != name for each in _counting(transaction, item)):
        raise Outdated("this review does not stand any more: a later one superseded it")
    if _same(before, given):
        return Submitted(review=before, incidents=(), item=item, new=False)
    _may_correct(items.outcome_of(transaction, item), before)
    review = _review(transaction, person, item, rubric, given, when, entered_by)
    review = msgspec.structs.replace(review, supersedes=name)
    return _keep(transaction, item, rubric, review, given, before=before)


def _may_correct(reached: ItemOutcome, before: Review) -> None:
    """Refuse a correction that would undo a disagreement among reviewers: that is for the
    adjudicator. Whoever reviews alone may still become sure.
    """
    if before.meaning == "adjudicated":
        return
    if reached.decided_by == "adjudicated":
        raise Outdated("the item has been adjudicated, so its reviews stay as they are")
    if reached.state == "adjudication" and reached.needed > 1:
        raise Outdated(
            "the reviewers disagree, so an adjudicator decides and their reviews stay as they are",
            hint="tell the adjudicator what was a slip",
        )


def _checked(transaction: Transaction, item: QueueItem, given: Submission) -> Rubric:
    if given.rubric != item.rubric:
        message = "the rubric changed after this review was started; nothing was submitted"
        raise Outdated(message, hint="open the item again: the draft is kept")
    if given.transcript != item.transcript:
        message = "the transcript changed after this review was started; nothing was submitted"
        raise Outdated(message, hint="read the transcript again: the draft is kept")
    rubric = items.rubric(transaction, item.rubric)
    faults = faults_of(rubric, given.scores, given.comments)
    if faults:
        raise InvalidReview(faults)
    return rubric


def _counting(transaction: Transaction, item: QueueItem) -> list[Review]:
    return counting(items.queued(item), logbook.reviews_of_item(transaction, item.id))


def _same(known: Review, given: Submission) -> bool:
    return known.scores == given.scores and known.comments == kept_comments(given.comments)


def kept_comments(comments: dict[str, str]) -> dict[str, str]:
    """Return comments without the empty ones."""
    return {name: text for name, text in comments.items() if text.strip()}


def _review(
    transaction: Transaction,
    person: Person,
    item: QueueItem,
    rubric: Rubric,
    given: Submission,
    when: str,
    entered_by: str | None,
) -> Review:
    settles: tuple[str, ...] = ()
    if given.meaning == "adjudicated":
        found = _counting(transaction, item)
        settles = tuple(each.id for each in found if each.meaning == "reviewed")
    return Review(
        id=secrets.token_hex(8),
        item=item.id,
        run=item.run,
        case=item.case,
        trial=item.trial,
        reviewer=person.name,
        role=person.role,
        when=when,
        meaning=given.meaning,
        rubric_id=rubric.id,
        rubric_version=rubric.version,
        rubric=item.rubric,
        transcript=item.transcript,
        scores=dict(given.scores),
        comments=kept_comments(given.comments),
        settles=settles,
        blind=not seeing.visible(transaction, person, item),
        entered_by=entered_by,
    )


def _keep(
    transaction: Transaction,
    item: QueueItem,
    rubric: Rubric,
    review: Review,
    given: Submission,
    *,
    before: Review | None,
) -> Submitted:
    """Append the review and the incidents that it opens, and bring the item up to date."""
    known = incidents.as_left(logbook.incident_changes(transaction, item=item.id)).values()
    met = incidents.wanted_triggers(review, before, rubric, known)
    excerpt = _excerpt(given.excerpt)
    opened = [incidents.opening(review, rubric, trigger, excerpt) for trigger in met]
    once = ("supersedes", before.id) if before is not None else _first(review)
    entries = [
        logbook.Entry(
            kind="review",
            body=review,
            item=item.id,
            person=review.reviewer,
            about=review.id,
            once=once,
        ),
        *(
            logbook.Entry(
                kind="incident",
                body=change,
                item=item.id,
                person=change.who,
                about=change.incident,
                once=("opened", change.incident),
            )
            for change in opened
        ),
    ]
    logbook.append(transaction, item.run, entries)
    items.drop_draft(transaction, item.id, review.reviewer)
    return Submitted(
        review=review,
        incidents=tuple(incidents.as_left(opened).values()),
        item=items.refresh(transaction, item.id),
    )


def _first(review: Review) -> tuple[str, ...]:
    return (review.item, review.meaning, review.reviewer, review.transcript, review.rubric)


def _excerpt(text: str) -> str:
    kept = text.replace("\x00", "").encode("utf-8", "backslashreplace").decode()
    return kept if len(kept) <= LONGEST_EXCERPT else f"{kept[:LONGEST_EXCERPT]}…"
