"""Items in the database: how they stand, who they are assigned to, and drafts."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from probare.encoding import jsonbytes
from probare.errors import NotFound
from probare.model.review import (
    Assignment,
    Draft,
    ItemOutcome,
    Meaning,
    QueuedRecord,
    QueueItem,
    Reason,
)
from probare.model.rubric import Rubric
from probare.review import logbook
from probare.review.database import Row, Transaction
from probare.review.outcomes import outcome

ORDER = "ORDER BY i.priority, COALESCE(i.due, '9999'), i.case_id, i.trial, i.id"


def item(transaction: Transaction, name: str, *, lock: bool = False) -> QueueItem:
    """Return an item. `lock` holds its run's log first. Raises NotFound."""
    sql = "SELECT i.* FROM items i WHERE i.id = :id"
    row = transaction.row(sql, id=name)
    if row is None:
        raise NotFound(f"there is no item '{name[:80]}' in the queue")
    if lock:
        logbook.lock(transaction, str(row["run"]))
        row = transaction.row(sql, id=name) or row
    return with_assignments(transaction, [row])[0]


def with_assignments(transaction: Transaction, rows: Sequence[Row]) -> list[QueueItem]:
    """Return rows as items, with who they are assigned to."""
    found: dict[str, list[Assignment]] = {str(row["id"]): [] for row in rows}
    for row in _assignment_rows(transaction, list(found)):
        found[str(row["item"])].append(assignment_of(row))
    return [_item(row, tuple(found[str(row["id"])])) for row in rows]


def _assignment_rows(transaction: Transaction, names: list[str]) -> list[Row]:
    rows: list[Row] = []
    for start in range(0, len(names), 500):
        some = names[start : start + 500]
        marks = ", ".join(f":n{number}" for number in range(len(some)))
        values = {f"n{number}": name for number, name in enumerate(some)}
        sql = f"SELECT * FROM assignments WHERE item IN ({marks}) ORDER BY purpose DESC, place"  # noqa: S608 - marks alone
        rows.extend(transaction.rows(sql, **values))
    return rows


def assignment_of(row: Row) -> Assignment:
    """Return a row of assignments as a value."""
    return msgspec.convert(
        {
            "item": row["item"],
            "person": row["person"],
            "purpose": row["purpose"],
            "by": row["given_by"],
            "at": row["given"],
            "submitted": bool(row["submitted"]),
        },
        Assignment,
    )


def _item(row: Row, assigned: tuple[Assignment, ...]) -> QueueItem:
    plain = {
        **row,
        "case": row["case_id"],
        "reasons": msgspec.json.decode(str(row["reasons"]), type=tuple[Reason, ...]),
        "assigned": assigned,
    }
    return msgspec.convert(plain, QueueItem)


def queued(found: QueueItem) -> QueuedRecord:
    """Return an item as what it was queued as, which its outcome follows from."""
    return QueuedRecord(
        item=found.id,
        run=found.run,
        case=found.case,
        trial=found.trial,
        transcript=found.transcript,
        rubric=found.rubric,
        reasons=found.reasons,
        overlap=found.overlap,
        distance=found.distance,
        who="",
        role="lead",
        when="",
    )


def rubric(transaction: Transaction, name: str) -> Rubric:
    """Return the rubric of that digest. Raises NotFound."""
    row = transaction.row("SELECT body FROM rubrics WHERE digest = :name", name=name)
    if row is None:
        raise NotFound(f"there is no rubric {name[:64]} in the review database")
    return msgspec.json.decode(str(row["body"]), type=Rubric)


def keep_rubric(transaction: Transaction, given: Rubric) -> None:
    """Keep a rubric under its digest."""
    transaction.run(
        "INSERT INTO rubrics (digest, body) VALUES (:digest, :body) ON CONFLICT DO NOTHING",
        digest=given.digest,
        body=jsonbytes.encode(given).decode(),
    )


def outcome_of(transaction: Transaction, found: QueueItem) -> ItemOutcome:
    """Return what an item's reviews come to."""
    reviews = logbook.reviews_of_item(transaction, found.id)
    return outcome(queued(found), rubric(transaction, found.rubric), reviews)


def refresh(transaction: Transaction, name: str) -> QueueItem:
    """Work out an item's state from its reviews, and keep it with the item."""
    found = item(transaction, name)
    reached = outcome_of(transaction, found)
    counted = set(reached.reviews)
    reviews = [each for each in logbook.reviews_of_item(transaction, name) if each.id in counted]
    transaction.run(
        "UPDATE items SET state = :state, reviews_in = :count WHERE id = :id",
        id=name,
        state=reached.state,
        count=sum(review.meaning == "reviewed" for review in reviews),
    )
    transaction.run("UPDATE assignments SET submitted = 0 WHERE item = :id", id=name)
    for review in reviews:
        transaction.run(
            "UPDATE assignments SET submitted = 1 "
            "WHERE item = :id AND person = :person AND purpose = :purpose",
            id=name,
            person=review.reviewer,
            purpose=review.meaning,
        )
    return item(transaction, name)


def draft(transaction: Transaction, name: str, who: str) -> Draft | None:
    """Return what a person has saved of an item."""
    row = transaction.row(
        "SELECT body FROM drafts WHERE item = :item AND person = :person", item=name, person=who
    )
    return None if row is None else msgspec.json.decode(str(row["body"]), type=Draft)


def keep_draft(transaction: Transaction, given: Draft) -> None:
    """Save a draft in place of the one before."""
    transaction.run(
        "INSERT INTO drafts (item, person, body) VALUES (:item, :person, :body) "
        "ON CONFLICT (item, person) DO UPDATE SET body = excluded.body",
        item=given.item,
        person=given.person,
        body=jsonbytes.encode(given).decode(),
    )


def drop_draft(transaction: Transaction, name: str, who: str) -> None:
    """Forget a draft."""
    transaction.run(
        "DELETE FROM drafts WHERE item = :item AND person = :person", item=name, person=who
    )


def pending(found: QueueItem, who: str) -> Assignment | None:
    """Return the assignment that a person still has to fulfil, if any."""
    purpose: Meaning = "adjudicated" if found.state == "adjudication" else "reviewed"
    return next(
        (
            each
            for each in found.assigned
            if each.person == who and each.purpose == purpose and not each.submitted
        ),
        None,
    )
