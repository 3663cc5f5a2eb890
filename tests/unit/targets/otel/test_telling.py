"""Spans of a trial, made into its events."""

from __future__ import annotations

import json
from typing import Any

import pytest

from probare.model.event import (
    ErrorEvent,
    Event,
    Message,
    Note,
    Retrieval,
    ToolCall,
    ToolResult,
    Usage,
)
from probare.targets.otel.spans import SpanEvent
from probare.targets.otel.telling import channels_of

SHOWS = "pydantic-ai"


def _said(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "parts": [{"type": "text", "content": text}]}


def _asks(call_id: str, name: str = "f", **arguments: Any) -> dict[str, Any]:
    part = {"type": "tool_call", "id": call_id, "name": name, "arguments": arguments}
    return {"role": "assistant", "parts": [part]}


def _answers(call_id: str, result: Any) -> dict[str, Any]:
    part = {"type": "tool_call_response", "id": call_id, "response": result}
    return {"role": "tool", "parts": [part]}


def _chat(inputs: Any = None, outputs: Any = None, **more: Any) -> dict[str, Any]:
    attributes = {"gen_ai.operation.name": "chat", "gen_ai.usage.input_tokens": 1}
    attributes["gen_ai.usage.output_tokens"] = 1
    if inputs is not None:
        attributes["gen_ai.input.messages"] = json.dumps(inputs)
    if outputs is not None:
        attributes["gen_ai.output.messages"] = json.dumps(outputs)
    return attributes | {key.replace("__", "."): value for key, value in more.items()}


def _tool(call_id: str | None = "c1", name: str = "f", **arguments: Any) -> dict[str, Any]:
    attributes = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name}
    if call_id:
        attributes["gen_ai.tool.call.id"] = call_id
    attributes["gen_ai.tool.call.arguments"] = json.dumps(arguments)
    return attributes | {"gen_ai.tool.call.result": "sunny"}


def _acts(events: list[Event]) -> list[Event]:
    return [event for event in events if not isinstance(event, Note | Usage)]


def _notes(events: list[Event]) -> list[Note]:
    return [event for event in events if isinstance(event, Note)]


def _hidden(events: list[Event]) -> list[str]:
    return [c for note in _notes(events) if note.data for c in note.data.get("channels", [])]


def test_a_conversation_with_a_tool_is_told_once_and_in_order(span: Any, told: Any) -> None:
    hi, asked, answer = _said("user", "Hi"), _asks("c1", a=1), _said("assistant", "Sunny.")
    events = told(
        span("chat m", at=(0, 10), attributes=_chat([hi], [asked])),
        span("execute_tool f", at=(12, 15), attributes=_tool(a=1)),
        span(
            "chat m", at=(20, 30), attributes=_chat([hi, asked, _answers("c1", "sunny")], [answer])
        ),
    )
    assert _acts(events) == [
        Message(role="user", content="Hi", at_ms=0.0),
        ToolCall(name="f", arguments={"a": 1}, call_id="c1", at_ms=12.0),
        ToolResult(name="f", result="sunny", call_id="c1", duration_ms=3.0, at_ms=15.0),
        Message(role="assistant", content="Sunny.", at_ms=30.0),
    ]
    assert {event.source for event in events if not isinstance(event, Note)} == {"claimed"}
    assert [event.at_ms for event in events if isinstance(event, Usage)] == [10.0, 30.0]


def test_the_same_words_said_twice_are_two_messages(span: Any, told: Any) -> None:
    hi, ok = _said("user", "Hi"), _said("assistant", "ok")
    events = told(
        span(at=(0, 10), attributes=_chat([hi], [ok])),
        span(at=(20, 30), attributes=_chat([hi, ok, hi], [ok])),
    )
    assert [(e.role, e.content) for e in events if isinstance(e, Message)] == [
        ("user", "Hi"),
        ("assistant", "ok"),
        ("user", "Hi"),
        ("assistant", "ok"),
    ]


def test_calls_in_what_the_model_was_given_at_first_are_not_the_agents(
    span: Any, told: Any
) -> None:
    given = [_said("user", "Hi"), _asks("old", a=1), _answers("old", "x")]
    events = told(span(at=(0, 10), attributes=_chat(given, [_said("assistant", "ok")])))
    assert not [event for event in events if isinstance(event, ToolCall)]


