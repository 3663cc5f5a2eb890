"""Reviewing a run without the page: its trials queued and assigned, sheets out and in."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET

from probare.encoding import jsonbytes
from probare.encoding.narrow import mapping
from probare.errors import Fault, InputError, InvalidReview, NotFound, SelectionError
from probare.grading.placeholders import text_of
from probare.loading.rubrics import load_rubric
from probare.model.case import Case
from probare.model.record import TrialRecord
from probare.model.review import Meaning, Person, QueueItem
from probare.model.rubric import Rubric
from probare.model.suite import ReviewSettings, Suite
from probare.pipeline.reviewlogs import refuse_reviewed
from probare.review.desk import ReviewDesk
from probare.review.enqueueing import Enqueued
from probare.review.exchange import Imported, Sheet
from probare.review.filled import Filled
from probare.review.jsonsheets import read_filled
from probare.review.queueing import wanted
from probare.stores.reader import RunReader

_ALL = 1_000_000
_EXCERPT = 300


class Asking(msgspec.Struct, frozen=True, kw_only=True):
    """What the command line says of a queue in place of the suite: a file of a rubric, how many
    reviewers an item needs, the share of passes that is drawn, seconds until it is due. With
    `new_rubric`, what was reviewed by another version of the rubric is to be reviewed anew.
    """

    rubric: Path | None = None
    overlap: int | None = None
    sample: float | None = None
    due: float | None = None
    new_rubric: bool = False


def queue_run(desk: ReviewDesk, person: Person, reader: RunReader, asking: Asking) -> Enqueued:
    """Put the trials of a finished run in the queue, as the suite's `review` block says. Doing it
    again changes nothing.

    Raises InputError where no rubric is named, and what the desk raises.
    """
    plan, suite = reader.plan, reader.suite()
    refuse_reviewed(plan, "queued")
    if not reader.has_summary:
        raise InputError(
            f"{plan.run_id} has not ended", hint=f"probare run --resume {reader.folder}"
        )
    found = wanted(
        suite,
        _settings(suite, asking),
        reader.records(),
        seed=plan.seed,
        now=datetime.now(UTC),
        case_wide={each.case: each.verdicts for each in reader.case_records()},
    )
    rubric = _rubric(suite, asking)
    return desk.enqueue(person, plan.run_id, rubric, found, new_rubric=asking.new_rubric)


def _settings(suite: Suite, asking: Asking) -> ReviewSettings:
    found = suite.review or ReviewSettings()
    given = {"overlap": asking.overlap, "sample": asking.sample, "due": asking.due}
    return msgspec.structs.replace(
        found, **{name: value for name, value in given.items() if value is not None}
    )


def _rubric(suite: Suite, asking: Asking) -> Rubric:
    if asking.rubric is not None:
        return load_rubric(asking.rubric)
    if suite.rubric is None:
        raise InputError(
            f"suite '{suite.name}' names no rubric to review with",
            hint="write `review: {rubric: FILE}` into the suite and run it, or give --rubric FILE",
        )
    return suite.rubric


def all_items(desk: ReviewDesk, person: Person, run: str) -> list[QueueItem]:
    """Return all items of a run, in the order in which they are due."""
    return desk.queue(person, run, limit=_ALL)


def assign_items(
    desk: ReviewDesk,
    person: Person,
    run: str,
    name: str,
    *,
    purpose: Meaning = "reviewed",
    items: Sequence[str] = (),
    cases: Sequence[str] = (),
    count: int | None = None,
) -> list[QueueItem]:
    """Assign items of a run to somebody, and return them.

    Those named by id, each of which must have a free place; else those of the cases that match a
    pattern, or all, which have a free place that the person may take, at most `count`. Raises what
    the desk raises, and SelectionError where there is none.
    """
    if items:
        _refuse_others(desk, person, run, items)
        return [desk.assign(person, item, name, purpose) for item in items]
    taken: list[QueueItem] = []
    problem = ""
    for item in _free(all_items(desk, person, run), purpose, name):
        if count is not None and len(taken) >= count:
            break
        if cases and not any(fnmatch.fnmatchcase(item.case, each) for each in cases):
            continue
        try:
            taken.append(desk.assign(person, item.id, name, purpose))
        except InputError as error:
            problem = error.message
    if not taken:
        raise SelectionError(
            f"no item can be assigned to '{name}'", hint=problem or "none has a free place"
        )
    return taken


def _refuse_others(desk: ReviewDesk, person: Person, run: str, items: Iterable[str]) -> None:
    for name in items:
        if desk.item(person, name).run != run:
            raise NotFound(f"item {name} is of another run than {run}")


def _free(items: Iterable[QueueItem], purpose: Meaning, name: str) -> Iterator[QueueItem]:
    states = ("adjudication",) if purpose == "adjudicated" else ("waiting", "in_review")
    for item in items:
        holders = [each.person for each in item.assigned if each.purpose == purpose]
        places = 1 if purpose == "adjudicated" else item.overlap
        if item.state in states and name not in holders and len(holders) < places:
            yield item


def sheets_of(
    desk: ReviewDesk,
    person: Person,
    reader: RunReader,
    *,
    reviewer: str | None = None,
    meaning: Meaning = "reviewed",
) -> list[Sheet]:
    """Return what a reviewer is to fill in, a sheet a rubric, with the question, the reply and the
    reference of each trial. It is blind: that a trial failed, or why it was flagged, is not told.
    """
    run = reader.plan.run_id
    items = {(item.case, item.trial): item for item in all_items(desk, person, run)}
    context = dict(_context(reader, items))
    return desk.sheets(person, run, reviewer=reviewer, meaning=meaning, context=context)


def _context(
    reader: RunReader, items: Mapping[tuple[str, int], QueueItem]
) -> Iterator[tuple[str, dict[str, str]]]:
    cases = {case.id: case for case in reader.suite().cases}
    for record in reader.records():
        item = items.get((record.case, record.trial))
        case = cases.get(record.case)
        if item is not None and case is not None:
            yield item.id, dict(_shown(reader, case, record))


def _shown(reader: RunReader, case: Case, record: TrialRecord) -> Iterator[tuple[str, str]]:
    output = reader.transcript(record).outcome.output
    yield "asked", _text(case.input)
    yield "reply", "" if output is UNSET or output is None else str(text_of(output))
    if case.reference is not UNSET:
        yield "reference", _text(case.reference)
    if case.description:
        yield "about", case.description


def _text(value: Any) -> str:
    """Return a text as it is, a mapping as lines of its keys."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return "\n".join(f"{key}: {_text(each)}" for key, each in mapping(value).items())
    return jsonbytes.encode(value).decode()


def import_files(
    desk: ReviewDesk, person: Person, reader: RunReader, files: Sequence[Path]
) -> Imported:
    """Submit what was filled in, all files or nothing. Raises InvalidReview with every fault."""
    filled = [row for file in files for row in read_filled(_data(file), str(file))]
    run = reader.plan.run_id
    mine = {item.id: item for item in all_items(desk, person, run)}
    faults = [
        Fault(f"item '{row.item[:80]}' is not in the queue of {run}", row.where)
        for row in filled
        if row.item not in mine
    ]
    if faults:
        raise InvalidReview(faults)
    replies = {
        (record.case, record.trial): (record.output_text or "")[:_EXCERPT]
        for record in reader.records()
    }
    return desk.import_reviews(person, [_with_excerpt(row, mine, replies) for row in filled])


def _with_excerpt(
    row: Filled, items: Mapping[str, QueueItem], replies: Mapping[tuple[str, int], str]
) -> Filled:
    """Return a row whose evidence, should it open an incident, is the start of the reply."""
    if row.excerpt:
        return row
    item = items[row.item]
    return msgspec.structs.replace(row, excerpt=replies.get((item.case, item.trial), ""))


def _data(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror}") from error
