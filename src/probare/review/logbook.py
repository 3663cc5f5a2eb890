"""The log in the database: records are appended under the lock of their run, and only read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

from probare.encoding import digest
from probare.model.incident import IncidentChange
from probare.model.review import LogRecord, RecordKind, Review
from probare.review.database import Row, Transaction
from probare.review.log import first_hash, line_of, make

T = TypeVar("T")

_INSERT = (
    "INSERT INTO log (run, seq, kind, item, person, about, once, line, hash) VALUES "
    "(:run, :seq, :kind, :item, :person, :about, :once, :line, :hash)"
)


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A record to be appended, and what it is found by.

    Of several records with one `once`, the database keeps the first and refuses the others.
    """

    kind: RecordKind
    body: Any
    item: str | None = None
    person: str | None = None
    about: str | None = None
    once: tuple[str, ...] = ()


def lock(transaction: Transaction, run: str) -> None:
    """Hold the run's log until the transaction ends, so that nobody else appends to it."""
    transaction.run(
        "INSERT INTO runs (run, records, head) VALUES (:run, 0, :head) ON CONFLICT DO NOTHING",
        run=run,
        head=first_hash(run),
    )
    transaction.row(transaction.locking("SELECT head FROM runs WHERE run = :run"), run=run)


def append(transaction: Transaction, run: str, entries: Sequence[Entry]) -> list[LogRecord]:
    """Append records to a run's log, which this transaction has locked."""
    head = transaction.row("SELECT records, head FROM runs WHERE run = :run", run=run)
    assert head is not None, "the run's log is not locked"
    seq, prev = int(head["records"]), str(head["head"])
    records: list[LogRecord] = []
    rows: list[Row] = []
    for entry in entries:
        record = make(run, seq, prev, entry.kind, entry.body)
        seq, prev = seq + 1, record.hash
        records.append(record)
        rows.append(_row(record, entry))
    transaction.run_many(_INSERT, rows)
    transaction.run(
        "UPDATE runs SET records = :records, head = :head WHERE run = :run",
        run=run,
        records=seq,
        head=prev,
    )
    return records


def lines(transaction: Transaction, run: str) -> list[bytes]:
    """Return a run's log, as its lines without line feeds."""
    rows = transaction.rows("SELECT line FROM log WHERE run = :run ORDER BY seq", run=run)
    return [str(row["line"]).encode() for row in rows]


def reviews_of_item(transaction: Transaction, item: str) -> list[Review]:
    """Return all reviews of an item, superseded ones too, in the order they came."""
    rows = transaction.rows(
        "SELECT line FROM log WHERE item = :item AND kind = 'review' ORDER BY seq", item=item
    )
    return [_body(row, Review) for row in rows]


def reviews_of_run(transaction: Transaction, run: str) -> list[Review]:
    """Return all reviews of a run, superseded ones too, in the order they came."""
    rows = transaction.rows(
        "SELECT line FROM log WHERE run = :run AND kind = 'review' ORDER BY seq", run=run
    )
    return [_body(row, Review) for row in rows]


def review(transaction: Transaction, name: str) -> Review | None:
    """Return the review of that id."""
    row = transaction.row("SELECT line FROM log WHERE about = :id AND kind = 'review'", id=name)
    return None if row is None else _body(row, Review)


def incident_changes(
    transaction: Transaction, *, run: str | None = None, item: str | None = None
) -> list[IncidentChange]:
    """Return the records of the incidents of a run, of an item, or of all, oldest first."""
    rows = transaction.rows(
        "SELECT line FROM log WHERE kind = 'incident' "
        "AND (CAST(:run AS TEXT) IS NULL OR run = :run) "
        "AND (CAST(:item AS TEXT) IS NULL OR item = :item) ORDER BY run, seq",
        run=run,
        item=item,
    )
    return [_body(row, IncidentChange) for row in rows]


def changes_of_incident(transaction: Transaction, name: str) -> list[IncidentChange]:
    """Return the records of one incident, oldest first."""
    rows = transaction.rows(
        "SELECT line FROM log WHERE about = :id AND kind = 'incident' ORDER BY seq", id=name
    )
    return [_body(row, IncidentChange) for row in rows]


def unblinded(transaction: Transaction, name: str, item: str) -> bool:
    """Whether a person chose to see an item before its reviews were in."""
    found = transaction.row(
        "SELECT seq FROM log WHERE item = :item AND kind = 'unblinded' AND person = :name",
        item=item,
        name=name,
    )
    return found is not None


def _row(record: LogRecord, entry: Entry) -> Row:
    return {
        "run": record.run,
        "seq": record.seq,
        "kind": record.kind,
        "item": entry.item,
        "person": entry.person,
        "about": entry.about,
        "once": digest.of_value(entry.once) if entry.once else None,
        "line": line_of(record).decode(),
        "hash": record.hash,
    }


def _body(row: Row, kind: type[T]) -> T:
    record = msgspec.json.decode(str(row["line"]), type=LogRecord)
    return msgspec.convert(record.body, kind)