def test_where_only_models_are_instrumented_what_they_asked_for_was_called(
    span: Any, told: Any
) -> None:
    asked = _asks("c1", a=1)
    events = told(
        span(at=(0, 10), attributes=_chat([], [asked])),
        span(at=(20, 30), attributes=_chat([asked, _answers("c1", "sunny")], [])),
    )
    assert _acts(events) == [
        ToolCall(name="f", arguments={"a": 1}, call_id="c1", at_ms=10.0),
        ToolResult(name="f", result="sunny", call_id="c1", at_ms=20.0),
    ]


def test_where_tools_have_spans_a_call_without_one_was_not_made(span: Any, told: Any) -> None:
    asked = span(at=(0, 10), scope=SHOWS, attributes=_chat([], [_asks("c1", a=1)]))
    events = told(asked)
    assert not _acts(events)
    assert "no span shows that it ran" in _notes(events)[0].text


def test_arguments_that_the_span_lacks_are_those_of_the_same_call_id(span: Any, told: Any) -> None:
    bare = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "f"}
    model = span(at=(0, 10), attributes=_chat([], [_asks("c1", a=1), _asks("c2", a=2)]))
    events = told(model, span(at=(12, 15), attributes=bare | {"gen_ai.tool.call.id": "c2"}))
    (call,) = [event for event in events if isinstance(event, ToolCall)]
    assert call.arguments == {"a": 2}
    events = told(model, span(at=(12, 15), attributes=bare))
    (call,) = [event for event in events if isinstance(event, ToolCall)]
    assert (call.arguments, call.attributes) == (None, {"not_observable": ["arguments"]})


def test_what_was_not_captured_is_marked(span: Any, told: Any) -> None:
    bare = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "f"}
    parts = [{"role": "user", "parts": [{"type": "text"}]}]
    retrieval = {"gen_ai.operation.name": "retrieval"}
    events = told(
        span(at=(0, 10), attributes=_chat(parts, [])),
        span(at=(12, 15), attributes=bare),
        span(at=(20, 22), attributes=retrieval),
    )
    assert [event.attributes.get("not_observable") for event in _acts(events)] == [
        ["content"],
        ["arguments"],
        ["result"],
        ["query", "documents"],
    ]


def test_a_tool_that_failed(span: Any, told: Any) -> None:
    raised = SpanEvent(
        name="exception",
        attributes={"exception.type": "builtins.OSError", "exception.message": "no station"},
    )
    failed = span(at=(0, 4), attributes=_tool(), status="error", events=(raised,))
    (_, result, *_) = told(failed)
    assert (result.result, result.error) == (None, "OSError: no station")
    assert not result.attributes


def test_an_exception_that_was_handled_is_no_failure(span: Any, told: Any) -> None:
    raised = SpanEvent(name="exception", attributes={"exception.type": "OSError"})
    (_, result, *_) = told(span(at=(0, 4), attributes=_tool(), events=(raised,)))
    assert (result.result, result.error) == ("sunny", None)


def test_an_error_is_told_where_it_began(span: Any, told: Any) -> None:
    agent = {"gen_ai.operation.name": "invoke_agent"}
    events = told(
        span("agent", n=1, at=(0, 20), attributes=agent, status="error", message="boom"),
        span("chat", n=2, parent=1, at=(1, 9), attributes=_chat(), status="error", message="boom"),
    )
    errors = [event for event in events if isinstance(event, ErrorEvent)]
    assert [(error.type, error.message) for error in errors] == [("chat", "boom")]


def test_a_tool_that_still_ran_was_called_all_the_same(span: Any, told: Any) -> None:
    events = told(span("execute_tool f", at=(0, None), attributes=_tool(a=1)))
    assert [type(event) for event in _acts(events)] == [ToolCall]
    assert any("had not ended" in note.text for note in _notes(events))


def test_usage_counts_once_where_an_agent_states_the_sum(span: Any, told: Any) -> None:
    agent = {"gen_ai.operation.name": "invoke_agent", "gen_ai.usage.input_tokens": 2}
    events = told(
        span("agent", n=1, at=(0, 40), attributes=agent | {"gen_ai.usage.output_tokens": 2}),
        span("chat", n=2, parent=1, at=(1, 9), attributes=_chat()),
        span("chat", n=3, parent=1, at=(11, 19), attributes=_chat()),
    )
    used = [event for event in events if isinstance(event, Usage)]
    assert [(usage.input_tokens, usage.output_tokens) for usage in used] == [(1, 1), (1, 1)]


