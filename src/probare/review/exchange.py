"""Reviewing without the page: items go out as CSV or JSON, and come back filled in.

What comes back is submitted one by one through the same rules and into the same log, all of it or
nothing. The same file again changes nothing. A row that has neither a score nor a comment was not
filled in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import msgspec

from probare.errors import Fault, InvalidReview, Place, ReviewError
from probare.model.incident import Incident
from probare.model.review import LevelScore, Meaning, Person, QueueItem, Review, Role, Submission
from probare.model.rubric import Rubric
from probare.review import items, logbook, people, seeing, submitting
from probare.review.database import Transaction
from probare.review.filled import Filled
from probare.review.reasons import blind_reasons


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """Items to be filled in with one rubric. `rows` are one an item, those that are there filled
    in as they stand; `context` says more of an item, by column, for whoever fills it in.
    """

    run: str
    rubric: Rubric
    meaning: Meaning
    rows: tuple[Filled, ...]
    context: dict[str, dict[str, str]]


class Imported(msgspec.Struct, frozen=True, kw_only=True):
    """What an import came to: reviews that are new, how many were in already, incidents opened."""

    added: tuple[Review, ...]
    known: int
    incidents: tuple[Incident, ...]


def sheets(
    transaction: Transaction,
    person: Person,
    run: str,
    *,
    reviewer: str,
    meaning: Meaning,
    context: Mapping[str, Mapping[str, str]],
) -> list[Sheet]:
    """Return what a reviewer is to fill in, a sheet a rubric; see ReviewDesk.export.

    Blind as the page is: rows hold nothing of others' reviews.
    """
    people.allow(person, "export" if reviewer != person.name else "review")
    found = _to_fill_in(transaction, run, reviewer, meaning)
    by_rubric: dict[str, list[QueueItem]] = {}
    for item in found:
        by_rubric.setdefault(item.rubric, []).append(item)
    return [
        Sheet(
            run=run,
            rubric=items.rubric(transaction, digest),
            meaning=meaning,
            rows=tuple(_row(transaction, item, reviewer, meaning) for item in each),
            context={item.id: dict(context.get(item.id, {})) for item in each},
        )
        for digest, each in by_rubric.items()
    ]


def _to_fill_in(
    transaction: Transaction, run: str, reviewer: str, meaning: Meaning
) -> Iterator[QueueItem]:
    """Yield the items that a reviewer may still judge: theirs, and those with a free place."""
    rows = transaction.rows(f"SELECT i.* FROM items i WHERE i.run = :run {items.ORDER}", run=run)  # noqa: S608 - constants alone
    for item in items.with_assignments(transaction, rows):
        places = [each for each in item.assigned if each.purpose == meaning]
        mine = next((each for each in places if each.person == reviewer), None)
        if mine is not None:
            if not mine.submitted:
                yield item
            continue
        wanted = 1 if meaning == "adjudicated" else item.overlap
        states = ("adjudication",) if meaning == "adjudicated" else seeing.BLIND
        if item.state not in states or len(places) >= wanted:
            continue
        reviews = logbook.reviews_of_item(transaction, item.id)
        if meaning == "adjudicated" and any(each.reviewer == reviewer for each in reviews):
            continue
        if not logbook.unblinded(transaction, reviewer, item.id) or meaning == "adjudicated":
            yield item


def _row(transaction: Transaction, item: QueueItem, reviewer: str, meaning: Meaning) -> Filled:
    draft = items.draft(transaction, item.id, reviewer)
    kept = draft is not None and (draft.rubric, draft.transcript) == (item.rubric, item.transcript)
    scores: dict[str, LevelScore] = {}
    comments: dict[str, str] = {}
    if draft is not None and kept and draft.purpose == meaning:
        scores, comments = draft.scores, draft.comments
    return Filled(
        where=Place(),
        item=item.id,
        case=item.case,
        trial=item.trial,
        why="; ".join(reason.words for reason in item.reasons)
        if meaning == "adjudicated"
        else blind_reasons(item.reasons),
        rubric=item.rubric,
        transcript=item.transcript,
        reviewer=reviewer,
        meaning=meaning,
        scores=dict(scores),
        comments=comments,
    )


def take(
    transaction: Transaction,
    by: Person,
    filled: Sequence[Filled],
    *,
    role_of: Callable[[str], Role | None],
    when: str,
) -> Imported:
    """Submit what was filled in; see ReviewDesk.import_reviews."""
    added: list[Review] = []
    opened: list[Incident] = []
    faults: list[Fault] = []
    known = 0
    for row in sorted(filled, key=lambda each: each.meaning == "adjudicated"):
        if not row.scores and not any(text.strip() for text in row.comments.values()):
            continue
        try:
            result = _take_row(transaction, _author(by, row, role_of), by, row, when)
        except InvalidReview as error:
            faults.extend(_placed(row, error.faults))
            continue
        except ReviewError as error:
            faults.append(Fault(error.message, row.where, error.hint))
            continue
        if result.new:
            added.append(result.review)
            opened.extend(result.incidents)
        else:
            known += 1
    if faults:
        raise InvalidReview(sorted(faults, key=lambda fault: fault.place.line or 0))
    return Imported(added=tuple(added), known=known, incidents=tuple(opened))


def _take_row(
    transaction: Transaction, person: Person, by: Person, row: Filled, when: str
) -> submitting.Submitted:
    given = Submission(
        item=row.item,
        rubric=row.rubric,
        transcript=row.transcript,
        scores=dict(row.scores),
        comments=row.comments,
        meaning=row.meaning,
        excerpt=row.excerpt,
    )
    entered_by = None if person.name == by.name else by.name
    if row.supersedes:
        again = _corrected_so(transaction, person, given, row.supersedes)
        if again is not None:
            item = items.item(transaction, given.item)
            return submitting.Submitted(review=again, incidents=(), item=item, new=False)
        return submitting.correct(
            transaction, person, row.supersedes, given, when=when, entered_by=entered_by
        )
    again = _submitted_so(transaction, person, given)
    if again is not None:
        item = items.item(transaction, given.item)
        return submitting.Submitted(review=again, incidents=(), item=item, new=False)
    return submitting.submit(transaction, person, given, when=when, entered_by=entered_by)


def _author(by: Person, row: Filled, role_of: Callable[[str], Role | None]) -> Person:
    """Return whose review a row is. Entering another's needs a role that may.

    The other's role is the account's; where there are no accounts, the one that the row needs.
    """
    name = people.spelled(row.reviewer) or by.name
    if name == by.name:
        return by
    people.allow(by, "import_reviews")
    role = "reviewer" if row.meaning == "reviewed" else "adjudicator"
    other = people.person(name, role)
    known = role_of(other.name)
    return other if known is None else Person(other.name, known)


def _matching(transaction: Transaction, person: Person, given: Submission) -> Iterator[Review]:
    for review in logbook.reviews_of_item(transaction, given.item):
        if (
            review.reviewer == person.name
            and review.meaning == given.meaning
            and (review.rubric, review.transcript) == (given.rubric, given.transcript)
            and review.scores == given.scores
            and review.comments == submitting.kept_comments(given.comments)
        ):
            yield review


def _submitted_so(transaction: Transaction, person: Person, given: Submission) -> Review | None:
    """Return the first review of a person, where it was this one: it is in, even if corrected."""
    found = _matching(transaction, person, given)
    return next((review for review in found if review.supersedes is None), None)


def _corrected_so(
    transaction: Transaction, person: Person, given: Submission, before: str
) -> Review | None:
    found = _matching(transaction, person, given)
    return next((review for review in found if review.supersedes == before), None)


def _placed(row: Filled, faults: Iterable[Fault]) -> Iterator[Fault]:
    for fault in faults:
        path = ": ".join(part for part in (row.where.path, fault.place.path) if part)
        place = Place(row.where.file, row.where.line, None, path)
        yield Fault(fault.message, place, fault.hint)
