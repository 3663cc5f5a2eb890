"""One event as people read it: a title, and what it holds."""

from __future__ import annotations

import json
from typing import Any, NamedTuple, cast

from probare.encoding import jsonbytes
from probare.model.event import (
    Approval,
    Artifact,
    Attempt,
    Decision,
    ErrorEvent,
    Event,
    EventBase,
    Message,
    Note,
    Retrieval,
    StateChange,
    ToolCall,
    ToolResult,
    Usage,
)
from probare.reporting.words import duration, money, one_line

_NAME = 120
_INLINE = 60
_GOOD, _BAD, _ASKED = "green", "red", "yellow"
_DECIDED = {"allow": _GOOD, "deny": _BAD, "require_approval": _ASKED}
_APPROVED = {"granted": _GOOD, "denied": _BAD, "requested": _ASKED}


class Told(NamedTuple):
    """An event in words: a title on one line, its colour, and named values (the name is empty
    where the title says it).
    """

    title: str
    style: str
    parts: list[tuple[str, Any]]


def told(event: Event) -> Told:
    """Return an event in words. Everything in it that is data may hold control characters in
    its values; the title does not.
    """
    found = _told(event)
    passed = isinstance(event, ToolCall) and isinstance(event.arguments, dict)
    parts = [(name, value) for name, value in found.parts if passed or value is not None]
    if event.attributes:
        parts.append(("attributes", event.attributes))
    return Told(one_line(found.title, _NAME), found.style, parts)


def source_mark(event: EventBase) -> str:
    """Return " (claimed)" or " (replayed)"; what was observed has no mark."""
    return "" if event.source == "observed" else f" ({event.source})"


def value_text(value: Any) -> str:
    """Return a value as it is read: text as it is, else JSON, indented where a part of it is too
    long for one line.
    """
    if isinstance(value, str):
        return value
    return _indented(json.loads(jsonbytes.encode(value)), 0)


def _indented(value: Any, left: int) -> str:
    flat = json.dumps(value, ensure_ascii=False)
    if left + len(flat) <= _INLINE or not isinstance(value, dict | list) or not value:
        return flat
    inner = " " * (left + 2)
    if isinstance(value, list):
        parts = [_indented(item, left + 2) for item in cast("list[Any]", value)]
        return f"[\n{inner}" + f",\n{inner}".join(parts) + f"\n{' ' * left}]"
    named = [
        f"{json.dumps(key, ensure_ascii=False)}: {_indented(item, left + 2)}"
        for key, item in cast("dict[str, Any]", value).items()
    ]
    return f"{{\n{inner}" + f",\n{inner}".join(named) + f"\n{' ' * left}}}"


def _told(event: Event) -> Told:
    match event:
        case Message():
            return Told(event.role, "bold", [("", event.content)])
        case ToolCall():
            return Told(f"call {event.name}", "cyan", _arguments(event.arguments))
        case ToolResult():
            return _result(event)
        case Retrieval():
            took = _took(event.duration_ms)
            style = "cyan" if event.error is None else _BAD
            parts = [("query", event.query), ("documents", event.documents)]
            return Told(f"retrieval {event.name}{took}", style, [*parts, ("error", event.error)])
        case Decision():
            what = f"{event.decision} {event.action}{_on(event.resource)}"
            parts = [("policy", event.policy), ("reason", event.reason)]
            return Told(f"decision: {what}", _DECIDED[event.decision], parts)
        case Approval():
            what = f"{event.state}: {event.action}{_on(event.resource)}"
            parts = [("by", event.by), ("reason", event.reason)]
            return Told(f"approval {what}", _APPROVED[event.state], parts)
        case Attempt():
            end = "ok" if event.ok else "failed"
            title = f"attempt {event.number} of {event.operation}: {end}"
            return Told(title, _GOOD if event.ok else _BAD, [("error", event.error)])
        case _:
            return _other(event)


def _other(event: Usage | Artifact | StateChange | ErrorEvent | Note) -> Told:
    match event:
        case Usage():
            return Told(f"usage: {_usage(event)}", "dim", [])
        case Artifact():
            parts = [("size", event.size), ("media type", event.media_type)]
            return Told(f"artifact {event.path}", "magenta", [*parts, ("sha256", event.sha256)])
        case StateChange():
            return Told("state", "", [("", event.state)])
        case ErrorEvent():
            title = f"error {event.type}: {event.message}"
            return Told(title, _BAD, [("traceback", event.traceback)])
        case Note():
            return Told(f"note: {event.text}", "dim", [("", event.data)])


def _arguments(given: Any) -> list[tuple[str, Any]]:
    if isinstance(given, dict):
        return list(cast("dict[str, Any]", given).items())
    return [("arguments", given)]


def _result(event: ToolResult) -> Told:
    took = _took(event.duration_ms)
    if event.error is not None:
        return Told(f"{event.name} failed{took}", _BAD, [("", event.error), ("", event.result)])
    return Told(f"{event.name} answered{took}", "cyan", [("", event.result)])


def _took(ms: float | None) -> str:
    return "" if ms is None else f" in {duration(ms)}"


def _on(resource: str | None) -> str:
    return "" if resource is None else f" on {resource}"


def _usage(event: Usage) -> str:
    counts = {
        "input": event.input_tokens,
        "output": event.output_tokens,
        "cached": event.cached_tokens,
    }
    said = [f"{count:,} {name} tokens" for name, count in counts.items() if count is not None]
    said += [money(event.cost_usd)] if event.cost_usd is not None else []
    said += [event.model] if event.model is not None else []
    return ", ".join(said) or "unknown"
