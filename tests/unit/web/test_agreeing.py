"""Agreement over blind reviews."""

from __future__ import annotations

from typing import Any

import pytest

from probare.model.review import Review
from probare.model.rubric import Rubric
from probare.web.agreeing import agreed


def _review(rubric: Rubric, item: str, who: str, score: Any, **more: Any) -> Review:
    plain: dict[str, Any] = {
        "id": f"{item}-{who}-{score}",
        "item": item,
        "run": "r",
        "case": item,
        "trial": 0,
        "reviewer": who,
        "role": "reviewer",
        "when": "2026-12-01T04:00:00+00:00",
        "meaning": "reviewed",
        "rubric_id": rubric.id,
        "rubric_version": rubric.version,
        "rubric": rubric.digest,
        "transcript": "0" * 64,
        "scores": {"accuracy": score, "safety": 4},
        "comments": {},
    }
    return Review(**{**plain, **more})


def test_the_last_blind_review_of_each_counts_and_no_adjudication(rubric: Rubric) -> None:
    reviews = [
        _review(rubric, "a", "Ann", 1),
        _review(rubric, "a", "Ann", 3),
        _review(rubric, "a", "Ben", 3),
        _review(rubric, "a", "Ben", 1, blind=False),
        _review(rubric, "a", "Ada", 1, meaning="adjudicated"),
        _review(rubric, "b", "Ann", 4),
        _review(rubric, "b", "Ben", "unsure"),
    ]
    found = agreed(rubric, reviews)
    accuracy = found.dimensions[0]
    assert accuracy.given == ((1, 0), (2, 0), (3, 2), (4, 1))
    assert (accuracy.found.n, accuracy.found.unsure) == (1, 1)
    assert accuracy.found.raw.value == pytest.approx(1.0)
    assert (found.items, found.reviewers) == (2, ("Ann", "Ben"))
