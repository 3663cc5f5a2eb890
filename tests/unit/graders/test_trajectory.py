from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probare.errors import GraderError
from probare.graders import compare
from probare.graders.trajectory import GRADERS, FirstTool, MaxToolCalls, NoRepeatedCalls
from probare.grading.judging import judge
from probare.grading.ready import make_ready
from probare.model.case import Case, Check
from probare.model.event import Event, Message, ToolCall
from probare.model.outcome import Outcome, Transcript
from probare.model.verdict import Result
from probare.ports.grader import GradingSettings, TrialView

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from([1.0, 2.5, "a", "1", ""]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("ab"), inner),
    max_leaves=4,
)


def call(name: str, arguments: Any = None) -> ToolCall:
    return ToolCall(name=name, arguments=arguments, source="observed")


def test_the_same_call_twice_fails_whatever_came_between(ask: Any) -> None:
    events = (call("read", {"a": 1}), call("write"), call("read", {"a": 1.0}))
    verdict = ask(NoRepeatedCalls, events)
    assert verdict.result == "fail"
    assert verdict.reason == 'called more than once: read({"a":1}) 2 times'


@pytest.mark.parametrize(
    "pair",
    [
        (call("read", {"a": 1}), call("read", {"a": True})),
        (call("read", {"a": 1}), call("read", {"a": "1"})),
        (call("read", {"a": 1}), call("write", {"a": 1})),
        (call("read", {"a": [1, 2]}), call("read", {"a": [2, 1]})),
        (call("read", {}), call("read", {"a": None})),
        (call("read", {}), call("read", "not-json")),
    ],
)
def test_other_calls_are_no_repetition(ask: Any, pair: tuple[Event, Event]) -> None:
    assert ask(NoRepeatedCalls, pair).result == "pass"


@given(json_values, json_values)
@settings(max_examples=150)
def test_calls_repeat_exactly_where_their_arguments_are_the_same(a: Any, b: Any) -> None:
    trial = TrialView(
        case=Case(id="c"), transcript=Transcript(case="c"), settings=GradingSettings()
    )
    verdict = NoRepeatedCalls().grade((call("t", {"x": a}), call("t", {"x": b})), trial)
    assert (verdict.result == "fail") is compare.same(a, b)


def test_absent_arguments_are_none_and_ignored_tools_may_repeat(ask: Any) -> None:
    events = (call("poll"), call("poll", "{}"))
    assert ask(NoRepeatedCalls, events).result == "fail"
    assert ask(NoRepeatedCalls, events, ignore=["poll"]).result == "pass"
    assert ask(NoRepeatedCalls, events, only=["read"]).result == "pass"
    assert ask(NoRepeatedCalls, ()).result == "pass"


def test_calls_are_counted(ask: Any) -> None:
    events = (call("a"), Message(role="user", content="x"), call("b"), call("b"))
    assert ask(MaxToolCalls, events, limit=3).reason == "3 calls, at most 3"
    over = ask(MaxToolCalls, events, limit=2)
    assert (over.result, over.reason) == ("fail", "3 calls, at most 2; most often: b 2, a 1")
    assert ask(MaxToolCalls, events, limit=1, only=["a"]).result == "pass"
    assert ask(MaxToolCalls, events, limit=0).result == "fail"


def test_the_first_tool(ask: Any) -> None:
    events = (Message(role="user", content="x"), call("parse"), call("fetch"))
    assert ask(FirstTool, events, name="parse").result == "pass"
    assert ask(FirstTool, events, name=["fetch", "parse"]).result == "pass"
    wrong = ask(FirstTool, events, name="parses")
    assert wrong.reason == (
        "the first tool called was parse, wanted parses (did you mean 'parses'?)"
    )
    assert ask(FirstTool, (), name="parse").result == "fail"


@pytest.mark.parametrize(
    ("kind", "args"),
    [
        (NoRepeatedCalls, {"only": [], "ignore": []}),
        (NoRepeatedCalls, {"only": ["a"], "ignore": ["b"]}),
        (MaxToolCalls, {"limit": -1}),
        (FirstTool, {"name": []}),
        (FirstTool, {"name": ""}),
    ],
)
def test_arguments_that_cannot_be(ask: Any, kind: Any, args: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"only|>=|length"):
        ask(kind, (), **args)


def test_what_is_no_events_is_an_error(ask: Any) -> None:
    with pytest.raises(GraderError, match="no events"):
        ask(NoRepeatedCalls, "text")


@pytest.mark.parametrize(
    ("events", "observes", "result"),
    [
        ((call("a"),), ("tools",), "pass"),
        ((), ("tools",), "pass"),
        ((), (), "unknown"),
        ((ToolCall(name="a", source="claimed"),), ("tools",), "unknown"),
    ],
)
def test_claims_and_what_nobody_could_see_are_unknown(
    events: tuple[Event, ...], observes: Any, result: Result
) -> None:
    kinds = {kind.NAME: kind for kind in GRADERS}
    check = Check(grader="max_tool_calls", args={"limit": 5})
    transcript = Transcript(case="c", events=events, outcome=Outcome(output="x"), observes=observes)
    trial = TrialView(case=Case(id="c"), transcript=transcript, settings=GradingSettings())
    assert judge(make_ready(check, "expect", kinds, trial.settings), trial).result == result
