"""The blind rule: who may see verdicts, judges' scores, and what other reviewers gave.

Until all reviews that an item needs are in, nobody sees these who could still review it: an
auditor may, and whoever gave up reviewing it. One's own reviews are always seen.
"""

from __future__ import annotations

from collections.abc import Iterable

from probare.errors import NotAllowed
from probare.model.incident import Incident
from probare.model.review import Person, QueueItem, Review, UnblindedRecord
from probare.review import logbook
from probare.review.database import Transaction
from probare.review.incidents import redacted
from probare.review.people import allow, may

BLIND = ("waiting", "in_review")


def visible(transaction: Transaction, person: Person, item: QueueItem) -> bool:
    """Whether a person may see what an item's verdicts and other reviews say."""
    allow(person, "read")
    if item.state not in BLIND or not may(person.role, "review"):
        return True
    return logbook.unblinded(transaction, person.name, item.id)


def hidden_trials(transaction: Transaction, person: Person, run: str) -> frozenset[tuple[str, int]]:
    """Return the (case, trial) of a run whose verdicts a person may not see yet."""
    allow(person, "read")
    if not may(person.role, "review"):
        return frozenset()
    rows = transaction.rows(
        "SELECT i.case_id, i.trial FROM items i WHERE i.run = :run "
        "AND i.state IN ('waiting', 'in_review') AND NOT EXISTS (SELECT 1 FROM log l "
        "WHERE l.item = i.id AND l.kind = 'unblinded' AND l.person = :person)",
        run=run,
        person=person.name,
    )
    return frozenset((str(row["case_id"]), int(row["trial"])) for row in rows)


def seen_reviews(transaction: Transaction, person: Person, item: QueueItem) -> tuple[Review, ...]:
    """Return the reviews of an item that a person may see, superseded ones too."""
    found = logbook.reviews_of_item(transaction, item.id)
    if visible(transaction, person, item):
        return tuple(found)
    return tuple(review for review in found if review.reviewer == person.name)


def unblind(
    transaction: Transaction, person: Person, item: QueueItem, *, why: str, when: str
) -> None:
    """Let a person see an item now, who then cannot review it any more. The log keeps it.

    Raises NotAllowed where the role does not allow it, or the person is still to review it.
    """
    allow(person, "unblind")
    if visible(transaction, person, item):
        return
    if to_review(item, person.name):
        message = "you are to review this item, so its verdicts and scores stay hidden"
        raise NotAllowed(message, hint="review it, or release it to another reviewer first")
    record = UnblindedRecord(item=item.id, who=person.name, role=person.role, when=when, why=why)
    entry = logbook.Entry(
        kind="unblinded",
        body=record,
        item=item.id,
        person=person.name,
        once=("unblinded", item.id, person.name),
    )
    logbook.append(transaction, item.run, [entry])


def to_review(item: QueueItem, name: str) -> bool:
    """Whether a person is assigned to review an item, and has not."""
    return any(
        each.person == name and each.purpose == "reviewed" and not each.submitted
        for each in item.assigned
    )


def seen_incidents(
    transaction: Transaction,
    person: Person,
    found: Iterable[Incident],
    items: dict[str, QueueItem],
) -> tuple[Incident, ...]:
    """Return incidents as far as a person may see them.

    One of an item that is blind to the person is left out; a lead, who must know of it at once,
    sees that it is there and nothing of the review, unless the item is theirs to review.
    """
    shown: list[Incident] = []
    for incident in found:
        item = items.get(incident.item)
        if item is None or incident_visible(transaction, person, incident, item):
            shown.append(incident)
        elif may(person.role, "handle_incidents") and not to_review(item, person.name):
            shown.append(redacted(incident))
    return tuple(shown)


def incident_visible(
    transaction: Transaction, person: Person, incident: Incident, item: QueueItem
) -> bool:
    """Whether a person may see all of an incident: the item is visible, or the score theirs."""
    return incident.opened_by == person.name or visible(transaction, person, item)
