from __future__ import annotations

import json
from typing import Any

from msgspec import UNSET

from probare.model.event import Usage
from probare.targets.otel import openllmetry
from probare.targets.otel.reading import Answered, Asked, Reading, Said


def _read(span: Any) -> Reading:
    found = openllmetry.read(span)
    assert found is not None
    return found


def _tool(**more: Any) -> dict[str, Any]:
    attributes = {"traceloop.span.kind": "tool", "traceloop.entity.name": "f"}
    return attributes | {f"traceloop.entity.{key}": json.dumps(v) for key, v in more.items()}


def test_spans_of_others_are_none(span: Any) -> None:
    assert openllmetry.read(span(attributes={"gen_ai.operation.name": "chat"})) is None


def test_flattened_prompts_and_completions(span: Any) -> None:
    attributes = {
        "llm.request.type": "chat",
        "gen_ai.prompt.0.role": "user",
        "gen_ai.prompt.0.content": "Hi",
        "gen_ai.prompt.1.role": "tool",
        "gen_ai.prompt.1.content": "sunny",
        "gen_ai.prompt.1.tool_call_id": "c0",
        "gen_ai.completion.0.role": "assistant",
        "gen_ai.completion.0.finish_reason": "tool_calls",
        "gen_ai.completion.0.tool_calls.0.id": "c1",
        "gen_ai.completion.0.tool_calls.0.name": "f",
        "gen_ai.completion.0.tool_calls.0.arguments": '{"a": 1}',
        "gen_ai.usage.prompt_tokens": 5,
        "gen_ai.usage.completion_tokens": 2,
    }
    found = _read(span("openai.chat", attributes=attributes))
    assert found.does == "model"
    assert found.inputs == (
        Said("user", "Hi"),
        Said("tool", None, (), (Answered(None, "sunny", "c0"),)),
    )
    assert found.outputs == (Said("assistant", None, (Asked("f", {"a": 1}, "c1"),)),)
    assert found.usage == Usage(input_tokens=5, output_tokens=2)


def test_content_that_is_json_of_parts_is_its_text_and_other_json_stays_text(span: Any) -> None:
    parts = json.dumps([{"type": "text", "text": "Hi"}])
    attributes = {"gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": parts}
    assert _read(span(attributes=attributes)).inputs == (Said("user", "Hi"),)
    attributes["gen_ai.prompt.0.content"] = '{"t": 21}'
    assert _read(span(attributes=attributes)).inputs == (Said("user", '{"t": 21}'),)


def test_a_prompt_without_its_content_was_not_captured(span: Any) -> None:
    attributes = {"llm.request.type": "chat", "gen_ai.prompt.0.role": "user"}
    assert _read(span(attributes=attributes)).inputs == (Said("user", UNSET),)


def test_newer_spans_carry_the_conventions(span: Any) -> None:
    said = json.dumps([{"role": "user", "parts": [{"type": "text", "content": "Hi"}]}])
    attributes = {
        "traceloop.workflow.name": "w",
        "gen_ai.operation.name": "chat",
        "gen_ai.input.messages": said,
    }
    found = _read(span("Fake.chat", attributes=attributes))
    assert (found.dialect, found.inputs) == ("OpenLLMetry", (Said("user", "Hi"),))


def test_a_langchain_tool(span: Any) -> None:
    message: dict[str, Any] = {"lc": 1, "type": "constructor", "id": ["langchain", "ToolMessage"]}
    message["kwargs"] = {"content": "sunny", "type": "tool", "tool_call_id": "c1"}
    attributes = _tool(
        input={"input_str": "{'a': 1}", "inputs": {"a": 1}, "tags": []},
        output={"output": message, "kwargs": {"name": "f"}},
    )
    found = _read(span("execute_tool f", attributes=attributes))
    assert (found.name, found.given, found.got, found.call_id) == ("f", {"a": 1}, "sunny", "c1")


def test_a_decorated_tool(span: Any) -> None:
    found = _read(span(attributes=_tool(input={"args": [], "kwargs": {"a": 1}}, output="sunny")))
    assert (found.given, found.got) == ({"a": 1}, "sunny")


def test_arguments_passed_by_place_have_no_names(span: Any) -> None:
    found = _read(span(attributes=_tool(input={"args": [1], "kwargs": {}})))
    assert found.given is UNSET
    assert found.raw == '{"args": [1], "kwargs": {}}'


def test_workflows_and_tasks(span: Any) -> None:
    assert _read(span(attributes={"traceloop.span.kind": "workflow"})).does == "agent"
    assert _read(span(attributes={"traceloop.span.kind": "task"})).does == "other"
