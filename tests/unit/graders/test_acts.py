from typing import Any

import pytest

from probare.errors import GraderError
from probare.graders import acts
from probare.model.event import Attempt, Decision, Retrieval, ToolCall, ToolResult


def test_calls_and_results_are_paired_by_id_and_else_by_name() -> None:
    events = (
        ToolCall(name="a", call_id="1"),
        ToolCall(name="a", call_id="2"),
        ToolResult(name="a", call_id="1", error="broke"),
        ToolCall(name="b"),
        ToolResult(name="b"),
        ToolResult(name="a", call_id="2"),
        Retrieval(query="q", name="kb", error="down"),
        ToolResult(name="c"),
    )
    found = [(act.name, act.at, act.end, act.error) for act in acts.acts_in(events)]
    assert found == [
        ("a", 0, 2, "broke"),
        ("a", 1, 5, None),
        ("b", 3, 4, None),
        ("kb", 6, 6, "down"),
        ("c", 7, 7, None),
    ]
    assert [act.at for act in acts.acts_in(events, ["kb", "c"])] == [6, 7]


def test_calls_of_an_earlier_attempt_keep_their_own_results() -> None:
    events = (
        ToolCall(name="a", call_id="call_1"),
        ToolResult(name="a", call_id="call_1", error="first"),
        ToolCall(name="a", call_id="call_1"),
        ToolResult(name="a", call_id="call_1"),
    )
    assert [act.error for act in acts.acts_in(events)] == ["first", None]


@pytest.mark.parametrize(
    ("deny", "result", "executed"),
    [
        ({"action": "a"}, {"error": "denied"}, False),
        ({"action": "a"}, {}, True),
        ({"action": "b"}, {"error": "denied"}, True),
        ({"action": "x", "call_id": "1"}, {"error": "denied"}, False),
        ({"action": "x", "call_id": "1"}, None, False),
        ({"action": "a"}, None, True),
    ],
)
def test_a_call_that_its_gateway_refused_was_not_executed(
    deny: dict[str, Any], result: dict[str, Any] | None, executed: bool
) -> None:
    call = ToolCall(name="a", call_id="1")
    events: tuple[Any, ...] = (call, Decision(decision="deny", **deny))
    if result is not None:
        events = (*events, ToolResult(name="a", call_id="1", **result))
    assert bool(acts.executed(events)) is executed


def test_a_denial_before_the_call_does_not_take_it_back() -> None:
    deny = Decision(action="a", decision="deny")
    events = (deny, ToolCall(name="a"), ToolResult(name="a", error="x"))
    assert len(acts.executed(events)) == 1


def test_the_harness_own_retries_are_no_attempts_of_the_agent() -> None:
    own = Attempt(operation="fetch", number=1, ok=True)
    events = (Attempt(operation="trial", number=1, ok=False), own)
    assert acts.attempts_in(events) == [(1, own)]


def test_what_is_no_events_is_an_error() -> None:
    with pytest.raises(GraderError, match="no events"):
        acts.events_of("text")
    assert acts.events_of([]) == []
