"""What reviews of an item come to."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from probare.model.review import Meaning, QueuedRecord, Review
from probare.model.rubric import Dimension, Level, PassRule, Rubric
from probare.review.outcomes import counting, outcome

_IDS = itertools.count()
_ASKED: dict[str, Any] = {
    "item": "i",
    "run": "r",
    "case": "c",
    "trial": 0,
    "transcript": "t",
    "rubric": "d",
    "reasons": (),
    "distance": 1,
    "who": "",
    "role": "lead",
    "when": "",
}


def _asked(overlap: int = 2, **more: Any) -> QueuedRecord:
    plain: dict[str, Any] = {**_ASKED, "overlap": overlap, **more}
    return QueuedRecord(**plain)


def _review(*scores: Any, meaning: Meaning = "reviewed", **more: Any) -> Review:
    plain: dict[str, Any] = {
        "id": f"r{next(_IDS)}",
        "item": "i",
        "run": "r",
        "case": "c",
        "trial": 0,
        "reviewer": "Ann",
        "role": "reviewer",
        "when": "",
        "meaning": meaning,
        "rubric_id": "x",
        "rubric_version": "1",
        "rubric": "d",
        "transcript": "t",
        "scores": dict(zip(("accuracy", "safety", "law"), scores, strict=True)),
        "comments": {},
    }
    return Review(**{**plain, **more})


def test_incomplete_until_all_are_in(rubric: Rubric) -> None:
    assert outcome(_asked(), rubric, []).state == "waiting"
    found = outcome(_asked(), rubric, [_review(4, 4, 4)])
    assert (found.state, found.result, found.scores, found.needed) == (
        "in_review",
        "incomplete",
        {},
        2,
    )


@pytest.mark.parametrize(
    ("one", "other", "distance", "words"),
    [
        (4, 3, 1, ""),
        (4, 4, 0, ""),
        (4, 3, 0, "3 and 4 are 1 levels apart"),
        (4, 2, 1, "2 and 4 are 2 levels apart"),
        (3, 2, 1, "2 fails and 3 passes"),
        (4, 1, 3, "1 fails and 4 passes"),
        (1, 2, 1, ""),
        (1, 2, 0, "1 and 2 are 1 levels apart"),
        ("unsure", 4, 1, "1 of 2 unsure"),
        ("unsure", "unsure", 1, "2 of 2 unsure"),
    ],
)
def test_what_needs_an_adjudicator(
    rubric: Rubric, one: Any, other: Any, distance: int, words: str
) -> None:
    reviews = [_review(4, one, 4), _review(4, other, 4)]
    found = outcome(_asked(distance=distance), rubric, reviews)
    assert [each.words for each in found.disagreements] == ([words] if words else [])
    assert found.state == ("adjudication" if words else "done")
    assert ("safety" in found.scores) == (not words)
    assert found.scores["law"] == 4


def test_the_lower_median_counts(rubric: Rubric) -> None:
    pair = outcome(_asked(), rubric, [_review(4, 4, 4), _review(3, 4, 4)])
    assert pair.scores["accuracy"] == 3
    three = [_review(4, 4, 4), _review(3, 4, 4), _review(4, 4, 4)]
    assert outcome(_asked(3), rubric, three).scores["accuracy"] == 4


def test_levels_apart_are_counted_on_the_scale() -> None:
    levels = tuple(Level(number, "text") for number in (0, 5, 10))
    wide = Rubric(
        id="x",
        version="1",
        dimensions=(Dimension(id="accuracy", name="A", question="?", levels=levels),),
        pass_rule=PassRule(),
    )
    reviews = [_review(4, 4, 4, scores={"accuracy": score}) for score in (5, 10)]
    assert outcome(_asked(), wide, reviews).state == "done"
    reviews = [_review(4, 4, 4, scores={"accuracy": score}) for score in (0, 10)]
    assert outcome(_asked(), wide, reviews).state == "adjudication"


def test_an_adjudication_stands_for_all(rubric: Rubric) -> None:
    reviews = [_review(4, 1, 4), _review(4, 4, 4), _review(3, 3, 3, meaning="adjudicated")]
    found = outcome(_asked(), rubric, reviews)
    assert (found.state, found.result, found.decided_by) == ("done", "passed", "adjudicated")
    assert found.scores == {"accuracy": 3, "safety": 3, "law": 3}
    assert len(found.reviews) == 3
    assert found.disagreements


def test_what_does_not_count(rubric: Rubric) -> None:
    old = _review(1, 1, 1)
    reviews = [
        old,
        _review(4, 4, 4, supersedes=old.id),
        _review(1, 1, 1, transcript="older"),
        _review(1, 1, 1, rubric="older"),
        _review(1, 1, 1, item="another"),
    ]
    assert [each.id for each in counting(_asked(), reviews)] == [reviews[1].id]
    assert outcome(_asked(1), rubric, reviews).result == "passed"


_SCORE = st.sampled_from([1, 2, 3, 4, "unsure"])
_SCORES = st.tuples(_SCORE, _SCORE, _SCORE)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(given_scores=st.lists(_SCORES, min_size=1, max_size=4), data=st.data())
def test_a_pass_has_only_passes_and_the_order_does_not_matter(
    rubric: Rubric, given_scores: list[Any], data: Any
) -> None:
    reviews = [_review(*scores) for scores in given_scores]
    asked = _asked(len(reviews))
    found = outcome(asked, rubric, reviews)
    if found.result == "passed":
        assert all(score in (3, 4) for scores in given_scores for score in scores)
    if any("unsure" in scores for scores in given_scores):
        assert found.state == "adjudication"
    again = outcome(asked, rubric, data.draw(st.permutations(reviews)))
    assert (again.state, again.result, again.scores) == (found.state, found.result, found.scores)
