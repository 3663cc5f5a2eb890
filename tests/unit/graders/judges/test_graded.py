from __future__ import annotations

from typing import Any

import msgspec
import pytest

from probare.graders.judges.graded import JudgeChoice, JudgeRubric, JudgeYesNo
from probare.model.event import ToolCall


def test_a_criterion_is_met_or_not(judged: Any, says: Any) -> None:
    for word, result, score in (("pass", "pass", 1.0), ("fail", "fail", 0.0)):
        verdict = judged("judge", "Paris.", says(word), rubric="Is it right?")
        assert (verdict.result, verdict.score) == (result, score)
        assert verdict.reason == f"fake:a: {word}: because"
    verdict = judged("judge", "Paris.", says("unknown"), rubric="Is it right?")
    assert (verdict.result, verdict.score) == ("unknown", None)


def test_under_forbid_it_turns_round_and_unknown_does_not(judged: Any, says: Any) -> None:
    found = [
        judged("judge", "x", says(word), rubric="Is it rude?", in_list="forbid")
        for word in ("pass", "fail", "unknown", "perhaps")
    ]
    assert [each.result for each in found] == ["fail", "pass", "unknown", "error"]
    assert all(each.judged for each in found)
    assert found[0].reason.startswith("forbidden, and yet: ")


@pytest.mark.parametrize(
    ("scale", "at_least", "said", "result", "score"),
    [
        ("1..5", None, 5, "pass", 1.0),
        ("1..5", None, 4, "fail", 0.75),
        ("1..5", 3, 3, "pass", 0.5),
        ("1..5", 3, 2, "fail", 0.25),
        ("1..5", 3, "unknown", "unknown", None),
        ("0..100", 60, 61, "pass", 0.61),
        (["poor", "fair", "good"], "fair", "Fair", "pass", 0.5),
        (["poor", "fair", "good"], "fair", "poor", "fail", 0.0),
        ({"1": "none of it", "2": "some", "4": "all"}, 4, 2, "fail", pytest.approx(1 / 3)),
    ],
)
def test_scales(
    judged: Any, says: Any, scale: Any, at_least: Any, said: Any, result: str, score: Any
) -> None:
    args = {} if at_least is None else {"at_least": at_least}
    verdict = judged("judge", "x", says(said), rubric="Is it kind?", scale=scale, **args)
    assert (verdict.result, verdict.score) == (result, score)


def test_a_threshold_speaks_of_the_score(judged: Any, says: Any) -> None:
    verdict = judged("judge", "x", says(4), rubric="Kind?", scale="1..5", threshold=0.7)
    assert (verdict.result, verdict.score) == ("pass", 0.75)
    assert "threshold 0.7" in verdict.reason
    assert len(verdict.judged) == 1
    assert judged("judge", "x", says(9), rubric="K?", scale="1..5", threshold=0.0).result == "error"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ({"rubric": ""}, "length"),
        ({"rubric": "x", "scale": "3..3"}, "no width"),
        ({"rubric": "x", "scale": "1..5", "at_least": 6}, "no level"),
        ({"rubric": "x", "at_least": "unknown"}, "no level"),
        ({"rubric": "x", "model": "a:b", "models": ["c:d"]}, "model and models"),
        ({"rubric": "x", "votes": 0}, "votes"),
        ({"rubric": "Is {{ output }} right?"}, "no template"),
        ({"rubric": "x", "rubrik": "y"}, "rubrik"),
    ],
)
def test_what_a_judge_is_not_made_of(args: dict[str, Any], message: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=message):
        msgspec.convert(args, JudgeRubric)


def test_yes_and_no(judged: Any, says: Any) -> None:
    def ask(said: str, **keys: Any) -> str:
        return judged("judge_yes_no", "x", says(said), question="Is it rude?", **keys).result

    assert [ask("yes"), ask("No"), ask("unknown"), ask("maybe")] == [
        "pass",
        "fail",
        "unknown",
        "error",
    ]
    assert [ask("yes", right="no"), ask("no", right="no")] == ["fail", "pass"]
    with pytest.raises(msgspec.ValidationError, match="template"):
        msgspec.convert({"question": "Is {{output}} rude?"}, JudgeYesNo)


def test_choices(judged: Any, says: Any) -> None:
    letters = {"C": "Correct", "I": "Incorrect", "P": "Partially correct"}

    def ask(said: str, right: Any = "C", choices: Any = letters) -> str:
        question = "How right is it?"
        args = {"question": question, "choices": choices, "right": right}
        return judged("judge_choice", "x", says(said), **args).result

    assert [ask(word) for word in ("C", "c", "correct", "I", "P", "unknown", "CI", "C/P")] == [
        *["pass"] * 3,
        *["fail"] * 2,
        "unknown",
        "error",
        "error",
    ]
    assert [ask(word, right=["C", "P"]) for word in ("C", "P", "I")] == ["pass", "pass", "fail"]
    assert ask("b", right="a", choices=["a", "b"]) == "fail"


@pytest.mark.parametrize(
    ("choices", "right", "message"),
    [
        (["a", "b"], "c", "none of the choices"),
        (["a", "b"], ["a", "b"], "not all of them"),
        (["a", "b"], [], "some of the choices"),
        (["a"], "a", "two choices"),
        (["a", "A"], "a", "of its own"),
        ({"a": "b", "b": "c"}, "a", "of its own"),
        (["a", "unknown"], "a", "offered to every judge"),
    ],
)
def test_choices_that_are_none(choices: Any, right: Any, message: str) -> None:
    args = {"question": "q", "choices": choices, "right": right}
    with pytest.raises(msgspec.ValidationError, match=message):
        msgspec.convert(args, JudgeChoice)


def test_what_the_judge_is_shown(judged: Any, says: Any) -> None:
    from probare.testing.fakes import FakeModels

    models = FakeModels(says("pass"))
    judged(
        "judge",
        {"text": "Paris", "n": 2},
        models=models,
        rubric="Right?",
        look_in="$output",
        reference="Paris is the capital",
        given={"b": 1, "a": "?"},
    )
    asked = models.requests[0].messages[-1].content
    assert '{"n":2,"text":"Paris"}' in asked
    assert '{"a":"?","b":1}' in asked
    assert asked.count("Paris is the capital") == 1
    models = FakeModels(says("pass"))
    judged("judge", "x", models=models, rubric="Right?", show_input=False, given="SECRET")
    assert "SECRET" not in models.requests[0].messages[-1].content


@pytest.mark.parametrize("output", [0, False, "", [], {}])
def test_falsy_outputs_are_judged(judged: Any, says: Any, output: Any) -> None:
    assert judged("judge", output, says("pass"), rubric="Right?").result == "pass"


def test_nothing_is_no_answer(judged: Any, says: Any) -> None:
    for grader, args in (
        ("judge", {"rubric": "Right?"}),
        ("judge_yes_no", {"question": "Right?"}),
        ("judge_facts", {"reference": "It is Paris."}),
        ("judge_pairwise", {"against": "Rome"}),
    ):
        for in_list in ("expect", "forbid"):
            assert judged(grader, None, says("pass"), in_list=in_list, **args).result == "error"


def test_claims_of_the_agent_are_not_judged_as_acts(judged: Any, says: Any) -> None:
    event = ToolCall(name="pay", arguments={}, source="claimed")
    keys = {"rubric": "Did it pay?", "look_in": "$events", "events": (event,)}
    assert judged("judge", "x", says("pass"), **keys).result == "error"
    assert judged("judge", "x", says("pass"), trust="claimed", **keys).result == "pass"
