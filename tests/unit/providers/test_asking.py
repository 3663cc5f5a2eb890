"""Requests in the layer's form."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, ToolCallPart, ToolReturnPart

from probare.ports.chat import ChatMessage, ChatToolCall
from probare.providers.asking import OUTPUT_TOOL, messages_of, parameters_of, settings_of


def test_what_stands_between_two_answers_is_one_request(question: Any) -> None:
    call = ChatToolCall(id="a", name="f", arguments={})
    made = messages_of(
        question(
            messages=(
                ChatMessage(role="system", content="s"),
                ChatMessage(role="user", content="u"),
                ChatMessage(role="assistant", tool_calls=(call, call)),
                ChatMessage(role="tool", content="1", call_id="a"),
                ChatMessage(role="tool", content="2", call_id="b", name="g"),
                ChatMessage(role="user", content="v"),
            )
        )
    )
    assert [type(message) for message in made] == [ModelRequest, ModelResponse, ModelRequest]
    names = [part.tool_name for part in made[2].parts if isinstance(part, ToolReturnPart)]
    assert names == ["f", "g"]


@pytest.mark.parametrize(
    ("content", "calls", "kinds"),
    [
        ("", (), [TextPart]),
        ("x", (ChatToolCall(id="a", name="f", arguments=[1]),), [TextPart, ToolCallPart]),
        ("", (ChatToolCall(id="a", name="f", arguments={}),), [ToolCallPart]),
    ],
)
def test_an_answer_keeps_its_text_and_calls(
    question: Any, content: str, calls: Any, kinds: Any
) -> None:
    message = ChatMessage(role="assistant", content=content, tool_calls=calls)
    [made] = messages_of(question(messages=(message,)))
    assert [type(part) for part in made.parts] == kinds


def test_the_clients_own_retries_are_off(question: Any) -> None:
    assert settings_of(question()) == {"max_retries": 0}


@pytest.mark.parametrize(
    ("way", "mode"),
    [("native", "native"), ("json", "text"), ("tool", "tool"), ("prompted", "prompted")],
)
def test_a_schema_is_asked_for_in_one_way(question: Any, way: str, mode: str) -> None:
    made = parameters_of(question(output={"type": "object"}), way)
    assert made.output_mode == mode
    assert [tool.name for tool in made.output_tools] == ([OUTPUT_TOOL] if way == "tool" else [])
    assert parameters_of(question(), way).output_mode == "text"
