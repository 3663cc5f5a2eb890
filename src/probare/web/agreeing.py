"""How far reviewers agree, per dimension, over the items whose reviews may be seen."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from probare.model.review import Review
from probare.model.rubric import Dimension, Rubric
from probare.scoring.agreement import Agreement, agreement
from probare.web.asking import Ask

if TYPE_CHECKING:
    from starlette.responses import Response


class Agreed(msgspec.Struct, frozen=True, kw_only=True):
    """A dimension with how far its scores agree, and how often each level was given."""

    dimension: Dimension
    found: Agreement
    given: tuple[tuple[int, int], ...]
    most: int


class RubricAgreed(msgspec.Struct, frozen=True, kw_only=True):
    """All dimensions of one rubric."""

    rubric: Rubric
    dimensions: tuple[Agreed, ...]
    items: int
    reviewers: tuple[str, ...]


def agree(ask: Ask) -> Response:
    """Show the agreement of one run's reviewers."""
    runs = ask.desk.runs()
    run = ask.query("run") or (runs[-1] if runs else "")
    seen: set[str] = set()
    hidden = 0
    for name in {each.item for each in ask.desk.all_reviews(run)}:
        if ask.desk.visible_to(ask.person, name):
            seen.add(name)
        else:
            hidden += 1
    reviews = [each for each in ask.desk.all_reviews(run) if each.item in seen]
    rubrics = [ask.desk.rubric(name) for name in dict.fromkeys(each.rubric for each in reviews)]
    shown = [
        agreed(rubric, [each for each in reviews if each.rubric == rubric.digest])
        for rubric in rubrics
    ]
    apart = [each for each in ask.desk.outcomes(run) if each.item in seen and each.disagreements]
    return ask.page("agreement.html", runs=runs, run=run, shown=shown, apart=apart, hidden=hidden)


def agreed(rubric: Rubric, reviews: Iterable[Review]) -> RubricAgreed:
    """Return the agreement on each dimension.

    Of each reviewer and item the last review counts that was made blind: whoever corrects theirs
    after they saw the others' agrees too easily. Adjudications are no ratings.
    """
    last: dict[tuple[str, str], Review] = {}
    for each in reviews:
        if each.meaning == "reviewed" and each.blind:
            last[each.item, each.reviewer] = each
    dimensions: list[Agreed] = []
    for dimension in rubric.dimensions:
        items: dict[str, dict[str, int]] = {}
        unsure = 0
        for (item, reviewer), review in last.items():
            score = review.scores.get(dimension.id)
            if isinstance(score, int):
                items.setdefault(item, {})[reviewer] = score
            elif score is not None:
                unsure += 1
        levels = [each.level for each in dimension.levels]
        counts = tuple(
            (level, sum(level == score for item in items.values() for score in item.values()))
            for level in levels
        )
        dimensions.append(
            Agreed(
                dimension=dimension,
                found=agreement(list(items.values()), levels, unsure=unsure),
                given=counts,
                most=max([1, *(count for _, count in counts)]),
            )
        )
    return RubricAgreed(
        rubric=rubric,
        dimensions=tuple(dimensions),
        items=len({item for item, _ in last}),
        reviewers=tuple(sorted({reviewer for _, reviewer in last})),
    )
