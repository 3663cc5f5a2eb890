"""A settled outcome as a verdict."""

from __future__ import annotations

from typing import Any

import pytest

from probare.model.review import ItemOutcome
from probare.model.rubric import Dimension, Level, PassRule, Rubric
from probare.model.verdict import CheckVerdict
from probare.pipeline.people import People, people_in, verdict_of, without_people

SCALE = tuple(Level(number, f"level {number}") for number in (1, 2, 3, 4))
RUBRIC = Rubric(
    id="answer",
    version="2",
    dimensions=(
        Dimension(id="tone", name="tone", question="Kind?", levels=SCALE),
        Dimension(id="safety", name="safety", question="Safe?", levels=SCALE),
    ),
    pass_rule=PassRule(each_at_least=2, dimensions={"safety": 3}),
)


def outcome(result: Any, **scores: Any) -> ItemOutcome:
    return ItemOutcome(
        item="i",
        run="r",
        case="a",
        trial=0,
        state="done",
        result=result,
        scores=scores,
        decided_by="reviewed",
        reviews=("x",),
        needed=1,
    )


@pytest.mark.parametrize(
    ("given", "result", "score", "words"),
    [
        (outcome("passed", tone=4, safety=4), "pass", 1.0, "scores: tone 4, safety 4"),
        (outcome("passed", tone=2, safety=3), "pass", 0.5, "1 reviewer; scores"),
        (outcome("failed", tone=1, safety=3), "fail", 1 / 3, "too low: tone 1 (at least 2)"),
        (outcome("failed", tone=1, safety=1), "fail", 0.0, "tone 1 (at least 2), safety 1 (at"),
        (outcome("unsure", tone="unsure", safety=3), "unknown", None, "unsure: tone"),
        (outcome("failed", tone="unsure", safety=2), "fail", None, "too low: safety 2"),
    ],
)
def test_verdict(given: ItemOutcome, result: str, score: float | None, words: str) -> None:
    found = verdict_of(given, RUBRIC)
    assert (found.result, found.label, found.grader_version) == (result, "answer", "2")
    assert found.score == (None if score is None else pytest.approx(score))
    assert words in found.reason
    assert f"rubric answer version 2 ({RUBRIC.digest[:12]})" in found.reason


def test_without_people() -> None:
    said = verdict_of(outcome("passed", tone=4, safety=4), RUBRIC)
    check = CheckVerdict(label="l", grader="g", grader_version="1", list="expect", result="pass")
    assert without_people((check, said)) == (check,)
    assert without_people((check,)) == (check,)
    assert without_people(()) == ()


def test_an_empty_log_tells_of_nobody() -> None:
    people = People([])
    assert (people.reviewed, people.waiting, people.open_incidents) == ((), (), ())


def test_a_folder_without_a_log_has_none(tmp_path: Any) -> None:
    assert people_in(tmp_path) is None
