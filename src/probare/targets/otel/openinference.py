"""Spans by OpenInference (Arize): `openinference.span.kind` and flattened messages.

https://github.com/Arize-ai/openinference/blob/main/spec/semantic_conventions.md
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET

from probare.encoding.narrow import mapping, sequence
from probare.targets.otel import langchain, messages
from probare.targets.otel.attributes import first, items, json_of, listed, structured, text
from probare.targets.otel.reading import Does, Reading, Said
from probare.targets.otel.spans import Span
from probare.targets.otel.spending import usage_of

DIALECT = "OpenInference"

_DOES: dict[str, Does] = {
    "LLM": "model",
    "TOOL": "tool",
    "RETRIEVER": "retrieval",
    "AGENT": "agent",
}
_HIDDEN = "__REDACTED__"


def read(span: Span) -> Reading | None:
    """Read a span of OpenInference; None where it is none."""
    kind = text(span.attributes, "openinference.span.kind")
    if kind is None:
        return None
    does = _DOES.get(kind.upper(), "other")
    reading = Reading(dialect=DIALECT, does=does, span=span)
    if does == "tool":
        return _tool(reading)
    if does == "retrieval":
        return _retrieval(reading)
    if does == "model":
        return msgspec.structs.replace(
            reading,
            inputs=_messages(span, "llm.input_messages", "input.value"),
            outputs=_messages(span, "llm.output_messages", "output.value"),
            usage=usage_of(span.attributes),
        )
    return reading


def _messages(span: Span, prefix: str, whole: str) -> tuple[Said, ...] | None:
    """Return the flattened messages, or those of the whole value where none are flattened, or
    fewer: some instrumentations flatten only what they know.
    """
    flat = [_message(item) for item in items(span.attributes, prefix)]
    value = sequence(json_of(_shown(span.attributes.get(whole))))
    spelt = [said for said in map(_item, value) if said is not None]
    chosen = spelt if value and len(spelt) == len(value) and len(spelt) > _told(flat) else flat
    return tuple(chosen) if chosen else None


def _told(flat: list[Said]) -> int:
    return sum(bool(said.content is not None or said.asks or said.answers) for said in flat)


def _message(item: dict[str, Any]) -> Said:
    fields = mapping(item.get("message")) or item
    calls = [messages.chat_call(call) for call in listed(fields.get("tool_calls"))]
    role = messages.role_of(fields.get("role"))
    said = _shown(fields.get("content"))
    if said is None and "contents" in fields:
        parts = [
            mapping(part.get("message_content")) or part for part in listed(fields["contents"])
        ]
        said = messages.content(parts)
    if role == "tool":
        answer = {"role": "tool", "content": said, **_tool_keys(fields)}
        if said is UNSET or "content" not in fields:
            answer.pop("content")
        return messages.of_chat(answer)
    if said is None and not calls and "content" not in fields:
        said = UNSET
    return Said(role, messages.content(said), tuple(calls))


def _tool_keys(fields: dict[str, Any]) -> dict[str, Any]:
    return {key: fields[key] for key in ("name", "tool_call_id") if key in fields}


def _item(item: Any) -> Said | None:
    """Read a message of a chat API, or an item of OpenAI's responses; None where it is neither."""
    fields = mapping(item)
    kind = fields.get("type")
    if kind == "function_call":
        ask = {"id": fields.get("call_id"), **{k: fields.get(k) for k in ("name", "arguments")}}
        return Said("assistant", None, (messages.chat_call(ask),))
    if kind == "function_call_output":
        answer = {"content": fields.get("output"), "tool_call_id": fields.get("call_id")}
        return messages.of_chat({"role": "tool", **answer})
    return messages.of_chat(fields) if "role" in fields else None


def _tool(reading: Reading) -> Reading:
    attributes = reading.span.attributes
    given = _shown(first(attributes, "input.value", "tool.parameters.value"))
    decoded = json_of(given) if given is not UNSET else UNSET
    got, call_id = langchain.tool_message(_shown(first(attributes, "output.value")))
    return msgspec.structs.replace(
        reading,
        name=text(attributes, "tool.name", "tool_call.function.name") or reading.span.name,
        call_id=text(attributes, "tool_call.id", "tool.call.id") or call_id,
        given=decoded if isinstance(decoded, dict) else UNSET,
        raw=UNSET if isinstance(decoded, dict) else given,
        got=got,
    )


def _retrieval(reading: Reading) -> Reading:
    attributes = reading.span.attributes
    documents: Any = [
        mapping(item.get("document")) or item for item in items(attributes, "retrieval.documents")
    ]
    if not documents:
        documents = structured(_shown(first(attributes, "output.value")))
    return msgspec.structs.replace(
        reading,
        name=reading.span.name or "retriever",
        given=structured(_shown(first(attributes, "input.value"))),
        got=documents,
    )


def _shown(value: Any) -> Any:
    """Return a value, or UNSET where OpenInference was told to hide it."""
    return UNSET if value == _HIDDEN else value
