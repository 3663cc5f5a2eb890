"""Spans of OpenLLMetry (Traceloop): `traceloop.span.kind`, `traceloop.entity.*`, flattened
`gen_ai.prompt.N` and `gen_ai.completion.N`; newer ones carry the GenAI conventions beside them.

https://github.com/traceloop/openllmetry
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET

from probare.encoding.narrow import mapping
from probare.targets.otel import langchain, messages, semconv
from probare.targets.otel.attributes import first, items, listed, structured, text
from probare.targets.otel.reading import Does, Reading, Said
from probare.targets.otel.spans import Span
from probare.targets.otel.spending import usage_of

DIALECT = "OpenLLMetry"

_DOES: dict[str, Does] = {"tool": "tool", "agent": "agent", "workflow": "agent", "task": "other"}
_OWN = ("traceloop.", "llm.request.type", "gen_ai.prompt.0.", "gen_ai.completion.0.")


def read(span: Span) -> Reading | None:
    """Read a span of OpenLLMetry; None where it is none."""
    if not any(key.startswith(_OWN) for key in span.attributes):
        return None
    kind = text(span.attributes, "traceloop.span.kind")
    if kind == "tool":
        return _tool(span)
    if kind is not None:
        return Reading(dialect=DIALECT, does=_DOES.get(kind, "other"), span=span)
    return _model(span)


def _model(span: Span) -> Reading:
    prompts = [_message(item) for item in items(span.attributes, "gen_ai.prompt")]
    choices = [_message(item) for item in items(span.attributes, "gen_ai.completion")]
    if not prompts and not choices:
        by_conventions = semconv.read(span)
        if by_conventions is not None:
            return msgspec.structs.replace(by_conventions, dialect=DIALECT)
    kind = text(span.attributes, "llm.request.type")
    does: Does = "model" if prompts or choices or kind in ("chat", "completion") else "other"
    return Reading(
        dialect=DIALECT,
        does=does,
        span=span,
        inputs=tuple(prompts) if prompts else None,
        outputs=tuple(choices) if choices else None,
        usage=usage_of(span.attributes),
    )


def _message(item: dict[str, Any]) -> Said:
    said = {**item, "content": structured(item.get("content"))}
    if "content" not in item:
        del said["content"]
    if "tool_calls" in item:
        said["tool_calls"] = listed(item["tool_calls"])
    if "role" not in said:
        said["role"] = "assistant"
    read_as = messages.of_chat(said)
    if isinstance(item.get("content"), str) and not isinstance(read_as.content, str | None):
        return msgspec.structs.replace(read_as, content=item["content"])
    return read_as


def _tool(span: Span) -> Reading:
    attributes = span.attributes
    told = first(attributes, "gen_ai.tool.call.arguments", "traceloop.entity.input")
    given = langchain.tool_inputs(told)
    if given is UNSET:
        given = _decorated(told)
    written = first(attributes, "gen_ai.tool.call.result", "traceloop.entity.output")
    got, call_id = langchain.tool_message(messages.arguments(written))
    return Reading(
        dialect=DIALECT,
        does="tool",
        span=span,
        name=text(attributes, "gen_ai.tool.name", "traceloop.entity.name") or span.name,
        call_id=text(attributes, "gen_ai.tool.call.id") or call_id,
        given=given,
        raw=told if given is UNSET else UNSET,
        got=got,
    )


def _decorated(told: Any) -> Any:
    """Return arguments out of the decorators' `{"args": […], "kwargs": {…}}`; those passed by
    place have no name there, so the call's arguments are only known where there are none.
    """
    found = structured(told)
    fields = mapping(found)
    if set(fields) == {"args", "kwargs"} and isinstance(fields["kwargs"], dict):
        return mapping(fields["kwargs"]) if not fields["args"] else UNSET
    return fields if isinstance(found, dict) else UNSET
