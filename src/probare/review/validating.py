"""Whether what a person filled in can be taken: every fault, by field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from probare.errors import Fault, Place, did_you_mean
from probare.model.rubric import Dimension, Rubric

LONGEST_COMMENT = 20_000
LONGEST_EXCERPT = 2_000


def faults_of(
    rubric: Rubric, scores: Mapping[str, Any], comments: Mapping[str, Any], *, partial: bool = False
) -> list[Fault]:
    """Return what is wrong with scores and comments. A `partial` one may lack dimensions."""
    return [*_scores(rubric, scores, partial), *_comments(rubric, comments)]


def text_fault(value: Any, longest: int) -> str:
    """Say why a text cannot be kept; nothing where it can."""
    if not isinstance(value, str):
        return "should be text"
    if len(value) > longest:
        return f"has {len(value):,} characters; at most {longest:,} are kept"
    if "\x00" in value:
        return "holds a NUL character"
    try:
        value.encode()
    except UnicodeEncodeError:
        return "holds half of a character (a lone surrogate)"
    return ""


def _scores(rubric: Rubric, scores: Mapping[str, Any], partial: bool) -> Iterator[Fault]:
    known = [each.id for each in rubric.dimensions]
    for name in scores:
        if name not in known:
            place = Place(path=f"scores.{name[:80]}")
            yield Fault("the rubric has no such dimension", place, did_you_mean(name, known))
    for each in rubric.dimensions:
        place = Place(path=f"scores.{each.id}")
        if each.id not in scores:
            if not partial:
                yield Fault("has no score", place, f"{_scale(each)}, or unsure")
        elif not _on_scale(each, scores[each.id]):
            message = f"{_shown(scores[each.id])} is not on the scale"
            yield Fault(message, place, f"{_scale(each)}, or unsure")


def _on_scale(dimension: Dimension, score: Any) -> bool:
    if isinstance(score, str):
        return score == "unsure"
    return isinstance(score, int) and not isinstance(score, bool) and dimension.has(score)


def _scale(dimension: Dimension) -> str:
    return ", ".join(str(level.level) for level in dimension.levels)


def _shown(value: Any) -> str:
    text = ascii(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


def _comments(rubric: Rubric, comments: Mapping[str, Any]) -> Iterator[Fault]:
    known = ["", *(each.id for each in rubric.dimensions)]
    for name, comment in comments.items():
        place = Place(path=f"comments.{name[:80]}" if name else "comments")
        if name not in known:
            yield Fault("the rubric has no such dimension", place, did_you_mean(name, known))
        else:
            wrong = text_fault(comment, LONGEST_COMMENT)
            if wrong:
                yield Fault(f"the comment {wrong}", place)