def test_a_call_of_a_model_that_states_no_usage_has_an_unknown_one(span: Any, told: Any) -> None:
    bare = {"gen_ai.operation.name": "chat"}
    events = told(span(at=(0, 9), attributes=bare), span(at=(10, 19), attributes=_chat()))
    used = [event.input_tokens for event in events if isinstance(event, Usage)]
    assert used == [None, 1]


def test_a_model_inside_a_model_is_the_same_call(span: Any, told: Any) -> None:
    hi, ok = _said("user", "Hi"), _said("assistant", "ok")
    events = told(
        span("chat", n=1, at=(0, 20), attributes=_chat([hi], [ok])),
        span("openai.chat", n=2, parent=1, at=(1, 19), attributes=_chat([hi], [ok])),
    )
    assert len([event for event in events if isinstance(event, Message)]) == 2
    assert len([event for event in events if isinstance(event, Usage)]) == 1


def test_a_tool_that_two_instrumentations_tell_of_ran_once(span: Any, told: Any) -> None:
    one = span("execute_tool f", n=1, at=(0, 10), scope="a", attributes=_tool(None))
    inner = span("f", n=2, parent=1, at=(1, 9), scope="a", attributes=_tool(None))
    beside = span("f", n=3, at=(2, 8), scope="b", attributes=_tool(None))
    later = span("f", n=4, at=(20, 30), scope="b", attributes=_tool(None))
    events = told(one, inner, beside, later)
    assert [event.at_ms for event in events if isinstance(event, ToolCall)] == [0.0, 20.0]


def test_two_runs_of_one_tool_at_once_are_two(span: Any, told: Any) -> None:
    events = told(
        span("f", n=1, at=(0, 10), scope="a", attributes=_tool("c1")),
        span("f", n=2, at=(1, 9), scope="a", attributes=_tool("c2")),
    )
    assert len([event for event in events if isinstance(event, ToolCall)]) == 2


def test_a_retrieval(span: Any, told: Any) -> None:
    attributes = {
        "openinference.span.kind": "RETRIEVER",
        "input.value": "paris",
        "retrieval.documents.0.document.content": "sunny",
    }
    (event, *_) = told(span("Wiki", at=(0, 5), attributes=attributes))
    assert event == Retrieval(
        name="Wiki",
        query="paris",
        documents=[{"content": "sunny"}],
        duration_ms=5.0,
        at_ms=0.0,
    )


@pytest.mark.parametrize(
    ("scope", "attributes", "hidden"),
    [
        ("pydantic-ai", _chat([_said("user", "Hi")], [_said("assistant", "ok")]), ["retrievals"]),
        ("pydantic-ai", _chat(), ["retrievals", "messages"]),
        ("opentelemetry.instrumentation.openai_v2", _chat(), ["tools", "retrievals", "messages"]),
        (
            "opentelemetry.instrumentation.openai_v2",
            _chat([_said("user", "Hi")], [_said("assistant", "ok")]),
            ["retrievals"],
        ),
        (
            "openinference.instrumentation.langchain",
            {"openinference.span.kind": "CHAIN"},
            ["messages"],
        ),
        ("requests", {"http.method": "GET"}, ["tools", "retrievals", "messages"]),
    ],
)
def test_what_spans_could_not_have_shown(
    span: Any, told: Any, scope: str, attributes: dict[str, Any], hidden: list[str]
) -> None:
    assert _hidden(told(span(scope=scope, attributes=attributes))) == hidden


def test_no_span_at_all_shows_nothing(told: Any) -> None:
    assert _hidden(told()) == ["tools", "retrievals", "messages"]


def test_attributes_that_were_cut_off_leave_a_gap(span: Any, told: Any) -> None:
    attributes = {"gen_ai.operation.name": "chat", "gen_ai.output.messages": '[{"ro'}
    notes = _notes(told(span("chat", scope=SHOWS, attributes=attributes)))
    (torn,) = [note for note in notes if note.data and note.data.get("kind") == "incomplete"]
    assert "gen_ai.output.messages of chat" in torn.text


def test_spans_that_no_dialect_knows_are_named(span: Any, told: Any) -> None:
    notes = _notes(told(span("GET /x", attributes={}), span("SELECT", attributes={})))
    assert notes[-1].data == {"names": ["GET /x", "SELECT"]}


def test_a_circle_of_parents_ends(span: Any, told: Any) -> None:
    events = told(
        span("f", n=1, parent=2, at=(0, 1), attributes=_tool("c1")),
        span("g", n=2, parent=1, at=(0, 1), attributes=_tool("c2", "g")),
    )
    assert len([event for event in events if isinstance(event, ToolCall)]) == 2


