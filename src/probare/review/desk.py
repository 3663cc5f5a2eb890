"""The review desk: all rules of reviewing in one place, for the page, the commands and imports.

Every call names who acts. Each is one transaction: it is kept as a whole, or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

import msgspec

from probare.errors import NotAllowed
from probare.model.incident import Incident, IncidentChange, Severity
from probare.model.review import (
    Draft,
    ItemOutcome,
    ItemState,
    LevelScore,
    LogFinding,
    Meaning,
    Person,
    QueueItem,
    Review,
    Submission,
    Wanted,
    item_id,
)
from probare.model.rubric import Rubric
from probare.review import (
    assigning,
    enqueueing,
    exchange,
    handling,
    items,
    listing,
    logbook,
    people,
    seeing,
    submitting,
)
from probare.review.accounts import Accounts
from probare.review.database import Database, Transaction
from probare.review.enqueueing import Enqueued
from probare.review.exchange import Imported, Sheet
from probare.review.filled import Filled
from probare.review.listing import Progress
from probare.review.outcomes import current
from probare.review.replay import replay
from probare.review.submitting import Submitted


def utc_now() -> datetime:
    """Return the time now, in UTC."""
    return datetime.now(UTC)


class Work(msgspec.Struct, frozen=True, kw_only=True):
    """What a person needs to review or adjudicate an item.

    `own` is their review that stands, `draft` what they saved. `others` are the reviews of others
    that stand, empty while these are hidden; `visible` says whether verdicts may be shown.
    """

    item: QueueItem
    rubric: Rubric
    purpose: Meaning
    draft: Draft | None
    own: Review | None
    others: tuple[Review, ...]
    visible: bool


class ReviewDesk:
    """The service behind every face of reviewing. Thread-safe. Close it, or use `with`."""

    def __init__(self, database: Database, *, now: Callable[[], datetime] = utc_now) -> None:
        self._database = database
        self._now = now
        self.accounts = Accounts(database, now=now)

    @classmethod
    def open(
        cls, where: str | Path, *, create: bool = True, now: Callable[[], datetime] = utc_now
    ) -> ReviewDesk:
        """Open a database (a file, or a URL of SQLite or PostgreSQL) and bring it up to date.

        Raises NotFound where the file does not exist and is not to be made, MissingExtra, and
        ReviewError where it cannot be opened.
        """
        return cls(Database.open(where, create=create), now=now)

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def __enter__(self) -> ReviewDesk:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _when(self) -> str:
        return self._now().astimezone(UTC).isoformat(timespec="milliseconds")

    @contextmanager
    def _acting(self, person: Person) -> Generator[Transaction]:
        people.person(person.name, person.role)
        with self._database.writing() as transaction:
            yield transaction

    # --- the queue

    def enqueue(
        self,
        person: Person,
        run: str,
        rubric: Rubric,
        wanted: Sequence[Wanted],
        *,
        new_rubric: bool = False,
    ) -> Enqueued:
        """Put trials of a run in the queue; those that are there stay.

        One whose transcript is another now is to be reviewed anew. One whose rubric is another
        now, too, where no review is in yet; else Outdated is raised unless `new_rubric`.
        Raises InvalidReview and NotAllowed.
        """
        with self._acting(person) as transaction:
            return enqueueing.enqueue(
                transaction,
                person,
                run,
                rubric,
                wanted,
                new_rubric=new_rubric,
                when=self._when(),
            )

    def queue(
        self,
        person: Person,
        run: str | None = None,
        *,
        state: ItemState | None = None,
        case: str | None = None,
        mine: bool = False,
        offset: int = 0,
        limit: int = 100,
    ) -> list[QueueItem]:
        """Return items, first those of the least priority number, then those due first."""
        with self._database.reading() as transaction:
            return listing.queue(
                transaction,
                person,
                run=run,
                state=state,
                case=case,
                mine=mine,
                offset=offset,
                limit=limit,
            )

    def count(
        self,
        person: Person,
        run: str | None = None,
        *,
        state: ItemState | None = None,
        case: str | None = None,
        mine: bool = False,
    ) -> int:
        """Count what `queue` would list."""
        with self._database.reading() as transaction:
            return listing.count(transaction, person, run=run, state=state, case=case, mine=mine)

    def item(self, person: Person, name: str) -> QueueItem:
        """Return one item. Raises NotFound."""
        people.allow(person, "read")
        with self._database.reading() as transaction:
            return items.item(transaction, name)

    def find(self, run: str, case: str, trial: int) -> QueueItem | None:
        """Return the item of a trial; None where it is not in the queue."""
        with self._database.reading() as transaction:
            row = transaction.row(
                "SELECT i.* FROM items i WHERE i.id = :id", id=item_id(run, case, trial)
            )
            return items.with_assignments(transaction, [row])[0] if row is not None else None

    def next_item(
        self, person: Person, run: str | None = None, *, skip: Collection[str] = ()
    ) -> QueueItem | None:
        """Return what a person does next: what is assigned to them, then adjudications they may
        take, then items with a free place. Items in `skip` are passed over.
        """
        with self._database.reading() as transaction:
            return listing.next_item(transaction, person, run, skip)

    def progress(self, person: Person, run: str | None = None) -> Progress:
        """Return how far the queue of a run, or of all, is."""
        with self._database.reading() as transaction:
            return listing.progress(transaction, person, run)

    def runs(self) -> tuple[str, ...]:
        """Return the runs that have items."""
        with self._database.reading() as transaction:
            rows = transaction.rows("SELECT DISTINCT run FROM items ORDER BY run")
            return tuple(str(row["run"]) for row in rows)

    def rubric(self, name: str) -> Rubric:
        """Return the rubric of that digest. Raises NotFound."""
        with self._database.reading() as transaction:
            return items.rubric(transaction, name)

    # --- assignment

    def assign(
        self, person: Person, item: str, name: str, purpose: Meaning = "reviewed"
    ) -> QueueItem:
        """Assign an item to somebody, to be reviewed or adjudicated.

        Raises Outdated where they have it already or no place is free, NotAllowed where the
        role of either does not allow it, or they have reviewed or seen it, NotFound.
        """
        people.allow(person, "assign")
        purpose = assigning.known_purpose(purpose)
        role = "reviewer" if purpose == "reviewed" else "adjudicator"
        who = people.person(name, role)
        with self._acting(person) as transaction:
            known = self.accounts.role_in(transaction, who.name)
            who = who if known is None else Person(who.name, known)
            found = items.item(transaction, item, lock=True)
            assigning.take_place(
                transaction, found, who, purpose, by=person.name, when=self._when()
            )
            return items.item(transaction, item)

    def claim(self, person: Person, item: str) -> QueueItem:
        """Take a free place at an item; nothing happens where the person has one.

        Raises NotAllowed where it is another's.
        """
        with self._acting(person) as transaction:
            found = items.item(transaction, item, lock=True)
            purpose = assigning.purpose_of(transaction, person, found)
            return assigning.hold(transaction, person, found, purpose, when=self._when())

    def release(self, person: Person, item: str, name: str | None = None) -> QueueItem:
        """Give a place back, one's own or (for a lead) another's, with the draft.

        Raises Outdated where it is not assigned, or the review is in.
        """
        with self._acting(person) as transaction:
            found = items.item(transaction, item, lock=True)
            assigning.release(transaction, person, found, name or person.name)
            return items.item(transaction, item)

    # --- drafts, reviews, corrections

    def begin(self, person: Person, item: str) -> Work:
        """Open an item for work, taking a free place. Raises NotAllowed where it is another's."""
        with self._acting(person) as transaction:
            found = items.item(transaction, item, lock=True)
            purpose = assigning.purpose_of(transaction, person, found)
            found = assigning.hold(transaction, person, found, purpose, when=self._when())
            seen = seeing.seen_reviews(transaction, person, found)
            standing = [each for each in current(seen) if each.transcript == found.transcript]
            mine = [each for each in standing if each.reviewer == person.name]
            return Work(
                item=found,
                rubric=items.rubric(transaction, found.rubric),
                purpose=purpose,
                draft=items.draft(transaction, item, person.name),
                own=next((each for each in mine if each.meaning == purpose), None),
                others=tuple(each for each in standing if each.reviewer != person.name),
                visible=seeing.visible(transaction, person, found),
            )

    def save_draft(
        self,
        person: Person,
        item: str,
        *,
        scores: dict[str, LevelScore],
        comments: dict[str, str],
        rubric: str,
        transcript: str,
    ) -> Draft:
        """Keep what is filled in so far, in place of the draft before.

        Dimensions may lack; a draft of an older rubric or transcript is kept as it is, and only
        refused when it is submitted. Raises InvalidReview, and NotAllowed where the item is not
        assigned to the person.
        """
        with self._acting(person) as transaction:
            return submitting.save_draft(
                transaction,
                person,
                items.item(transaction, item),
                scores=scores,
                comments=comments,
                rubric=rubric,
                transcript=transcript,
                when=self._when(),
            )

    def draft(self, person: Person, item: str) -> Draft | None:
        """Return what a person has saved of an item, if anything."""
        people.allow(person, "review")
        with self._database.reading() as transaction:
            return items.draft(transaction, item, person.name)

    def discard_draft(self, person: Person, item: str) -> None:
        """Forget what a person has saved of an item."""
        people.allow(person, "review")
        with self._acting(person) as transaction:
            items.drop_draft(transaction, item, person.name)

    def submit(
        self, person: Person, given: Submission, *, entered_by: str | None = None
    ) -> Submitted:
        """Take a review or an adjudication, and open the incidents that its scores meet.

        The same again is recognised, and kept once. Raises InvalidReview with every fault;
        Outdated where rubric or transcript changed, or the person has reviewed the item
        otherwise; NotAllowed where it is another's, or the person may not adjudicate it.
        """
        with self._acting(person) as transaction:
            return submitting.submit(
                transaction, person, given, when=self._when(), entered_by=entered_by
            )

    def correct(
        self, person: Person, review: str, given: Submission, *, entered_by: str | None = None
    ) -> Submitted:
        """Take a review in place of one's earlier one, which is kept.

        Raises as `submit`, and Outdated where the earlier one does not stand any more, or
        reviewers disagree, so that an adjudicator decides.
        """
        with self._acting(person) as transaction:
            return submitting.correct(
                transaction, person, review, given, when=self._when(), entered_by=entered_by
            )

    # --- what may be seen

    def visible_to(self, person: Person, item: str) -> bool:
        """Whether verdicts, judges' and others' scores and comments of an item may be shown."""
        with self._database.reading() as transaction:
            return seeing.visible(transaction, person, items.item(transaction, item))

    def visible_trial(self, person: Person, run: str, case: str, trial: int) -> bool:
        """Whether the verdicts of a trial may be shown; where it is not queued, they may."""
        found = self.find(run, case, trial)
        return found is None or self.visible_to(person, found.id)

    def hidden_trials(self, person: Person, run: str) -> frozenset[tuple[str, int]]:
        """Return the (case, trial) of a run whose verdicts may not be shown."""
        with self._database.reading() as transaction:
            return seeing.hidden_trials(transaction, person, run)

    def unblind(self, person: Person, item: str, *, why: str = "") -> None:
        """Let a lead see an item before its reviews are in, and review it no more. It is logged.

        Raises NotAllowed, where they are to review it too.
        """
        with self._acting(person) as transaction:
            found = items.item(transaction, item, lock=True)
            seeing.unblind(transaction, person, found, why=why[:1000], when=self._when())

    def reviews(self, person: Person, item: str) -> tuple[Review, ...]:
        """Return the reviews of an item that may be shown, superseded ones too."""
        with self._database.reading() as transaction:
            return seeing.seen_reviews(transaction, person, items.item(transaction, item))

    def outcome(self, person: Person, item: str) -> ItemOutcome:
        """Return what an item's reviews come to. Raises NotAllowed while these are hidden."""
        with self._database.reading() as transaction:
            found = items.item(transaction, item)
            if not seeing.visible(transaction, person, found):
                raise NotAllowed("the outcome is hidden until all reviews of the item are in")
            return items.outcome_of(transaction, found)

    # --- incidents

    def incidents(self, person: Person, run: str | None = None) -> tuple[Incident, ...]:
        """Return the incidents of a run, or of all, as far as they may be shown."""
        with self._database.reading() as transaction:
            return handling.seen(transaction, person, run)

    def incident(self, person: Person, name: str) -> Incident:
        """Return one incident whole. A lead for whom its item was blind gives up reviewing it.

        Raises NotFound, also where it may not be shown, and NotAllowed for a lead who is still
        to review the item.
        """
        with self._acting(person) as transaction:
            return handling.read(transaction, person, name, when=self._when())

    def change_incident(
        self,
        person: Person,
        name: str,
        *,
        severity: Severity | None = None,
        owner: str | None = None,
        containment: str | None = None,
        decision: str | None = None,
        note: str = "",
    ) -> Incident:
        """Append what is said of an incident. Raises InvalidReview, Outdated where it is closed,
        NotFound, NotAllowed.
        """
        change = IncidentChange(
            incident=name,
            action="changed",
            who=person.name,
            role=person.role,
            when=self._when(),
            note=note,
            severity=severity,
            owner=owner,
            containment=containment,
            decision=decision,
        )
        with self._acting(person) as transaction:
            return handling.change(transaction, person, change)

    def close_incident(
        self, person: Person, name: str, *, decision: str, note: str = ""
    ) -> Incident:
        """Close an incident with a decision, by a lead. Raises as `change_incident`."""
        change = IncidentChange(
            incident=name,
            action="closed",
            who=person.name,
            role=person.role,
            when=self._when(),
            note=note,
            decision=decision,
        )
        with self._acting(person) as transaction:
            return handling.change(transaction, person, change)

    # --- without the page

    def sheets(
        self,
        person: Person,
        run: str,
        *,
        reviewer: str | None = None,
        meaning: Meaning = "reviewed",
        context: Mapping[str, Mapping[str, str]] | None = None,
    ) -> list[Sheet]:
        """Return what a reviewer (by default the person) is to fill in, a sheet a rubric.

        These are the items assigned to them, and those with a free place. `context` says more of
        an item, by its id and then by column. See `csvsheets` and `jsonsheets`.
        """
        name = people.spelled(reviewer or person.name)
        with self._database.reading() as transaction:
            return exchange.sheets(
                transaction, person, run, reviewer=name, meaning=meaning, context=context or {}
            )

    def import_reviews(self, person: Person, filled: Sequence[Filled]) -> Imported:
        """Submit what was filled in, all of it or nothing; what is in already stays.

        Raises InvalidReview with the faults of every row, by file and line.
        """
        with self._acting(person) as transaction:
            return exchange.take(
                transaction,
                person,
                filled,
                role_of=lambda name: self.accounts.role_in(transaction, name),
                when=self._when(),
            )

    # --- for the run that reviews are graded into: everything, seen by no reviewer

    def open_incidents(self, run: str) -> tuple[Incident, ...]:
        """Return the incidents of a run that hold its gate: open ones that are no mere note."""
        with self._database.reading() as transaction:
            found = handling.incidents_of(transaction, run)
            return tuple(each for each in found if each.open and each.holds_gate)

    def all_incidents(self, run: str) -> tuple[Incident, ...]:
        """Return all incidents of a run, whole."""
        with self._database.reading() as transaction:
            return handling.incidents_of(transaction, run)

    def all_reviews(self, run: str) -> tuple[Review, ...]:
        """Return all reviews of a run, superseded ones too, in the order they came."""
        with self._database.reading() as transaction:
            return tuple(logbook.reviews_of_run(transaction, run))

    def outcomes(self, run: str) -> tuple[ItemOutcome, ...]:
        """Return what the reviews of each item of a run come to."""
        return replay(self.export_log(run), run).outcomes

    def export_log(self, run: str) -> list[bytes]:
        """Return a run's log as the lines of `reviews.jsonl`, without line feeds."""
        with self._database.reading() as transaction:
            return logbook.lines(transaction, run)

    def check_log(self, run: str) -> list[LogFinding]:
        """Return what is wrong with a run's log as it stands in the database."""
        with self._database.reading() as transaction:
            found = logbook.lines(transaction, run)
            head = transaction.row("SELECT records, head FROM runs WHERE run = :run", run=run)
        replayed = replay(found, run)
        findings = list(replayed.findings)
        if head is not None and (head["records"], head["head"]) != (len(found), replayed.head):
            findings.append(LogFinding("records at the end of the log are missing, or were added"))
        return findings
