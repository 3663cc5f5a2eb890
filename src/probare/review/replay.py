"""A review log read on its own, without the database: what follows from it, what does not hold.

The chain tells that records are those that were written (`log`). Here the records are held to the
rules they were written under: a reviewer's scores are on the scale of a rubric that the log holds,
an adjudicator is none of the reviewers, every score that meets a trigger has its incident.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

import msgspec

from probare.model.incident import Incident, IncidentChange
from probare.model.review import (
    ItemOutcome,
    LogFinding,
    LogRecord,
    QueuedRecord,
    Review,
    UnblindedRecord,
    item_id,
)
from probare.model.rubric import Rubric
from probare.review.incidents import as_left
from probare.review.log import first_hash, read_log
from probare.review.outcomes import counting, levels, outcome
from probare.review.people import may
from probare.review.validating import faults_of

T = TypeVar("T")


class Replay(msgspec.Struct, frozen=True, kw_only=True):
    """What a log says. `items` are those last queued, by id; `reviews` hold superseded ones too;
    `head` is the hash of the last record.
    """

    rubrics: dict[str, Rubric]
    items: dict[str, QueuedRecord]
    reviews: tuple[Review, ...]
    incidents: tuple[Incident, ...]
    unblinded: tuple[UnblindedRecord, ...]
    outcomes: tuple[ItemOutcome, ...]
    findings: tuple[LogFinding, ...]
    head: str

    @property
    def open_incidents(self) -> tuple[Incident, ...]:
        """The incidents that hold the gate."""
        return tuple(each for each in self.incidents if each.open and each.holds_gate)


def replay(lines: Iterable[bytes], run: str | None = None) -> Replay:
    """Read a log (without line feeds, or with) and work out what follows from it.

    Nothing is raised for a bad log: `findings` say what is wrong, by record, and records that
    break the rules play no part in the outcomes.
    """
    records, findings = read_log(lines, run)
    reading = _Reading()
    for record in records:
        findings.extend(LogFinding(words, record.seq) for words in reading.take(record))
    findings.extend(LogFinding(words) for words in reading.missing_incidents())
    name = run or (records[0].run if records else "")
    return Replay(
        rubrics=reading.rubrics,
        items=reading.items,
        reviews=tuple(reading.reviews.values()),
        incidents=tuple(as_left(reading.changes).values()),
        unblinded=tuple(reading.unblinded),
        outcomes=tuple(reading.outcomes()),
        findings=tuple(findings),
        head=records[-1].hash if records else first_hash(name),
    )


class _Reading:
    def __init__(self) -> None:
        self.rubrics: dict[str, Rubric] = {}
        self.items: dict[str, QueuedRecord] = {}
        self.reviews: dict[str, Review] = {}
        self.changes: list[IncidentChange] = []
        self.unblinded: list[UnblindedRecord] = []
        self._of_item: dict[str, list[Review]] = {}
        self._of_incident: dict[str, list[IncidentChange]] = {}

    def take(self, record: LogRecord) -> Iterator[str]:
        """Take one record, and yield what is wrong with it."""
        takers = {
            "rubric": self._rubric,
            "queued": self._queued,
            "review": self._review,
            "incident": self._incident,
            "unblinded": self._unblinded,
        }
        try:
            yield from takers[record.kind](record)
        except (msgspec.ValidationError, ValueError, TypeError) as error:
            yield f"is no {record.kind} record: {error}"

    def _rubric(self, record: LogRecord) -> Iterator[str]:
        rubric = msgspec.convert(record.body.get("rubric"), Rubric)
        if rubric.digest != record.body.get("digest"):
            yield "the rubric's digest is not the one of what it says"
            return
        self.rubrics[rubric.digest] = rubric

    def _queued(self, record: LogRecord) -> Iterator[str]:
        item = _body(record, QueuedRecord)
        if item.run != record.run or item.item != item_id(item.run, item.case, item.trial):
            yield "the item's id is not the one of its run, case and trial"
        elif item.rubric not in self.rubrics:
            yield "the item's rubric does not stand before it in the log"
        else:
            self.items[item.item] = item

    def _review(self, record: LogRecord) -> Iterator[str]:
        review = _body(record, Review)
        wrong = list(self._faults(review, record.run))
        yield from wrong
        if wrong:
            return
        self.reviews[review.id] = review
        self._of_item.setdefault(review.item, []).append(review)

    def _faults(self, review: Review, run: str) -> Iterator[str]:
        item = self.items.get(review.item)
        if item is None:
            yield "the review is of an item that was not queued"
            return
        if (review.run, review.case, review.trial) != (run, item.case, item.trial):
            yield "the review's run, case and trial are not the item's"
        if review.id in self.reviews:
            yield f"review {review.id} stands twice"
        if (review.transcript, review.rubric) != (item.transcript, item.rubric):
            yield "the review is of another transcript or rubric than the item"
            return
        if not may(review.role, "review" if review.meaning == "reviewed" else "adjudicate"):
            yield f"the role {review.role} makes no such review"
        rubric = self.rubrics[item.rubric]
        if (review.rubric_id, review.rubric_version) != (rubric.id, rubric.version):
            yield "the review names another rubric than its digest"
        yield from map(str, faults_of(rubric, review.scores, review.comments))
        yield from self._order_faults(review, item)

    def _order_faults(self, review: Review, item: QueuedRecord) -> Iterator[str]:
        """Yield where a review may not stand after those before it."""
        standing = counting(item, self._of_item.get(review.item, []))
        mine = [
            each
            for each in standing
            if each.reviewer == review.reviewer and each.meaning == review.meaning
        ]
        if review.supersedes is None:
            if mine:
                yield f"'{review.reviewer}' has {review.meaning} the item before"
            reviewed = [each for each in standing if each.meaning == "reviewed"]
            if review.meaning == "reviewed" and len(reviewed) >= item.overlap and not mine:
                yield "the item had all its reviews"
            if review.meaning == "adjudicated" and len(reviewed) < item.overlap:
                yield "the item was adjudicated before its reviews were in"
        elif all(each.id != review.supersedes for each in mine):
            yield "supersedes a review that does not stand, or is not of the same person"
        if review.meaning == "adjudicated" and any(
            each.reviewer == review.reviewer and each.meaning == "reviewed"
            for each in self._of_item.get(review.item, [])
        ):
            yield "the adjudicator has reviewed the item"

    def _incident(self, record: LogRecord) -> Iterator[str]:
        change = _body(record, IncidentChange)
        before = self._of_incident.setdefault(change.incident, [])
        incident = as_left(before).get(change.incident)
        if change.opened is not None:
            wrong = list(self._opening_faults(change, record.run))
            if incident is not None:
                wrong.append(f"incident {change.incident} is opened twice")
        elif incident is None:
            wrong = [f"incident {change.incident} was not opened"]
        else:
            wrong = [] if incident.open else [f"incident {change.incident} was closed before"]
            if not may(change.role, "handle_incidents"):
                wrong.append(f"the role {change.role} does not handle incidents")
            if change.action == "closed" and not (change.decision or "").strip():
                wrong.append("an incident is closed without a decision")
        yield from wrong
        if not wrong:
            self.changes.append(change)
            before.append(change)

    def _opening_faults(self, change: IncidentChange, run: str) -> Iterator[str]:
        by = change.opened
        assert by is not None
        review = self.reviews.get(by.review)
        if review is None or review.scores.get(by.dimension) != by.score or by.run != run:
            yield "the incident does not follow from a review before it"
            return
        met = self.rubrics[review.rubric].triggered(levels(review.scores))
        said = (by.dimension, by.kind, by.holds_gate)
        if all((each.dimension, each.opens, each.holds_gate) != said for each in met):
            yield "no trigger of the rubric opens this incident"

    def _unblinded(self, record: LogRecord) -> Iterator[str]:
        self.unblinded.append(_body(record, UnblindedRecord))
        yield from ()

    def missing_incidents(self) -> Iterator[str]:
        """Yield each score that met a trigger and opened nothing."""
        there = {
            (each.opened.item, each.opened.dimension, each.opened.kind)
            for each in self.changes
            if each.opened is not None
        }
        for review in self.reviews.values():
            for trigger in self.rubrics[review.rubric].triggered(levels(review.scores)):
                if (review.item, trigger.dimension, trigger.opens) not in there:
                    yield (
                        f"review {review.id} gave a score of {trigger.dimension} that opens an "
                        "incident, and there is none"
                    )

    def outcomes(self) -> Iterator[ItemOutcome]:
        """Yield what the reviews of each item come to."""
        for name, item in self.items.items():
            yield outcome(item, self.rubrics[item.rubric], self._of_item.get(name, []))


def _body(record: LogRecord, kind: type[T]) -> T:
    body: Any = record.body
    return msgspec.convert(body, kind)
