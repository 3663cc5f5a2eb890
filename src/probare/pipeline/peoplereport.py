"""People's reviews of a run, counted: their agreement, and automatic verdicts held against them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from probare.model.record import TrialRecord
from probare.model.review import ItemOutcome, Review
from probare.model.rubric import Rubric
from probare.pipeline.beside import Beside
from probare.pipeline.people import People, people_in
from probare.review.outcomes import levels
from probare.scoring.agreement import agreement
from probare.scoring.reviewed import Disputed, Reviewed
from probare.stores.reader import RunReader

_IN = ("adjudication", "done")
_PASSES = {"pass": 1, "fail": 0}


def reviewed_in(reader: RunReader) -> tuple[Reviewed, ...]:
    """Return what the reviews in a run directory tell; nothing where none are graded in."""
    people = people_in(reader.folder)
    return () if people is None else reviewed(people, reader.records())


def reviewed(people: People, records: Iterable[TrialRecord]) -> tuple[Reviewed, ...]:
    """Return what reviews tell, for each rubric that was used. Records are read once.

    Nothing is told of an item that waits for reviews, so that reviewing stays blind.
    """
    log = people.replayed
    by_rubric: dict[str, list[ItemOutcome]] = {}
    for each in log.outcomes:
        by_rubric.setdefault(log.items[each.item].rubric, []).append(each)
    compared = {
        digest: Beside(log.rubrics[digest], log.items, outcomes)
        for digest, outcomes in by_rubric.items()
    }
    for record in records:
        for each in compared.values():
            each.add(record)
    return tuple(
        _reviewed(people, log.rubrics[digest], outcomes, compared[digest])
        for digest, outcomes in by_rubric.items()
    )


def _reviewed(
    people: People, rubric: Rubric, outcomes: Sequence[ItemOutcome], compared: Beside
) -> Reviewed:
    complete = [each for each in outcomes if each.state in _IN]
    names = {each.item for each in complete}
    blind, rest = _blind(people, names)
    by_item = {
        name: {review.reviewer: review for review in reviews}
        for name, reviews in groupby(sorted(blind, key=_item), key=_item)
    }
    results = [each.result for each in outcomes]
    return Reviewed(
        run=outcomes[0].run,
        rubric=rubric.id,
        version=rubric.version,
        digest=rubric.digest,
        items=len(outcomes),
        complete=len(complete),
        settled=sum(each.state == "done" for each in outcomes),
        passed=results.count("passed"),
        failed=results.count("failed"),
        unsure=results.count("unsure"),
        reviewers=tuple(sorted({review.reviewer for review in blind})),
        unblinded=rest,
        dimensions={
            each.id: agreement(
                [_scores(given, each.id) for given in by_item.values()],
                [level.level for level in each.levels],
                unsure=sum(review.scores.get(each.id) == "unsure" for review in blind),
            )
            for each in rubric.dimensions
        },
        result=agreement(
            [_results(given, rubric) for given in by_item.values()],
            list(_PASSES.values()),
            unsure=sum(rubric.result(levels(review.scores)) == "unknown" for review in blind),
        ),
        disputed=tuple(_disputed(complete)),
        judges=compared.found(),
    )


def _item(review: Review) -> str:
    return review.item


def _blind(people: People, names: set[str]) -> tuple[list[Review], int]:
    """Return the last blind review of each reviewer of an item, and how many reviewers of items
    have none.
    """
    last: dict[tuple[str, str], Review] = {}
    seen: set[tuple[str, str]] = set()
    for review in people.replayed.reviews:
        item = people.replayed.items[review.item]
        asked = (item.transcript, item.rubric) == (review.transcript, review.rubric)
        if review.item not in names or review.meaning != "reviewed" or not asked:
            continue
        key = (review.item, review.reviewer)
        seen.add(key)
        if review.blind:
            last[key] = review
    return list(last.values()), len(seen - last.keys())


def _scores(given: dict[str, Review], dimension: str) -> dict[str, int]:
    scores = {name: review.scores.get(dimension) for name, review in given.items()}
    return {name: score for name, score in scores.items() if isinstance(score, int)}


def _results(given: dict[str, Review], rubric: Rubric) -> dict[str, int]:
    results = {name: rubric.result(levels(review.scores)) for name, review in given.items()}
    return {name: _PASSES[result] for name, result in results.items() if result in _PASSES}


def _disputed(outcomes: Iterable[ItemOutcome]) -> Iterator[Disputed]:
    for each in outcomes:
        for found in each.disagreements:
            yield Disputed(
                case=each.case,
                trial=each.trial,
                dimension=found.dimension,
                words=found.words,
                adjudicated=each.decided_by == "adjudicated",
            )
