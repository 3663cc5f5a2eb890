from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from probare.errors import GraderError
from probare.grading.placeholders import (
    Placeholder,
    artifacts,
    fill,
    find,
    look_up,
    parse,
    text_of,
    walk,
)
from probare.model.case import Case
from probare.model.event import Artifact, ToolCall, Usage
from probare.model.outcome import Transcript, UsageTotal
from probare.ports.grader import GradingSettings, TrialView
from probare.testing import strategies


@pytest.mark.parametrize(
    ("text", "root", "steps"),
    [
        ("$output", "output", ()),
        ("$input.expected_language", "input", ("expected_language",)),
        ("$output.items[0]", "output", ("items", 0)),
        ("$output.items[-1].name", "output", ("items", -1, "name")),
        ("$events[2].arguments", "events", (2, "arguments")),
        ("$recorded.scores.model-graded", "recorded", ("scores", "model-graded")),
        ("$answer", "answer", ()),
        ("$input.0", "input", ("0",)),
    ],
)
def test_a_whole_string_is_a_placeholder(
    text: str, root: str, steps: tuple[str | int, ...]
) -> None:
    assert parse(text) == Placeholder(root, steps, text)


@pytest.mark.parametrize(
    "text",
    [
        "$",
        "$5",
        "$5.00 only",
        "costs $price",
        "$input and more",
        " $input",
        "$input ",
        "$input\n",
        "$$input",
        "${input}",
        "$input.",
        "$input..a",
        "$input[a]",
        "$input[0",
        "$a$b",
        "US$",
        "",
    ],
)
def test_any_other_dollar_is_text(text: str, view: Any) -> None:
    assert parse(text) is None
    assert list(find(text)) == []
    assert fill(text, view("out")) == (text[1:] if text.startswith("$$") else text)


@pytest.mark.parametrize("value", [5, None, True, ["$input"], {"a": "$input"}])
def test_only_strings_are_placeholders(value: Any) -> None:
    assert parse(value) is None


@pytest.mark.parametrize("value", [0, 0.0, False, "", [], {}, "x", 7, 1.5, [1], {"a": None}])
def test_types_are_kept(value: Any, view: Any) -> None:
    """Field report B04: only a missing value is missing."""
    filled = fill({"args": ["$output"]}, view(value))["args"][0]
    assert filled == value
    assert type(filled) is type(value)


@pytest.mark.parametrize("output", [UNSET, None])
@pytest.mark.parametrize("text", ["$output", "$text"])
def test_missing_and_null_are_no_output(output: Any, text: str, view: Any) -> None:
    with pytest.raises(GraderError, match="the trial has no output"):
        fill(text, view(output))


def test_what_is_filled_in_is_never_searched_again(view: Any) -> None:
    """Field report B88: values are substituted once, and no template is rendered."""
    for value in ("$reference", "$$x", "color: {#fff} {{ x }} {% if %}"):
        case = Case(id="c", input={"a": value, "all": [value, {"$input": value}]}, reference="no")
        assert fill("$input.a", view("out", case=case)) == value
        assert fill(["$input.all"], view("out", case=case)) == [[value, {"$input": value}]]


def test_keys_are_not_substituted(view: Any) -> None:
    assert fill({"$input": "$input"}, view("out")) == {"$input": {"n": 1}}


def test_dollars_are_escaped_once(view: Any) -> None:
    assert fill("$$input", view("out")) == "$input"
    assert fill("$$$x", view("out")) == "$$x"


def test_every_root(view: Any) -> None:
    call = ToolCall(name="search", arguments={"q": [1, 2]})
    usage = Usage(input_tokens=10, output_tokens=5)
    trial = view(
        {"text": "hi", "answer": 42},
        events=[call, usage, Artifact(path="a.txt"), Artifact(path="a.txt")],
        case=Case(id="c", input="in", reference=False),
        state={"done": 0},
        artifacts=("a.txt", "b.txt"),
        recorded={"reward": 0.0},
    )
    expected = {
        "$input": "in",
        "$reference": False,
        "$output": {"text": "hi", "answer": 42},
        "$text": "hi",
        "$answer": 42,
        "$state": {"done": 0},
        "$state.done": 0,
        "$artifacts": ["a.txt", "b.txt"],
        "$recorded.reward": 0.0,
        "$events[0].name": "search",
        "$events[0].arguments.q[-1]": 2,
        "$events[-1].path": "a.txt",
        "$usage.input_tokens": 10,
        "$usage.cost_usd": None,
        "$usage": UsageTotal(input_tokens=10, output_tokens=5),
    }
    assert {text: fill(text, trial) for text in expected} == expected


