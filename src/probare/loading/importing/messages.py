"""Chat messages in the style of OpenAI (and Inspect's variant of it) as events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

from probare.encoding import jsonbytes
from probare.encoding.narrow import mapping, sequence
from probare.model.event import Event, Message, ToolCall, ToolResult


def events_of(messages: Sequence[Any]) -> Iterator[Event]:
    """Yield the events of a conversation, in order: messages, tool calls, tool results.

    What is not a message is passed over: a recording may hold anything.
    """
    for item in messages:
        message = mapping(item)
        if not message:
            continue
        role = str(message.get("role", "unknown"))
        if role in ("tool", "function"):
            yield _tool_result(message)
            continue
        content = message.get("content")
        if content not in (None, "", []):
            yield Message(role=role, content=text_of(content))
        for call in sequence(message.get("tool_calls")):
            yield _tool_call(mapping(call))
        if mapping(message.get("function_call")):
            yield _tool_call({"function": message["function_call"]})


def last_reply(messages: Sequence[Any]) -> Any:
    """Return the text of the last assistant message that has one, or None."""
    for item in reversed(messages):
        message = mapping(item)
        if message.get("role") == "assistant" and message.get("content"):
            return text_of(message["content"])
    return None


def text_of(content: Any) -> Any:
    """Return content parts joined into their text; other content as it is."""
    if not isinstance(content, list):
        return content
    parts = cast("list[Any]", content)
    texts: list[str] = []
    for part in parts:
        fields = mapping(part)
        text = fields.get("text")
        if isinstance(text, str):
            texts.append(text)
        elif fields.get("type") not in ("reasoning", "thinking"):
            return parts
    return "".join(texts)


def _tool_call(fields: dict[str, Any]) -> ToolCall:
    """A call as OpenAI writes it (`function: {name, arguments}`) or Inspect (`function: name`)."""
    function = fields.get("function")
    inner = mapping(function)
    if inner:
        name, arguments = inner.get("name"), inner.get("arguments")
    else:
        name, arguments = function, fields.get("arguments")
    return ToolCall(name=str(name), arguments=decoded(arguments), call_id=_id(fields.get("id")))


def _id(value: Any) -> str | None:
    return None if value is None else str(value)


def _tool_result(message: dict[str, Any]) -> ToolResult:
    error = message.get("error")
    fields = mapping(error)
    if fields:
        error = ": ".join(str(fields[key]) for key in ("type", "message") if fields.get(key))
    return ToolResult(
        name=str(message.get("name") or message.get("function") or "unknown"),
        result=text_of(message.get("content")),
        error=None if error is None else str(error),
        call_id=_id(message.get("tool_call_id")),
    )


def decoded(arguments: Any) -> Any:
    """Return arguments that were recorded as JSON text as their value; other text as it is, so
    that malformed arguments match none.
    """
    if not isinstance(arguments, str):
        return arguments
    try:
        return jsonbytes.decode_strict(arguments)
    except (ValueError, RecursionError):
        return arguments
