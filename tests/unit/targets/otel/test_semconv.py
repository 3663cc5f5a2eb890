from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec import UNSET

from probare.targets.otel import semconv
from probare.targets.otel.reading import Asked, Reading, Said
from probare.targets.otel.spans import SpanEvent

CHAT: dict[str, Any] = {"gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai"}
CALL = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}
ASKED = Asked("f", {"a": 1}, "c1")


def _read(span: Any) -> Reading:
    found = semconv.read(span)
    assert found is not None
    return found


def test_spans_of_others_are_none(span: Any) -> None:
    assert semconv.read(span("GET /", attributes={"http.method": "GET"})) is None


@pytest.mark.parametrize("as_text", [True, False])
def test_new_names_as_json_text_or_as_values(span: Any, as_text: bool) -> None:
    asks = {"type": "tool_call", "id": "c1", "name": "f", "arguments": {"a": 1}}
    values: dict[str, Any] = {
        "gen_ai.system_instructions": [{"type": "text", "content": "Be brief."}],
        "gen_ai.input.messages": [{"role": "user", "parts": [{"type": "text", "content": "Hi"}]}],
        "gen_ai.output.messages": [{"role": "assistant", "parts": [asks]}],
    }
    if as_text:
        values = {key: json.dumps(value) for key, value in values.items()}
    found = _read(span("chat m", attributes=CHAT | values))
    assert found.does == "model"
    assert found.inputs == (Said("system", "Be brief."), Said("user", "Hi"))
    assert found.outputs == (Said("assistant", None, (ASKED,)),)


def test_messages_on_the_event_of_details(span: Any) -> None:
    said = [{"role": "user", "parts": [{"type": "text", "content": "Hi"}]}]
    event = SpanEvent(
        name="gen_ai.client.inference.operation.details",
        attributes={"gen_ai.input.messages": said},
    )
    assert _read(span(attributes=CHAT, events=(event,))).inputs == (Said("user", "Hi"),)


@pytest.mark.parametrize("in_body", [True, False])
def test_old_message_events_as_span_events_or_logs(span: Any, in_body: bool) -> None:
    def event(name: str, fields: dict[str, Any]) -> SpanEvent:
        if in_body:
            return SpanEvent(name=name, attributes={"gen_ai.system": "openai"}, body=fields)
        flat = {k: json.dumps(v) if isinstance(v, list | dict) else v for k, v in fields.items()}
        return SpanEvent(name=name, attributes=flat)

    events = (
        event("gen_ai.system.message", {"content": "Be brief."}),
        event("gen_ai.user.message", {"content": "Hi"}),
        event("gen_ai.choice", {"index": 0, "message": {"tool_calls": [CALL]}}),
    )
    found = _read(span(attributes=CHAT, events=events))
    assert found.inputs == (Said("system", "Be brief."), Said("user", "Hi"))
    assert found.outputs == (Said("assistant", None, (ASKED,)),)


def test_the_oldest_prompt_and_completion(span: Any) -> None:
    prompt = json.dumps([{"role": "user", "content": "Hi"}])
    events = (
        SpanEvent(name="gen_ai.content.prompt", attributes={"gen_ai.prompt": prompt}),
        SpanEvent(name="gen_ai.content.completion", attributes={"gen_ai.completion": "Hello"}),
    )
    found = _read(
        span(attributes={"gen_ai.system": "x", "gen_ai.request.model": "m"}, events=events)
    )
    assert found.does == "model"
    assert (found.inputs, found.outputs) == ((Said("user", "Hi"),), (Said("assistant", "Hello"),))


def test_a_tool(span: Any) -> None:
    attributes = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "f",
        "gen_ai.tool.call.id": "c1",
        "gen_ai.tool.call.arguments": '{"a": 1}',
        "gen_ai.tool.call.result": "sunny",
    }
    found = _read(span("execute_tool f", attributes=attributes))
    assert (found.does, found.name, found.call_id) == ("tool", "f", "c1")
    assert (found.given, found.got) == ({"a": 1}, "sunny")


def test_a_tool_without_its_content(span: Any) -> None:
    found = _read(span("execute_tool f", attributes={"gen_ai.operation.name": "execute_tool"}))
    assert (found.name, found.given, found.got) == ("f", UNSET, UNSET)


def test_a_retrieval(span: Any) -> None:
    attributes = {
        "gen_ai.operation.name": "retrieval",
        "gen_ai.data_source.id": "wiki",
        "gen_ai.retrieval.query.text": "paris",
        "gen_ai.retrieval.documents": '[{"id": "d1", "score": 0.5}]',
    }
    found = _read(span(attributes=attributes))
    assert (found.does, found.name, found.given) == ("retrieval", "wiki", "paris")
    assert found.got == [{"id": "d1", "score": 0.5}]


def test_messages_that_were_cut_off_are_torn(span: Any) -> None:
    found = _read(span(attributes=CHAT | {"gen_ai.output.messages": '[{"role": "assis'}))
    assert found.outputs is None
    assert found.torn == ("gen_ai.output.messages",)
