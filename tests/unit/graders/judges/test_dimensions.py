from __future__ import annotations

from typing import Any

import msgspec
import pytest

from probare.errors import InfraError
from probare.graders.judges.dimensions import JudgeDimensions
from probare.model.judged import final_replies
from probare.model.rubric import Dimension, Level, PassRule, Rubric
from probare.testing.fakes import FakeModels


def dimension(name: str) -> Dimension:
    levels = tuple(Level(number, f"{name} at {number}") for number in (1, 2, 3, 4))
    return Dimension(id=name, name=name, question=f"How is its {name}?", levels=levels)


RUBRIC = Rubric(
    id="hr",
    version="3",
    dimensions=(dimension("accuracy"), dimension("tone")),
    pass_rule=PassRule(each_at_least=3),
)
PLAIN = msgspec.to_builtins(RUBRIC)


def ask(judged: Any, says: Any, *words: Any, **keys: Any) -> Any:
    answers = [word if isinstance(word, Exception) else says(word) for word in words]
    return judged("judge_rubric", "x", *answers, **{"rubric": PLAIN, **keys})


@pytest.mark.parametrize(
    ("words", "result", "score"),
    [
        ((4, 3), "pass", 1.0),
        ((4, 2), "fail", 0.5),
        ((1, 1), "fail", 0.0),
        ((4, "unknown"), "unknown", None),
        ((1, "unknown"), "fail", None),
        ((4, InfraError("503")), "error", None),
        ((1, InfraError("503")), "fail", None),
        (("unknown", InfraError("503")), "error", None),
        ((5, 4), "pass", 1.0),
    ],
)
def test_the_pass_rule(
    judged: Any, says: Any, words: tuple[Any, ...], result: str, score: float | None
) -> None:
    """A 5 is no level: asked again, the judge says 4, and 4 again of the other dimension."""
    verdict = ask(judged, says, *words)
    assert (verdict.result, verdict.score) == (result, score)
    assert verdict.reason.startswith("rubric hr version 3: accuracy ")


def test_each_dimension_is_asked_alone(judged: Any, says: Any) -> None:
    models = FakeModels(says(4), says(3))
    verdict = judged("judge_rubric", "x", models=models, rubric=PLAIN)
    one, two = (request.messages[-1].content for request in models.requests)
    assert "accuracy at 3" in one
    assert "tone" not in one
    assert "tone at 3" in two
    assert "accuracy" not in two
    assert [(each.asked, each.answer) for each in verdict.judged] == [
        ("accuracy", "4"),
        ("tone", "3"),
    ]
    assert [request.purpose for request in models.requests] == ["judge:accuracy", "judge:tone"]


def test_only_some_dimensions(judged: Any, says: Any) -> None:
    verdict = ask(judged, says, 3, dimensions=["tone"])
    assert (verdict.result, [each.asked for each in verdict.judged]) == ("pass", ["tone"])


def test_votes_on_a_dimension(judged: Any, says: Any) -> None:
    verdict = ask(judged, says, 4, 3, 2, 4, 4, 4, votes=3)
    assert verdict.result == "pass"
    assert "accuracy 3 (" in verdict.reason
    assert len(final_replies(verdict.judged, "accuracy")) == 3
    parted = ask(judged, says, 4, 2, 4, 4, votes=2)
    assert parted.result == "unknown"
    assert "judges disagree" in parted.reason


def test_what_the_grader_is_not_made_of(judged: Any, says: Any) -> None:
    with pytest.raises(msgspec.ValidationError, match=r"no dimension 'tome' \(did you mean 'tone'"):
        msgspec.convert({"rubric": PLAIN, "dimensions": ["tome"]}, JudgeDimensions)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"rubric": {"id": "x"}}, JudgeDimensions)
    assert ask(judged, says, 4, rubric="rubric.yaml").result == "error"
