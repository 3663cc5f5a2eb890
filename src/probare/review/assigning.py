"""Who reviews which item: places given, taken and left."""

from __future__ import annotations

from probare.errors import Fault, InvalidReview, NotAllowed, Outdated, Place
from probare.model.review import Meaning, Person, QueueItem
from probare.review import items, logbook
from probare.review.database import Transaction
from probare.review.outcomes import current
from probare.review.people import allow, may


def take_place(
    transaction: Transaction, item: QueueItem, who: Person, purpose: Meaning, *, by: str, when: str
) -> None:
    """Give a person a place at an item whose log is locked.

    Raises Outdated where they have one, or where none is free and somebody assigns; NotAllowed
    where they may not have one.
    """
    allow(who, "review" if purpose == "reviewed" else "adjudicate")
    holders = [each for each in item.assigned if each.purpose == purpose]
    for each in holders:
        if each.person.casefold() == who.name.casefold():
            raise Outdated(f"the item is assigned to '{each.person}' already")
    _may_judge(transaction, item, who.name, purpose)
    places = item.overlap if purpose == "reviewed" else 1
    if len(holders) >= places:
        names = " and ".join(f"'{each.person}'" for each in holders)
        message = f"the item is assigned to {names}, and needs no more"
        if by == who.name:
            raise NotAllowed(message, hint="take the next one from the queue")
        raise Outdated(message, hint="release it from one of them first")
    rows = transaction.rows(
        "SELECT place FROM assignments WHERE item = :item AND purpose = :purpose",
        item=item.id,
        purpose=purpose,
    )
    taken = {int(row["place"]) for row in rows}
    transaction.run(
        "INSERT INTO assignments (item, person, purpose, place, given_by, given, submitted) "
        "VALUES (:item, :person, :purpose, :place, :by, :given, 0)",
        item=item.id,
        person=who.name,
        purpose=purpose,
        place=next(number for number in range(places) if number not in taken),
        by=by,
        given=when,
    )


def _may_judge(transaction: Transaction, item: QueueItem, name: str, purpose: Meaning) -> None:
    if purpose == "adjudicated":
        if item.state != "adjudication":
            raise Outdated(f"the item is not to be adjudicated: it is {_standing(item)}")
        reviewers = {
            each.reviewer.casefold()
            for each in logbook.reviews_of_item(transaction, item.id)
            if each.meaning == "reviewed"
        }
        if name.casefold() in reviewers:
            message = f"'{name}' has reviewed this item, so another must adjudicate it"
            raise NotAllowed(message)
        return
    if item.state not in ("waiting", "in_review"):
        raise Outdated(f"the item takes no more reviews: it is {_standing(item)}")
    if logbook.unblinded(transaction, name, item.id):
        raise NotAllowed(f"'{name}' has seen this item's verdicts or scores, so cannot review it")


def _standing(item: QueueItem) -> str:
    words = {
        "waiting": "waiting for reviews",
        "in_review": f"at {item.reviews_in} of {item.overlap} reviews",
        "adjudication": "waiting for an adjudicator",
        "done": "done",
    }
    return words[item.state]


def release(transaction: Transaction, person: Person, item: QueueItem, name: str) -> None:
    """Take an item from a person, with their draft. Raises where it is not theirs to leave."""
    if name != person.name:
        allow(person, "assign")
    else:
        allow(person, "review")
    held = [each for each in item.assigned if each.person == name]
    if not held:
        raise Outdated(f"the item is not assigned to '{name}'")
    left = [each for each in held if not each.submitted]
    if not left:
        raise Outdated(f"'{name}' has submitted; a review is corrected, never taken back")
    for each in left:
        transaction.run(
            "DELETE FROM assignments WHERE item = :item AND person = :person "
            "AND purpose = :purpose",
            item=item.id,
            person=name,
            purpose=each.purpose,
        )
    items.drop_draft(transaction, item.id, name)


def purpose_of(transaction: Transaction, person: Person, item: QueueItem) -> Meaning:
    """Say what a person who opens an item does there: review it, or adjudicate."""
    if item.state != "adjudication" or not may(person.role, "adjudicate"):
        return "reviewed"
    reviews = current(logbook.reviews_of_item(transaction, item.id))
    own = any(each.reviewer == person.name and each.meaning == "reviewed" for each in reviews)
    return "reviewed" if own else "adjudicated"


def hold(
    transaction: Transaction, person: Person, item: QueueItem, purpose: Meaning, *, when: str
) -> QueueItem:
    """See that the item is the person's, taking a free place where it is not.

    Raises NotAllowed where it is another's.
    """
    held = any(each.person == person.name and each.purpose == purpose for each in item.assigned)
    if held:
        allow(person, "review" if purpose == "reviewed" else "adjudicate")
        return item
    take_place(transaction, item, person, purpose, by=person.name, when=when)
    return items.item(transaction, item.id)


def known_purpose(value: str) -> Meaning:
    """Return a purpose that came from outside. Raises InvalidReview."""
    if value == "reviewed" or value == "adjudicated":
        return value
    message = "an item is assigned to be reviewed or adjudicated"
    raise InvalidReview([Fault(message, Place(path="purpose"))])