def test_channels_of_a_span(span: Any) -> None:
    assert channels_of(span(attributes=_tool())) == ("tools",)
    assert channels_of(span(attributes=_chat())) == ("tools", "messages")
    assert channels_of(span(attributes={})) == ()


# what was recorded as well


def _observed(name: str, at_ms: float, **arguments: Any) -> ToolCall:
    return ToolCall(
        name=name, arguments=arguments, call_id="call_1", at_ms=at_ms, source="observed"
    )


def _calls(events: list[Event]) -> list[str]:
    return [event.name for event in events if isinstance(event, ToolCall)]


def test_a_call_that_was_observed_within_the_span_is_not_told_again(span: Any, told: Any) -> None:
    one = span("f", at=(10, 20), attributes=_tool("abc", a=1))
    assert _calls(told(one, recorded=(_observed("f", 12.0, a=1),))) == []
    assert _calls(told(one, recorded=(_observed("g", 12.0, a=1),))) == ["f"]


def test_each_observed_call_answers_for_one_span(span: Any, told: Any) -> None:
    two = (
        span("f", n=1, at=(10, 20), attributes=_tool("abc", a=1)),
        span("f", n=2, at=(30, 40), attributes=_tool("def", a=1)),
    )
    events = told(*two, recorded=(_observed("f", 35.0, a=1),))
    assert [event.at_ms for event in events if isinstance(event, ToolCall)] == [10.0]


def test_the_ids_of_the_recorder_are_not_the_frameworks(span: Any, told: Any) -> None:
    other = span("f", at=(100, 110), attributes=_tool("call_1", a=1))
    assert _calls(told(other, recorded=(_observed("f", 12.0, a=2),))) == ["f"]


def test_what_a_remote_told_itself_is_not_told_again(span: Any, told: Any) -> None:
    said = ToolCall(name="f", arguments={"a": 1}, call_id="c1", at_ms=900.0)
    assert _calls(told(span("f", at=(10, 20), attributes=_tool("c1")), recorded=(said,))) == []
    said = ToolCall(name="f", arguments={"a": 1.0}, at_ms=900.0)
    same = span("f", at=(10, 20), attributes=_tool("c2", a=1.0))
    assert _calls(told(same, recorded=(said,))) == []


def test_a_request_that_was_observed_as_a_call_is_not_told_again(span: Any, told: Any) -> None:
    asked = span(at=(0, 10), attributes=_chat([], [_asks("c1", a=1)]))
    assert _calls(told(asked, recorded=(_observed("f", 12.0, a=1),))) == []
    assert _calls(told(asked, recorded=(_observed("f", 12.0, a=2),))) == ["f"]
    same_id = span(at=(0, 10), attributes=_chat([], [_asks("call_1", a=1)]))
    assert _calls(told(same_id, recorded=(_observed("f", 12.0, a=2),))) == ["f"]


def test_messages_that_the_agent_recorded_are_not_told_again(span: Any, told: Any) -> None:
    hi, ok = _said("user", "Hi"), _said("assistant", "ok")
    chat = span(at=(0, 10), attributes=_chat([hi], [ok]))
    events = told(chat, recorded=(Message(role="assistant", content="ok"),))
    assert [event.role for event in events if isinstance(event, Message)] == ["user"]


@pytest.mark.parametrize(
    ("recorded", "left"),
    [
        ((Usage(input_tokens=1, output_tokens=1),), 1),
        ((Usage(input_tokens=2, output_tokens=2),), 0),
        ((Usage(input_tokens=9, output_tokens=9),), 2),
        ((), 2),
    ],
)
def test_usage_that_was_recorded_is_not_told_again(
    span: Any, told: Any, recorded: tuple[Usage, ...], left: int
) -> None:
    chats = (span(n=1, attributes=_chat()), span(n=2, at=(20, 30), attributes=_chat()))
    events = told(*chats, recorded=recorded)
    assert len([event for event in events if isinstance(event, Usage)]) == left


def test_an_observed_retrieval_is_not_told_again(span: Any, told: Any) -> None:
    attributes = {"openinference.span.kind": "RETRIEVER", "input.value": "paris"}
    seen = Retrieval(query="paris", name="search", source="observed", at_ms=3.0)
    events = told(span("Wiki", at=(0, 5), attributes=attributes), recorded=(seen,))
    assert not [event for event in events if isinstance(event, Retrieval)]
