from __future__ import annotations

import json
from typing import Any

from msgspec import UNSET

from probare.model.event import Usage
from probare.targets.otel import openinference
from probare.targets.otel.reading import Answered, Asked, Reading, Said

ASKED = Asked("f", {"a": 1}, "c1")


def _read(span: Any) -> Reading:
    found = openinference.read(span)
    assert found is not None
    return found


def _kind(kind: str, **more: Any) -> dict[str, Any]:
    return {"openinference.span.kind": kind} | {k.replace("__", "."): v for k, v in more.items()}


def test_spans_of_others_are_none(span: Any) -> None:
    assert openinference.read(span(attributes={"gen_ai.operation.name": "chat"})) is None


def test_flattened_messages(span: Any) -> None:
    called = "llm.output_messages.0.message.tool_calls.0.tool_call"
    attributes = _kind("LLM") | {
        "llm.input_messages.0.message.role": "system",
        "llm.input_messages.0.message.content": "Be brief.",
        "llm.input_messages.1.message.role": "user",
        "llm.input_messages.1.message.contents.0.message_content.type": "text",
        "llm.input_messages.1.message.contents.0.message_content.text": "Hi",
        "llm.input_messages.2.message.role": "tool",
        "llm.input_messages.2.message.content": "sunny",
        "llm.input_messages.2.message.tool_call_id": "c0",
        "llm.output_messages.0.message.role": "assistant",
        f"{called}.id": "c1",
        f"{called}.function.name": "f",
        f"{called}.function.arguments": '{"a": 1}',
        "llm.token_count.prompt": 3,
        "llm.token_count.completion": 1,
        "llm.model_name": "m",
    }
    found = _read(span(attributes=attributes))
    assert found.inputs == (
        Said("system", "Be brief."),
        Said("user", "Hi"),
        Said("tool", None, (), (Answered(None, "sunny", "c0"),)),
    )
    assert found.outputs == (Said("assistant", None, (ASKED,)),)
    assert found.usage == Usage(input_tokens=3, output_tokens=1, model="m")


def test_what_is_not_flattened_is_read_out_of_the_whole_value(span: Any) -> None:
    made = [{"type": "function_call", "call_id": "c1", "name": "f", "arguments": '{"a": 1}'}]
    given = [
        {"role": "user", "content": "Hi"},
        *made,
        {"type": "function_call_output", "call_id": "c1", "output": "sunny"},
    ]
    attributes = _kind("LLM") | {
        "llm.input_messages.0.message.role": "user",
        "llm.input_messages.0.message.content": "Hi",
        "input.value": json.dumps(given),
        "output.value": json.dumps(made),
    }
    found = _read(span(attributes=attributes))
    assert found.outputs == (Said("assistant", None, (ASKED,)),)
    assert found.inputs is not None
    assert found.inputs[2].answers == (Answered(None, "sunny", "c1"),)


def test_a_role_alone_was_not_captured(span: Any) -> None:
    attributes = _kind("LLM") | {"llm.input_messages.0.message.role": "user"}
    assert _read(span(attributes=attributes)).inputs == (Said("user", UNSET),)


def test_hidden_content_is_not_captured(span: Any) -> None:
    attributes = _kind("LLM") | {
        "llm.input_messages.0.message.role": "user",
        "llm.input_messages.0.message.content": "__REDACTED__",
        "output.value": "__REDACTED__",
    }
    found = _read(span(attributes=attributes))
    assert (found.inputs, found.outputs) == ((Said("user", UNSET),), None)
    hidden = _kind("TOOL", input__value="__REDACTED__", output__value="__REDACTED__")
    found = _read(span("f", attributes=hidden))
    assert (found.given, found.raw, found.got) == (UNSET, UNSET, UNSET)


def test_a_tool_whose_input_is_an_object(span: Any) -> None:
    attributes = _kind("TOOL", input__value='{"a": 1}', output__value="sunny", tool__name="f")
    found = _read(span(attributes=attributes))
    assert (found.name, found.given, found.got, found.call_id) == ("f", {"a": 1}, "sunny", None)


def test_a_tool_whose_input_is_printed_has_unknown_arguments(span: Any) -> None:
    """LangChain prints the only argument of a tool, and a mapping as Python writes it."""
    for printed in ("Paris", "{'city': 'Paris'}", "[1]", "12"):
        found = _read(span("f", attributes=_kind("TOOL", input__value=printed)))
        assert (found.given, found.raw) == (UNSET, printed)


def test_the_result_of_a_langchain_tool_is_taken_out_of_its_message(span: Any) -> None:
    data = {"content": "sunny", "type": "tool", "tool_call_id": "c1", "status": "success"}
    attributes = _kind("TOOL", output__value=json.dumps({"type": "tool", "data": data}))
    found = _read(span("f", attributes=attributes))
    assert (found.got, found.call_id) == ("sunny", "c1")


def test_a_retriever(span: Any) -> None:
    attributes = _kind("RETRIEVER", input__value="paris") | {
        "retrieval.documents.0.document.content": "Paris is sunny.",
        "retrieval.documents.0.document.id": "d1",
        "retrieval.documents.0.document.score": 0.5,
    }
    found = _read(span("Wiki", attributes=attributes))
    assert (found.does, found.name, found.given) == ("retrieval", "Wiki", "paris")
    assert found.got == [{"content": "Paris is sunny.", "id": "d1", "score": 0.5}]


def test_chains_are_other_spans_and_agents_agents(span: Any) -> None:
    assert _read(span(attributes=_kind("CHAIN"))).does == "other"
    assert _read(span(attributes=_kind("AGENT"))).does == "agent"
