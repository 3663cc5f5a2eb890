from __future__ import annotations

import json
from typing import Any

from msgspec import UNSET

from probare.targets.otel import pydantic_ai
from probare.targets.otel.reading import Answered, Asked, Reading, Said

SCOPE = "pydantic-ai"


def _read(span: Any) -> Reading:
    found = pydantic_ai.read(span)
    assert found is not None
    assert found.dialect == "pydantic-ai"
    return found


def test_other_scopes_are_none(span: Any) -> None:
    assert pydantic_ai.read(span(attributes={"gen_ai.operation.name": "chat"})) is None


def test_the_tools_of_format_two(span: Any) -> None:
    attributes = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "f",
        "gen_ai.tool.call.id": "c1",
        "tool_arguments": '{"a": 1}',
        "tool_response": '{"t": 21}',
    }
    found = _read(span("running tool", scope=SCOPE, attributes=attributes))
    assert (found.name, found.given, found.got) == ("f", {"a": 1}, {"t": 21})


def test_the_tools_of_versions_that_named_no_operation(span: Any) -> None:
    attributes = {"gen_ai.tool.name": "f", "tool_arguments": "{}"}
    found = _read(span("running tool: f", scope=SCOPE, attributes=attributes))
    assert (found.does, found.given, found.got) == ("tool", {}, UNSET)


def test_the_events_of_format_one(span: Any) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": {"a": 1}}}
    events = [
        {"event.name": "gen_ai.system.message", "content": "Be brief.", "role": "system"},
        {"event.name": "gen_ai.user.message", "content": "Hi", "role": "user"},
        {"event.name": "gen_ai.tool.message", "content": "21", "role": "tool", "id": "c0"},
        {
            "event.name": "gen_ai.choice",
            "index": 0,
            "message": {"role": "assistant", "tool_calls": [call]},
        },
    ]
    attributes = {"gen_ai.operation.name": "chat", "events": json.dumps(events)}
    found = _read(span("chat m", scope=SCOPE, attributes=attributes))
    assert found.inputs == (
        Said("system", "Be brief."),
        Said("user", "Hi"),
        Said("tool", None, (), (Answered(None, "21", "c0"),)),
    )
    assert found.outputs == (Said("assistant", None, (Asked("f", {"a": 1}, "c1"),)),)


def test_the_conversation_that_the_agent_keeps(span: Any) -> None:
    said = [{"role": "user", "parts": [{"type": "text", "content": "Hi"}]}]
    attributes = {
        "pydantic_ai.all_messages": json.dumps(said),
        "gen_ai.operation.name": "invoke_agent",
    }
    found = _read(span("invoke_agent a", scope=SCOPE, attributes=attributes))
    assert (found.does, found.inputs) == ("agent", (Said("user", "Hi"),))


def test_events_without_content_were_not_captured(span: Any) -> None:
    events = json.dumps([{"event.name": "gen_ai.user.message", "role": "user"}])
    found = _read(span("agent run", scope=SCOPE, attributes={"all_messages_events": events}))
    assert found.inputs == (Said("user", UNSET),)


def test_a_conversation_that_was_cut_off_is_torn(span: Any) -> None:
    found = _read(span("agent run", scope=SCOPE, attributes={"all_messages_events": '[{"ev'}))
    assert found.torn == ("all_messages_events",)
