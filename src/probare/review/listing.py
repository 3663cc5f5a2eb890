"""The queue as it is read: listed, counted, and what comes next."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec

from probare.model.review import ItemState, Person, QueueItem
from probare.review import items
from probare.review.database import Transaction
from probare.review.people import allow, may

_WHERE = (
    "WHERE (CAST(:run AS TEXT) IS NULL OR i.run = :run) "
    "AND (CAST(:state AS TEXT) IS NULL OR i.state = :state) "
    "AND (CAST(:case_id AS TEXT) IS NULL OR i.case_id = :case_id) "
    "AND (:mine = 0 OR EXISTS (SELECT 1 FROM assignments a "
    "WHERE a.item = i.id AND a.person = :person))"
)
_MINE = (
    "SELECT i.* FROM items i JOIN assignments a ON a.item = i.id "
    "WHERE a.person = :person AND a.submitted = 0 "
    "AND (CAST(:run AS TEXT) IS NULL OR i.run = :run) "
    "AND ((a.purpose = 'reviewed' AND i.state IN ('waiting', 'in_review')) "
    "OR (a.purpose = 'adjudicated' AND i.state = 'adjudication'))"
)
_FREE = (
    "SELECT i.* FROM items i WHERE i.state IN ('waiting', 'in_review') "
    "AND (CAST(:run AS TEXT) IS NULL OR i.run = :run) "
    "AND (SELECT COUNT(*) FROM assignments a WHERE a.item = i.id "
    "AND a.purpose = 'reviewed') < i.overlap "
    "AND NOT EXISTS (SELECT 1 FROM assignments a WHERE a.item = i.id AND a.person = :person) "
    "AND NOT EXISTS (SELECT 1 FROM log l WHERE l.item = i.id AND l.kind = 'unblinded' "
    "AND l.person = :person)"
)
_TO_ADJUDICATE = (
    "SELECT i.* FROM items i WHERE i.state = 'adjudication' "
    "AND (CAST(:run AS TEXT) IS NULL OR i.run = :run) "
    "AND NOT EXISTS (SELECT 1 FROM assignments a WHERE a.item = i.id "
    "AND (a.person = :person OR a.purpose = 'adjudicated')) "
    "AND NOT EXISTS (SELECT 1 FROM log l WHERE l.item = i.id AND l.kind = 'review' "
    "AND l.person = :person)"
)


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """How far a queue is: items in all, by state, and as one person sees it.

    `mine_left` are assigned to the person and not submitted, `mine_done` submitted; `free` are
    those that the person could still take.
    """

    total: int
    waiting: int
    in_review: int
    adjudication: int
    done: int
    mine_left: int
    mine_done: int
    free: int


def queue(
    transaction: Transaction,
    person: Person,
    *,
    run: str | None,
    state: ItemState | None,
    case: str | None,
    mine: bool,
    offset: int,
    limit: int,
) -> list[QueueItem]:
    """Return items in the order in which they are due; see ReviewDesk.queue."""
    allow(person, "read")
    rows = transaction.rows(
        f"SELECT i.* FROM items i {_WHERE} {items.ORDER} LIMIT :limit OFFSET :offset",  # noqa: S608 - constants alone
        **_values(person, run, state, case, mine),
        limit=max(0, limit),
        offset=max(0, offset),
    )
    return items.with_assignments(transaction, rows)


def count(
    transaction: Transaction,
    person: Person,
    *,
    run: str | None,
    state: ItemState | None,
    case: str | None,
    mine: bool,
) -> int:
    """Count what `queue` would list."""
    allow(person, "read")
    sql = f"SELECT COUNT(*) AS n FROM items i {_WHERE}"  # noqa: S608 - constants alone
    row = transaction.row(sql, **_values(person, run, state, case, mine))
    return 0 if row is None else int(row["n"])


def _values(
    person: Person, run: str | None, state: str | None, case: str | None, mine: bool
) -> dict[str, Any]:
    return {
        "run": run,
        "state": state,
        "case_id": case,
        "mine": int(mine),
        "person": person.name,
    }


def next_item(
    transaction: Transaction, person: Person, run: str | None, skip: Collection[str]
) -> QueueItem | None:
    """Return what a person does next; see ReviewDesk.next_item."""
    allow(person, "review")
    kinds = [_MINE, _TO_ADJUDICATE, _FREE] if may(person.role, "adjudicate") else [_MINE, _FREE]
    for sql in kinds:
        rows = transaction.rows(
            f"{sql} {items.ORDER} LIMIT :limit",
            run=run,
            person=person.name,
            limit=len(skip) + 1,
        )
        left = [row for row in rows if row["id"] not in skip]
        if left:
            return items.with_assignments(transaction, left[:1])[0]
    return None


def progress(transaction: Transaction, person: Person, run: str | None) -> Progress:
    """Return how far the queue is."""
    allow(person, "read")
    values = {"run": run, "person": person.name}
    states = transaction.rows(
        "SELECT i.state AS state, COUNT(*) AS n FROM items i "
        "WHERE (CAST(:run AS TEXT) IS NULL OR i.run = :run) GROUP BY i.state",
        run=run,
    )
    by_state = {str(row["state"]): int(row["n"]) for row in states}
    submitted = transaction.row(
        "SELECT COUNT(*) AS n FROM assignments a JOIN items i ON i.id = a.item "
        "WHERE a.person = :person AND a.submitted = 1 "
        "AND (CAST(:run AS TEXT) IS NULL OR i.run = :run)",
        **values,
    )

    def number(sql: str) -> int:
        row = transaction.row(f"SELECT COUNT(*) AS n FROM ({sql}) AS found", **values)  # noqa: S608 - constants alone
        return 0 if row is None else int(row["n"])

    reviews = may(person.role, "review")
    return Progress(
        total=sum(by_state.values()),
        waiting=by_state.get("waiting", 0),
        in_review=by_state.get("in_review", 0),
        adjudication=by_state.get("adjudication", 0),
        done=by_state.get("done", 0),
        mine_left=number(_MINE),
        mine_done=0 if submitted is None else int(submitted["n"]),
        free=number(_FREE) if reviews else 0,
    )
