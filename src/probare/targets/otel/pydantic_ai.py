"""Spans of pydantic-ai: the GenAI conventions, with its own names where it had them earlier.

Formats 1 and 2 wrote a tool's arguments as `tool_arguments` and its result as `tool_response`;
format 1 wrote the conversation as events (`all_messages_events` on the agent's span, `events` on
the model's). Retries that it asks a model for are messages of it.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET

from probare.encoding.narrow import mapping, sequence
from probare.targets.otel import messages, semconv
from probare.targets.otel.attributes import first, json_of, structured, text
from probare.targets.otel.reading import Reading, Said
from probare.targets.otel.spans import Span

DIALECT = "pydantic-ai"
_SCOPES = ("pydantic-ai", "logfire.pydantic_ai", "pydantic_ai")
_CHOICE = "gen_ai.choice"


def read(span: Span) -> Reading | None:
    """Read a span of pydantic-ai; None where it is none."""
    if span.scope not in _SCOPES:
        return None
    reading = semconv.read(span) or _by_name(span)
    reading = msgspec.structs.replace(reading, dialect=DIALECT)
    if reading.does == "tool":
        return _tool(reading)
    if reading.does in ("agent", "model") and reading.inputs is None and reading.outputs is None:
        return _conversation(reading)
    return reading


def _by_name(span: Span) -> Reading:
    """Read a span of a version that did not name its operation."""
    if span.name.startswith("running tool") and "gen_ai.tool.name" in span.attributes:
        return Reading(dialect=DIALECT, does="tool", span=span)
    if span.name.endswith(" run"):
        return Reading(dialect=DIALECT, does="agent", span=span)
    return Reading(dialect=DIALECT, does="other", span=span)


def _tool(reading: Reading) -> Reading:
    attributes = reading.span.attributes
    given = first(attributes, "gen_ai.tool.call.arguments", "tool_arguments")
    got = first(attributes, "gen_ai.tool.call.result", "tool_response")
    return msgspec.structs.replace(
        reading,
        name=text(attributes, "gen_ai.tool.name") or semconv.named_by(reading.span, "running tool"),
        call_id=text(attributes, "gen_ai.tool.call.id"),
        given=messages.arguments(given),
        got=structured(got),
    )


def _conversation(reading: Reading) -> Reading:
    attributes = reading.span.attributes
    torn = list(reading.torn)
    inputs: list[Said] = []
    outputs: list[Said] = []
    for name in ("all_messages_events", "events", "pydantic_ai.all_messages"):
        if attributes.get(name) is None:
            continue
        found = json_of(attributes[name])
        if found is UNSET:
            torn.append(name)
        for item in sequence(found):
            (outputs if _is_choice(item) else inputs).append(_said(item))
    return msgspec.structs.replace(
        reading,
        inputs=tuple(inputs) if inputs else None,
        outputs=tuple(outputs) if outputs else None,
        torn=tuple(torn),
    )


def _is_choice(item: Any) -> bool:
    return mapping(item).get("event.name") == _CHOICE


def _said(item: Any) -> Said:
    fields = mapping(item)
    if "content" in fields or "parts" in fields or "tool_calls" in fields or "message" in fields:
        return messages.of_chat(fields)
    return Said(messages.role_of(fields.get("role")), UNSET)
