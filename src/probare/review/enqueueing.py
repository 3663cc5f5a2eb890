"""Putting trials in the queue. Doing it twice changes nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from probare.encoding import jsonbytes
from probare.errors import Fault, InvalidReview, Outdated, Place
from probare.model.review import Person, QueuedRecord, QueueItem, Reason, Wanted, item_id
from probare.model.rubric import Rubric
from probare.review import items, logbook
from probare.review.database import Row, Transaction
from probare.review.people import allow
from probare.review.validating import text_fault

_DIGEST = re.compile("[0-9a-f]{64}")
_LONGEST_NAME = 1_000
_INSERT = (
    "INSERT INTO items (id, run, case_id, trial, transcript, rubric, reasons, priority, due, "
    "overlap, distance, state, reviews_in) VALUES (:id, :run, :case_id, :trial, :transcript, "
    ":rubric, :reasons, :priority, :due, :overlap, :distance, 'waiting', 0)"
)


class Enqueued(msgspec.Struct, frozen=True, kw_only=True):
    """How many items were added, were there already, and were changed (transcript, rubric)."""

    added: int
    known: int
    changed: int


def enqueue(
    transaction: Transaction,
    person: Person,
    run: str,
    rubric: Rubric,
    wanted: Sequence[Wanted],
    *,
    new_rubric: bool,
    when: str,
) -> Enqueued:
    """Add items; see ReviewDesk.enqueue."""
    allow(person, "enqueue")
    faults = [*_faults(run, wanted)]
    if faults:
        raise InvalidReview(faults)
    logbook.lock(transaction, run)
    entries = _rubric_entries(transaction, person, run, rubric, when)
    rows = transaction.rows("SELECT i.* FROM items i WHERE i.run = :run", run=run)
    there = {item.id: item for item in items.with_assignments(transaction, rows)}
    added: list[Row] = []
    changed: list[tuple[QueueItem, QueueItem]] = []
    for each in wanted:
        row = _row(run, rubric, each)
        known = there.get(row["id"])
        if known is None:
            added.append(row)
        elif (now := _as_asked(known, each, rubric)) != known:
            changed.append((known, now))
    _refuse_new_rubric(changed, new_rubric)
    transaction.run_many(_INSERT, added)
    for _, now in changed:
        _update(transaction, now)
    asked = [(row["id"], row) for row in added]
    asked += [(now.id, _plain(now)) for before, now in changed if _asks_other(before, now)]
    entries += [_entry(person, when, name, row) for name, row in asked]
    logbook.append(transaction, run, entries)
    for _, now in changed:
        items.refresh(transaction, now.id)
    anew = len(asked) - len(added)
    return Enqueued(added=len(added), known=len(wanted) - len(asked), changed=anew)


def _faults(run: str, wanted: Sequence[Wanted]) -> Iterator[Fault]:
    if not run or text_fault(run, _LONGEST_NAME):
        yield Fault("is no id of a run", Place(path="run"))
    seen: set[tuple[str, int]] = set()
    for each in wanted:
        place = Place(path=f"{each.case[:80]} trial {each.trial}")
        wrong = text_fault(each.case, _LONGEST_NAME)
        if not each.case or wrong:
            yield Fault(f"the case's id {wrong or 'is empty'}", place)
        if each.trial < 0 or each.overlap < 1 or each.distance < 0 or each.priority < 1:
            yield Fault("trial, overlap, distance or priority is too small", place)
        if not _DIGEST.fullmatch(each.transcript):
            yield Fault("the transcript's digest is no SHA-256", place)
        if not each.reasons:
            yield Fault("no reason says why it is in the queue", place)
        if (each.case, each.trial) in seen:
            yield Fault("stands twice", place)
        seen.add((each.case, each.trial))


def _rubric_entries(
    transaction: Transaction, person: Person, run: str, rubric: Rubric, when: str
) -> list[logbook.Entry]:
    """Keep the rubric, and log it where this run's log does not have it yet."""
    items.keep_rubric(transaction, rubric)
    known = transaction.row(
        "SELECT seq FROM log WHERE run = :run AND kind = 'rubric' AND about = :about",
        run=run,
        about=rubric.digest,
    )
    if known is not None:
        return []
    body = {
        "digest": rubric.digest,
        "rubric": msgspec.to_builtins(rubric),
        "who": person.name,
        "role": person.role,
        "when": when,
    }
    once = ("rubric", run, rubric.digest)
    return [logbook.Entry(kind="rubric", body=body, about=rubric.digest, once=once)]


def _row(run: str, rubric: Rubric, each: Wanted) -> Row:
    return {
        "id": item_id(run, each.case, each.trial),
        "run": run,
        "case_id": each.case,
        "trial": each.trial,
        "transcript": each.transcript,
        "rubric": rubric.digest,
        "reasons": jsonbytes.encode(each.reasons).decode(),
        "priority": each.priority,
        "due": each.due,
        "overlap": each.overlap,
        "distance": each.distance,
    }


def _as_asked(known: QueueItem, each: Wanted, rubric: Rubric) -> QueueItem:
    """Return the item as it is asked for now.

    How many reviewers it needs and how far apart they may be stays as it is once a review is in;
    and it needs no fewer reviewers than it is assigned to. A due time stays.
    """
    now = msgspec.structs.replace(
        known,
        transcript=each.transcript,
        rubric=rubric.digest,
        reasons=each.reasons,
        priority=each.priority,
    )
    if known.reviews_in:
        return now
    assigned = sum(one.purpose == "reviewed" for one in known.assigned)
    overlap = max(each.overlap, assigned)
    return msgspec.structs.replace(now, overlap=overlap, distance=each.distance)


def _asks_other(before: QueueItem, now: QueueItem) -> bool:
    return (before.transcript, before.rubric, before.overlap, before.distance) != (
        now.transcript,
        now.rubric,
        now.overlap,
        now.distance,
    )


def _refuse_new_rubric(changed: list[tuple[QueueItem, QueueItem]], new_rubric: bool) -> None:
    reviewed = [
        before
        for before, now in changed
        if before.reviews_in and before.rubric != now.rubric and before.transcript == now.transcript
    ]
    if reviewed and not new_rubric:
        count = "1 item has" if len(reviewed) == 1 else f"{len(reviewed)} items have"
        raise Outdated(
            f"{count} reviews that were made with another version of the rubric",
            hint="keep the rubric; or say that these must be reviewed anew (new_rubric)",
        )


def _plain(item: QueueItem) -> Row:
    return {
        **msgspec.structs.asdict(item),
        "case_id": item.case,
        "reasons": jsonbytes.encode(item.reasons).decode(),
    }


def _update(transaction: Transaction, now: QueueItem) -> None:
    row = _plain(now)
    transaction.run(
        "UPDATE items SET transcript = :transcript, rubric = :rubric, reasons = :reasons, "
        "priority = :priority, overlap = :overlap, distance = :distance WHERE id = :id",
        **{
            name: row[name]
            for name in (
                "transcript",
                "rubric",
                "reasons",
                "priority",
                "overlap",
                "distance",
                "id",
            )
        },
    )


def _entry(person: Person, when: str, name: str, row: Row) -> logbook.Entry:
    record = QueuedRecord(
        item=name,
        run=row["run"],
        case=row["case_id"],
        trial=row["trial"],
        transcript=row["transcript"],
        rubric=row["rubric"],
        reasons=msgspec.json.decode(row["reasons"], type=tuple[Reason, ...]),
        overlap=row["overlap"],
        distance=row["distance"],
        who=person.name,
        role=person.role,
        when=when,
    )
    return logbook.Entry(kind="queued", body=record, item=name, person=person.name)
