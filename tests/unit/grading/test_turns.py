"""Turns of a conversation, read from events alone."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from probare.errors import GraderError
from probare.grading import placeholders
from probare.grading.judging import judge
from probare.grading.turns import of_turn, turns_of
from probare.model.case import Case, Check
from probare.model.event import Attempt, Event, Message, Note, ToolCall, Usage
from probare.model.outcome import Outcome, Transcript
from probare.ports.grader import GradingSettings, TrialView


def user(text: str, turn: int | None = None, source: Any = "observed") -> Message:
    attributes = {} if turn is None else {"turn": turn}
    return Message(role="user", content=text, source=source, attributes=attributes)


def agent(content: Any, turn: int | None = None, source: Any = "observed") -> Message:
    attributes = {} if turn is None else {"turn": turn}
    return Message(role="assistant", content=content, source=source, attributes=attributes)


def call(name: str) -> ToolCall:
    return ToolCall(name=name, source="observed")


def ended(word: str, source: Any = "observed") -> Note:
    return Note(text="ended", data={"conversation_ended": word}, source=source)


def trial_end(number: int, ok: bool) -> Attempt:
    return Attempt(operation="trial", number=number, ok=ok, source="observed")


def seen(*events: Event, trust: Any = "observed", output: Any = UNSET) -> TrialView:
    return TrialView(
        case=Case(id="c"),
        transcript=Transcript(
            case="c",
            events=events,
            outcome=Outcome(output=output),
            observes=("messages", "tools"),
        ),
        trust=trust,
        duration_ms=9.0,
        settings=GradingSettings(),
    )


def look(place: str, trial: TrialView) -> Any:
    found = placeholders.parse(place)
    assert found is not None
    return placeholders.look_up(found, trial)


LED = (
    Message(role="system", content="be kind", source="observed"),
    user("hi", 1),
    agent("let me look"),
    call("look"),
    Usage(input_tokens=3, output_tokens=1, source="observed"),
    agent("hello", 1),
    user("more?", 2),
    Usage(input_tokens=9, output_tokens=9, source="observed", attributes={"simulated": True}),
    agent({"text": "bye", "n": 2}, 2),
    ended("script"),
    Note(text="stdout", source="observed"),
)


def test_the_harness_says_where_turns_begin_and_which_answer_holds() -> None:
    first, second = turns_of(seen(*LED))
    assert (first.user, first.text, first.output) == ("hi", "hello", "hello")
    assert [event.kind for event in first.events] == [
        "message",
        "message",
        "tool_call",
        "usage",
        "message",
    ]
    assert first.usage.input_tokens == 3
    assert (second.text, second.output) == ("bye", {"text": "bye", "n": 2})
    assert second.usage is UNSET
    assert len(second.events) == 3


def test_what_the_agent_claims_begins_no_turn_of_the_harness() -> None:
    events = (*LED[:6], user("forged", 2, "claimed"), agent("lies", 1, "claimed"), *LED[6:])
    first, second = turns_of(seen(*events))
    assert (first.text, second.user) == ("hello", "more?")


def test_an_agent_that_gave_no_answer_has_none() -> None:
    events = (user("hi", 1), agent("mine", None, "claimed"), agent("thinking"))
    (turn,) = turns_of(seen(*events))
    assert turn.output is UNSET
    with pytest.raises(GraderError, match=r"\$turns\[0\] has no text"):
        look("$turns[0].text", seen(*events))


def test_a_recording_has_a_turn_for_each_message_of_the_user() -> None:
    events = (
        agent("welcome"),
        user("a", source="replayed"),
        user("b", source="replayed"),
        agent("one", source="replayed"),
        user("c", source="replayed"),
        agent("two", source="replayed"),
        agent("three", source="replayed"),
    )
    assert [(turn.user, turn.text) for turn in turns_of(seen(*events))] == [
        ("a", "one"),
        ("c", "three"),
    ]


@pytest.mark.parametrize(("trust", "count"), [("observed", 0), ("claimed", 1)])
def test_claimed_messages_are_turns_only_where_claims_are_trusted(trust: Any, count: int) -> None:
    events = (user("a", source="claimed"), agent("one", source="claimed"))
    assert len(turns_of(seen(*events, trust=trust))) == count


def test_a_retried_attempt_keeps_its_acts_and_not_its_answers() -> None:
    events = (
        user("hi", 1),
        call("leak"),
        agent("old", 1),
        user("more?", 2),
        call("late"),
        trial_end(1, False),
        user("hi", 1),
        agent("new", 1),
        trial_end(2, True),
        call("not_of_any_turn"),
    )
    first, second = turns_of(seen(*events))
    assert first.text == "new"
    assert [e.name for e in first.events if isinstance(e, ToolCall)] == ["leak"]
    assert second.output is UNSET
    assert [e.name for e in second.events if isinstance(e, ToolCall)] == ["late"]


def test_a_turn_seen_alone_is_all_there_is_save_for_turns_and_ended() -> None:
    whole = seen(*LED, output="the last")
    one = of_turn(whole, 0)
    assert one.transcript.outcome.output == "hello"
    assert (one.duration_ms, one.first_token_ms) == (None, None)
    assert look("$text", one) == "hello"
    assert look("$usage.input_tokens", one) == 3
    assert look("$turns[1].text", one) == "bye"
    assert look("$turns[-1].output.n", one) == 2
    assert look("$ended", one) == "script"
    assert len(look("$events", one)) == 5


def test_how_it_ended_is_told_by_the_harness_alone() -> None:
    with pytest.raises(GraderError, match="does not exist in this trial"):
        look("$ended", seen(ended("goal_reached", "claimed")))


@pytest.mark.parametrize("turn", [2, 9])
def test_a_turn_never_reached_is_an_error_in_either_list(ready: Any, turn: int) -> None:
    for in_list in ("expect", "forbid"):
        check = Check(grader="says", args={"result": "pass"}, turn=turn)
        verdict = judge(ready(check, in_list), seen(*LED))
        assert verdict.result == "error"
        assert f"turn {turn + 1} was never reached: the conversation had 2 turns" in verdict.reason
        assert verdict.label == f"turn {turn + 1}: says: pass"


def test_checks_of_a_turn_judge_that_turn(ready: Any) -> None:
    looked = Check(grader="calls", args={"name": "look"}, turn=0)
    assert judge(ready(looked), seen(*LED)).result == "pass"
    elsewhere = Check(grader="calls", args={"name": "look"}, turn=1, label="mine")
    verdict = judge(ready(elsewhere), seen(*LED))
    assert (verdict.result, verdict.label) == ("fail", "turn 2: mine")
    inner = Check(grader="is", args={"value": "hello"})
    either = Check(grader="any_of", checks=(inner, Check(grader="is", args={"value": 1})), turn=0)
    assert judge(ready(either), seen(*LED)).result == "pass"


def test_a_failing_act_of_a_turn_counts_though_the_trial_did_not_complete(ready: Any) -> None:
    stopped = msgspec.structs.replace(seen(*LED[:5]), stop="timeout")
    leak = Check(grader="calls", args={"name": "look"}, turn=0)
    assert judge(ready(leak, "forbid"), stopped).result == "fail"
    assert judge(ready(leak, "expect"), stopped).result == "skipped"
    late = Check(grader="calls", args={"name": "look"}, turn=1)
    assert judge(ready(late, "forbid"), stopped).result == "error"


@pytest.mark.parametrize(
    ("place", "named"),
    [
        ("$text", "$turns[2].text"),
        ("$output.a[0]", "$turns[2].output.a[0]"),
        ("$events", "$turns[2].events"),
        ("$answer.text", "$turns[2].output.answer.text"),
        ("$turns[0].text", "$turns[0].text"),
        ("$input.x", "$input.x"),
    ],
)
def test_a_turns_own_places_have_names_in_the_whole_trial(place: str, named: str) -> None:
    assert placeholders.in_turn(place, 2) == named


_TURNS = st.none() | st.integers(-1, 4)
_SOURCES = st.sampled_from(["observed", "claimed", "replayed"])
_EVENTS = st.one_of(
    st.builds(user, st.text(max_size=3), _TURNS, _SOURCES),
    st.builds(agent, st.text(max_size=3) | st.none(), _TURNS, _SOURCES),
    st.builds(call, st.just("t")),
    st.builds(trial_end, st.integers(1, 3), st.booleans()),
    st.builds(ended, st.just("agent"), _SOURCES),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(_EVENTS, max_size=12))
def test_any_events_have_turns_that_hold_only_events_that_happened(events: list[Event]) -> None:
    view = seen(*events)
    found = turns_of(view)
    held = [id(event) for turn in found for event in turn.events]
    assert len(held) == len(set(held)) <= len(events)
    assert set(held) <= {id(event) for event in events}
    for index, turn in enumerate(found):
        assert of_turn(view, index).transcript.outcome.output == turn.output
        claimed = [e.content for e in events if isinstance(e, Message) and e.source == "claimed"]
        believed = [e.content for e in events if isinstance(e, Message) and e.source != "claimed"]
        assert turn.output is UNSET or turn.output in believed or turn.output not in claimed
    with pytest.raises(GraderError):
        of_turn(view, len(found))
