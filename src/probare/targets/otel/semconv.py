"""Spans by OpenTelemetry's GenAI conventions, with their old and their new names.

Messages stand, from new to old, in `gen_ai.input.messages` and `gen_ai.output.messages` (as
attributes, or on the event `gen_ai.client.inference.operation.details`), in events
`gen_ai.user.message`, `gen_ai.choice` and the like, and in `gen_ai.prompt` and
`gen_ai.completion` of the events `gen_ai.content.prompt` and `gen_ai.content.completion`.

https://opentelemetry.io/docs/specs/semconv/gen-ai/
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import UNSET

from probare.encoding.narrow import mapping, sequence
from probare.targets.otel import messages
from probare.targets.otel.attributes import first, json_of, structured, text
from probare.targets.otel.reading import Does, Reading, Said
from probare.targets.otel.spans import Span, SpanEvent
from probare.targets.otel.spending import usage_of

DIALECT = "GenAI conventions"

_DOES: dict[str, Does] = {
    "chat": "model",
    "text_completion": "model",
    "completion": "model",
    "generate_content": "model",
    "embeddings": "other",
    "execute_tool": "tool",
    "retrieval": "retrieval",
    "retrieve": "retrieval",
    "invoke_agent": "agent",
    "create_agent": "other",
    "invoke_workflow": "agent",
}
_DETAILS = "gen_ai.client.inference.operation.details"
_MESSAGE_EVENTS = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
}
_INPUT, _OUTPUT = "gen_ai.input.messages", "gen_ai.output.messages"
_SYSTEM = "gen_ai.system_instructions"


def read(span: Span) -> Reading | None:
    """Read a span of these conventions; None where it is none."""
    operation = text(span.attributes, "gen_ai.operation.name")
    if operation is None:
        if text(span.attributes, "gen_ai.provider.name", "gen_ai.system") is None:
            return None
        operation = "chat" if first(span.attributes, "gen_ai.request.model") else ""
    does = _DOES.get(operation, "other")
    reading = Reading(dialect=DIALECT, does=does, span=span, usage=usage_of(span.attributes))
    if does == "tool":
        return _tool(reading)
    if does == "retrieval":
        return _retrieval(reading)
    return with_messages(reading) if does in ("model", "agent") else reading


def with_messages(reading: Reading) -> Reading:
    """Add the messages that a span carries."""
    attributes = reading.span.attributes
    for event in reading.span.events:
        if event.name == _DETAILS:
            attributes = {**attributes, **event.attributes, **mapping(event.body)}
    torn: list[str] = []
    inputs = _parts(attributes, _INPUT, torn)
    outputs = _parts(attributes, _OUTPUT, torn)
    system = _system(attributes, torn)
    if inputs is None and outputs is None:
        inputs, outputs = _by_events(reading.span.events)
    if inputs is None and outputs is None:
        inputs, outputs = _by_content(reading.span)
    if system and inputs is not None and not any(said.role == "system" for said in inputs):
        inputs = (*system, *inputs)
    return msgspec.structs.replace(reading, inputs=inputs, outputs=outputs, torn=tuple(torn))


def _tool(reading: Reading) -> Reading:
    attributes = reading.span.attributes
    given = first(attributes, "gen_ai.tool.call.arguments")
    got = first(attributes, "gen_ai.tool.call.result")
    return msgspec.structs.replace(
        reading,
        name=text(attributes, "gen_ai.tool.name") or named_by(reading.span, "execute_tool "),
        call_id=text(attributes, "gen_ai.tool.call.id"),
        given=messages.arguments(given),
        got=structured(got),
    )


def _retrieval(reading: Reading) -> Reading:
    attributes = reading.span.attributes
    return msgspec.structs.replace(
        reading,
        name=text(attributes, "gen_ai.data_source.id") or "retriever",
        given=structured(
            first(attributes, "gen_ai.retrieval.query.text", "gen_ai.retrieval.query")
        ),
        got=structured(first(attributes, "gen_ai.retrieval.documents")),
    )


def named_by(span: Span, prefix: str) -> str:
    """Return the name that stands in the span's own, after a prefix."""
    return span.name.removeprefix(prefix).strip() or "unknown"


def _parts(attributes: dict[str, Any], name: str, torn: list[str]) -> tuple[Said, ...] | None:
    if attributes.get(name) is None:
        return None
    found = json_of(attributes[name])
    if not isinstance(found, list):
        torn.append(name)
        return None
    return tuple(messages.of_chat(item) for item in sequence(found))


def _system(attributes: dict[str, Any], torn: list[str]) -> tuple[Said, ...]:
    if attributes.get(_SYSTEM) is None:
        return ()
    found = json_of(attributes[_SYSTEM])
    if found is UNSET:
        torn.append(_SYSTEM)
        return ()
    said = messages.content(found if isinstance(found, list) else [found])
    return () if said is None else (Said("system", said),)


def _by_events(events: Iterable[SpanEvent]) -> tuple[tuple[Said, ...] | None, ...]:
    inputs: list[Said] = []
    outputs: list[Said] = []
    for event in events:
        said = {**event.attributes, **mapping(event.body)}
        if event.name in _MESSAGE_EVENTS:
            said.setdefault("role", _MESSAGE_EVENTS[event.name])
            inputs.append(_of_event(said))
        elif event.name == "gen_ai.choice":
            inner = json_of(said.get("message"))
            said = {"role": "assistant", **said, **mapping(inner)}
            said.pop("message", None)
            outputs.append(_of_event(said))
    return tuple(inputs) or None, tuple(outputs) or None


def _of_event(fields: dict[str, Any]) -> Said:
    calls: Any = json_of(fields.get("tool_calls"))
    if isinstance(calls, list):
        return messages.of_chat({**fields, "tool_calls": calls})
    return messages.of_chat(fields)


def _by_content(span: Span) -> tuple[tuple[Said, ...] | None, ...]:
    found: list[tuple[Said, ...] | None] = []
    for name, role in (("prompt", "user"), ("completion", "assistant")):
        key = f"gen_ai.{name}"
        places = [e.attributes for e in span.events if e.name == f"gen_ai.content.{name}"]
        value = next((place[key] for place in [*places, span.attributes] if key in place), None)
        found.append(None if value is None else _prompt(value, role))
    return tuple(found)


def _prompt(value: Any, role: str) -> tuple[Said, ...]:
    read_as = structured(value)
    if isinstance(read_as, list):
        return tuple(messages.of_chat(item) for item in sequence(read_as))
    if isinstance(read_as, dict) and ("role" in read_as or "parts" in read_as):
        return (messages.of_chat(read_as),)
    return (Said(role, value),)
