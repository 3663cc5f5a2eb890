"""Replies in the form of OpenAI's chat completions: a whole document, or the chunks of a stream."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any, Literal

import msgspec

from probare.encoding.narrow import mapping


class Say(msgspec.Struct, frozen=True):
    """A reply of the model.

    `tool_calls` are names with arguments (a text stands as it is: broken JSON too). `finish` is
    what the API calls finish_reason; by default `tool_calls` where there are some, else `stop`;
    null leaves it out. `usage` is sent as it is given, right or wrong; by default words are
    counted; null leaves it out. `delay` is the wait in seconds before the reply, and in a stream
    before each of its `pieces`; `ends` says how the connection ends (see `servers.Reply`).
    """

    text: str | None = None
    tool_calls: tuple[tuple[str, Any], ...] = ()
    refusal: str | None = None
    finish: str | None = "auto"
    usage: dict[str, Any] | Literal["auto"] | None = "auto"
    cached_tokens: int | None = None
    model: str | None = None
    pieces: int = 3
    delay: float = 0.0
    ends: Literal["properly", "cut", "reset", "never"] = "properly"


def completion(said: Say, body: dict[str, Any]) -> dict[str, Any]:
    """Return a `chat.completion` document."""
    message: dict[str, Any] = {"role": "assistant", "content": said.text, "refusal": said.refusal}
    if said.tool_calls:
        message["tool_calls"] = [_call(n, *call) for n, call in enumerate(said.tool_calls)]
    choice = {"index": 0, "message": message, "finish_reason": _finish(said)}
    document = {**_head("chat.completion", said, body), "choices": [choice]}
    usage = _usage(said, body)
    return document if usage is None else {**document, "usage": usage}


def stream_chunks(said: Say, body: dict[str, Any]) -> list[Any]:
    """Return the data of a stream's events. One that is cut ends before its finish."""
    head = _head("chat.completion.chunk", said, body)
    chunks: list[Any] = [{**head, "choices": [_choice(delta)]} for delta in _deltas(said)]
    if said.ends != "properly":
        return chunks
    if said.finish is not None:
        chunks.append({**head, "choices": [_choice({}, _finish(said))]})
    usage = _usage(said, body)
    if usage is not None and mapping(body.get("stream_options")).get("include_usage"):
        chunks.append({**head, "choices": [], "usage": usage})
    return [*chunks, "[DONE]"]


def _deltas(said: Say) -> Iterator[dict[str, Any]]:
    yield {"role": "assistant"}
    for piece in _pieces(said.text or "", said.pieces):
        yield {"content": piece}
    if said.refusal is not None:
        yield {"refusal": said.refusal}
    for n, call in enumerate(said.tool_calls):
        whole = _call(n, *call)
        arguments = whole["function"]["arguments"]
        begun = {**whole, "index": n, "function": {**whole["function"], "arguments": ""}}
        yield {"tool_calls": [begun]}
        for piece in _pieces(arguments, said.pieces):
            yield {"tool_calls": [{"index": n, "function": {"arguments": piece}}]}


def _pieces(text: str, count: int) -> Iterator[str]:
    size = max(1, -(-len(text) // max(1, count)))
    for start in range(0, len(text), size):
        yield text[start : start + size]


def _call(number: int, name: str, arguments: Any) -> dict[str, Any]:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {
        "id": f"call_{number + 1}",
        "type": "function",
        "function": {"name": name, "arguments": text},
    }


def _choice(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "finish_reason": finish}


def _finish(said: Say) -> str | None:
    if said.finish != "auto":
        return said.finish
    return "tool_calls" if said.tool_calls else "stop"


def _head(kind: str, said: Say, body: dict[str, Any]) -> dict[str, Any]:
    model = said.model or body.get("model")
    return {"id": "chatcmpl-1", "object": kind, "created": int(time.time()), "model": model}


def _usage(said: Say, body: dict[str, Any]) -> dict[str, Any] | None:
    if said.usage is None or isinstance(said.usage, dict):
        return said.usage
    asked = sum(len(str(m.get("content") or "").split()) for m in body.get("messages", ()))
    answered = len((said.text or "").split()) + len(said.tool_calls)
    cached = said.cached_tokens
    return {
        "prompt_tokens": max(asked, 1, cached or 0),
        "completion_tokens": answered,
        "total_tokens": max(asked, 1, cached or 0) + answered,
        **({"prompt_tokens_details": {"cached_tokens": cached}} if cached is not None else {}),
    }