@dataclasses.dataclass
class Point:
    north: float


def test_dataclasses_have_fields() -> None:
    assert walk({"at": Point(4.0)}, Placeholder("state", ("at", "north"), "")) == 4.0
    with pytest.raises(GraderError, match=r"\$state.at has no field 'nort'.*'north'"):
        walk({"at": Point(4.0)}, Placeholder("state", ("at", "nort"), ""))


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("$output.anwser", r"\$output has no key 'anwser'", "did you mean 'answer'?"),
        ("$output.list[3]", r"\$output.list has 3 items, no item 3", ""),
        ("$output.list[-4]", r"\$output.list has 3 items, no item -4", ""),
        ("$output.answer[0]", r"\$output.answer is not a list", ""),
        ("$output.answer.x", r"\$output.answer has no parts, so no 'x'", ""),
        ("$output.list.x", r"\$output.list has no parts, so no 'x'", ""),
        ("$events[0].nam", r"\$events\[0\] has no field 'nam'", "did you mean 'name'?"),
        ("$anwser", r"\$anwser does not exist in this trial", "did you mean 'answer'?"),
        ("$imput", r"\$imput does not exist in this trial", "did you mean 'input'?"),
        ("$reference", r"\$reference does not exist in this trial", ""),
        ("$state.x", r"\$state does not exist in this trial", ""),
        ("$recorded.reward", r"\$recorded does not exist in this trial", ""),
        ("$usage.input_tokens", r"\$usage does not exist in this trial", ""),
    ],
)
def test_what_is_absent_is_an_error_with_a_hint(
    text: str, message: str, hint: str, view: Any
) -> None:
    trial = view({"answer": 1, "list": [1, 2, 3]}, events=[ToolCall(name="t")])
    with pytest.raises(GraderError, match=message) as caught:
        fill(text, trial)
    assert caught.value.hint == hint


def test_a_key_that_is_there_with_null_is_there(view: Any) -> None:
    assert fill("$answer", view({"answer": None})) is None


def test_find_goes_into_lists_and_mappings() -> None:
    value = {"a": ["$input.x", {"b": "$output"}], "c": "$$input", "$d": 1, "e": ("$text",)}
    assert [found.text for found in find(value)] == ["$input.x", "$output", "$text"]


@pytest.mark.parametrize(
    ("output", "text"),
    [
        ("a", "a"),
        ({"text": "a", "more": 1}, "a"),
        ({"text": 5}, '{"text":5}'),
        ({"a": 1.0}, '{"a":1.0}'),
        ([1, "é"], '[1,"é"]'),
        (0, "0"),
        (False, "false"),
        ("", ""),
    ],
)
def test_the_text_of_an_output(output: Any, text: str) -> None:
    assert text_of(output) == text


def test_artifacts_are_each_told_once(view: Any) -> None:
    trial = view("x", events=[Artifact(path="b")], artifacts=("a", "b"))
    assert artifacts(trial) == ["b", "a"]


JSON = strategies.json_values(text=strategies.texts(max_size=5) | st.just("$input"))


@settings(max_examples=40, deadline=None)
@given(JSON)
def test_any_input_comes_out_as_it_went_in(value: Any) -> None:
    case = Case(id="c", input={"it": value})
    trial = _view_of(case)
    assert look_up(Placeholder("input", ("it",), "$input.it"), trial) == value
    assert fill(["$input.it"], trial) == [value]


def _view_of(case: Case) -> TrialView:
    return TrialView(case=case, transcript=Transcript(case="c"), settings=GradingSettings())
