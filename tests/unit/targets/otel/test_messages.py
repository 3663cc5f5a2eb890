from __future__ import annotations

from typing import Any

import pytest
from msgspec import UNSET

from probare.targets.otel.messages import arguments, content, of_chat, role_of
from probare.targets.otel.reading import Answered, Asked, Said


def test_parts_are_text_calls_and_results() -> None:
    said = of_chat(
        {
            "role": "assistant",
            "parts": [
                {"type": "reasoning", "content": "hm"},
                {"type": "text", "content": "It is "},
                {"type": "text", "content": "sunny."},
                {"type": "tool_call", "id": "c1", "name": "f", "arguments": {"a": 1}},
            ],
        }
    )
    assert said == Said("assistant", "It is sunny.", (Asked("f", {"a": 1}, "c1"),))


@pytest.mark.parametrize("key", ["response", "result"])
def test_a_result_by_either_name(key: str) -> None:
    part = {"type": "tool_call_response", "id": "c1", "name": "f", key: '{"t": 21}'}
    said = of_chat({"role": "user", "parts": [part]})
    assert said == Said("user", None, (), (Answered("f", {"t": 21}, "c1"),))


def test_what_was_not_captured_is_not_empty() -> None:
    parts: list[Any] = [{"type": "text"}]
    assert of_chat({"role": "user", "parts": parts}).content is UNSET
    call = {"type": "tool_call", "id": "c1", "name": "f"}
    assert of_chat({"role": "assistant", "parts": [call]}).asks == (Asked("f", UNSET, "c1"),)
    assert of_chat({"role": "user"}).content is UNSET
    assert of_chat({"role": "tool", "tool_call_id": "c1"}).answers == (Answered(None, UNSET, "c1"),)


def test_a_chat_message_with_calls() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}
    said = of_chat({"role": "assistant", "content": None, "tool_calls": [call]})
    assert said == Said("assistant", None, (Asked("f", {"a": 1}, "c1"),))


def test_malformed_arguments_stay_as_written() -> None:
    assert arguments('{"a": ') == '{"a": '
    assert arguments({"a": 1}) == {"a": 1}


def test_parts_that_are_no_text_stay_parts() -> None:
    parts = [{"type": "text", "text": "look"}, {"type": "image_url", "image_url": {"url": "x"}}]
    assert content(parts) == parts
    assert content([{"type": "thinking", "thinking": "hm"}]) is None
    assert content(["a", "b"]) == "ab"
    assert content("") is None


@pytest.mark.parametrize(
    ("role", "want"),
    [("human", "user"), ("AI", "assistant"), ("developer", "system"), ("x", "x"), (3, "unknown")],
)
def test_roles_by_their_usual_names(role: Any, want: str) -> None:
    assert role_of(role) == want
