"""What the reviews of one item come to.

A review counts where it names the item's transcript and rubric, and is not superseded. Until as
many reviewers as needed are in, an item is incomplete. A dimension is settled where nobody is
unsure, no two scores are further apart than the item's distance, and all pass or all fail; it
then has the lower median of the scores. Where one is not settled, an adjudicator decides: the
scores of the adjudication then stand for all. The rubric's pass rule is applied to settled
scores, so an item passes only where every dimension does.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence

from probare.model.review import (
    Disagreement,
    ItemOutcome,
    ItemResult,
    ItemState,
    LevelScore,
    QueuedRecord,
    Review,
)
from probare.model.rubric import Dimension, Rubric, RubricResult

_RESULTS: dict[RubricResult, ItemResult] = {"pass": "passed", "fail": "failed", "unknown": "unsure"}


def levels(scores: Mapping[str, LevelScore]) -> dict[str, int | None]:
    """Return scores as the rubric takes them: unsure is None."""
    return {name: None if score == "unsure" else score for name, score in scores.items()}


def current(reviews: Iterable[Review]) -> list[Review]:
    """Return the reviews that no later one supersedes."""
    found = list(reviews)
    superseded = {review.supersedes for review in found}
    return [review for review in found if review.id not in superseded]


def counting(asked: QueuedRecord, reviews: Iterable[Review]) -> list[Review]:
    """Return the current reviews of an item's transcript with its rubric."""
    return [
        review
        for review in current(reviews)
        if review.item == asked.item
        and review.transcript == asked.transcript
        and review.rubric == asked.rubric
    ]


def outcome(asked: QueuedRecord, rubric: Rubric, reviews: Iterable[Review]) -> ItemOutcome:
    """Return what the reviews of an item come to."""
    found = counting(asked, reviews)
    reviewed = [review for review in found if review.meaning == "reviewed"]
    adjudications = [review for review in found if review.meaning == "adjudicated"]
    if len(reviewed) < asked.overlap:
        return _made(asked, "in_review" if reviewed else "waiting", "incomplete", reviewed)
    disagreements = tuple(_disagreements(rubric, reviewed, asked.distance))
    if adjudications:
        last = adjudications[-1]
        result = _RESULTS[rubric.result(levels(last.scores))]
        return _made(asked, "done", result, [*reviewed, last], last.scores, disagreements)
    scores = _settled(rubric, reviewed, {each.dimension for each in disagreements})
    if disagreements:
        return _made(asked, "adjudication", "incomplete", reviewed, scores, disagreements)
    return _made(asked, "done", _RESULTS[rubric.result(levels(scores))], reviewed, scores)


def _made(
    asked: QueuedRecord,
    state: ItemState,
    result: ItemResult,
    reviews: Sequence[Review],
    scores: Mapping[str, LevelScore] | None = None,
    disagreements: tuple[Disagreement, ...] = (),
) -> ItemOutcome:
    return ItemOutcome(
        item=asked.item,
        run=asked.run,
        case=asked.case,
        trial=asked.trial,
        state=state,
        result=result,
        scores=dict(scores or {}),
        decided_by=reviews[-1].meaning if state == "done" else None,
        reviews=tuple(review.id for review in reviews),
        needed=asked.overlap,
        disagreements=disagreements,
    )


def _settled(rubric: Rubric, reviews: Sequence[Review], open_: set[str]) -> dict[str, LevelScore]:
    scores: dict[str, LevelScore] = {}
    for each in rubric.dimensions:
        given = [levels(review.scores).get(each.id) for review in reviews]
        sure = [score for score in given if score is not None]
        if each.id not in open_ and sure:
            scores[each.id] = statistics.median_low(sure)
    return scores


def _disagreements(
    rubric: Rubric, reviews: Sequence[Review], distance: int
) -> Iterator[Disagreement]:
    for each in rubric.dimensions:
        given = [levels(review.scores).get(each.id) for review in reviews]
        words = _contrast(rubric, each, given, distance)
        if words:
            yield Disagreement(dimension=each.id, words=words)


def _contrast(
    rubric: Rubric, dimension: Dimension, given: Sequence[int | None], distance: int
) -> str:
    """Say why scores of one dimension are not settled; nothing where they are."""
    sure = [score for score in given if score is not None]
    if len(sure) < len(given):
        return f"{len(given) - len(sure)} of {len(given)} unsure"
    least, most = min(sure), max(sure)
    scale = [level.level for level in dimension.levels]
    apart = scale.index(most) - scale.index(least)
    if apart > distance:
        return f"{least} and {most} are {apart} levels apart"
    results = {rubric.dimension_result(dimension.id, score) for score in sure}
    return f"{least} fails and {most} passes" if len(results) > 1 else ""
