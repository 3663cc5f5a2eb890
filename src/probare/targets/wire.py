"""What remote agents send, made into events. Total: whatever they send, nothing here raises.

A remote speaks of itself, so its word on who saw an event, on its number and on its clock
(`source`, `seq`, `at_ms`) is dropped: the recorder gives them. What does not fit an event is
kept as a note rather than lost.
"""

from __future__ import annotations

from typing import Any, cast

import msgspec
from msgspec import UNSET

from probare.encoding import jsonbytes
from probare.errors import TargetError
from probare.model.event import EVENT_TYPES, Event, Note, Source, Usage
from probare.targets.values import to_json

_OURS = frozenset({"kind", "seq", "at_ms", "source"})


def decode(data: bytes | str) -> Any:
    r"""Return the JSON value that the data is, or UNSET where it is none.

    Strict: NaN, doubled keys, numbers beyond what a float or 1,024 bits can hold, and what
    nests beyond 200 levels are not JSON. Bytes that are not UTF-8 stand in the texts as `\xe9`.
    """
    text = data if isinstance(data, str) else _json_text(data)
    try:
        return to_json(jsonbytes.decode_strict(text))
    except (ValueError, RecursionError, TargetError):
        return UNSET


def event_from_wire(value: Any, *, source: Source) -> Event:
    """Return the event that a JSON value describes.

    Keys that its kind does not have become `attributes`. An unknown kind, a field that is
    missing or of the wrong type, and what is no object at all become a note with the value as
    `data`.
    """
    if not isinstance(value, dict):
        return Note(source=source, text="an event that is not an object", data=value)
    fields = cast("dict[str, Any]", value)
    kind = fields.get("kind")
    found = EVENT_TYPES.get(kind) if isinstance(kind, str) else None
    if found is None:
        name = kind if isinstance(kind, str) else jsonbytes.encode(kind).decode()
        return Note(source=source, text=f"unknown kind of event: {name[:100]}", data=value)
    known = {
        key: item
        for key, item in fields.items()
        if key in found.__struct_encode_fields__ and key not in _OURS
    }
    extra = {key: item for key, item in fields.items() if key not in known and key not in _OURS}
    if isinstance(known.get("attributes", {}), dict):
        extra |= cast("dict[str, Any]", known.get("attributes", {}))
    else:
        extra["attributes"] = known["attributes"]
    try:
        event = msgspec.convert({**known, "source": source, "attributes": extra}, found)
    except msgspec.ValidationError as error:
        return Note(source=source, text=f"a {kind} event that does not fit: {error}", data=value)
    if isinstance(event, Usage) and not _plausible(event):
        return Note(source=source, text="a usage event with a negative number", data=value)
    return cast("Event", event)


def usage_from_wire(value: Any, *, source: Source, model: Any = None) -> Usage | None:
    """Return the usage that a reply's `usage` object states, or None where it states none.

    Reads the names of OpenAI (cached tokens are inside the prompt's), of Anthropic (cached
    tokens stand beside the input's and are added to it) and our own. What is missing or no
    natural number is null.
    """
    if not isinstance(value, dict):
        return None
    said = cast("dict[str, Any]", value)
    inputs = _first(said, "input_tokens", "prompt_tokens")
    cached = _first(said, "cached_tokens", "cached_input_tokens")
    for details in ("prompt_tokens_details", "input_tokens_details"):
        if cached is None and isinstance(said.get(details), dict):
            cached = _first(cast("dict[str, Any]", said[details]), "cached_tokens")
    beside = [_first(said, f"cache_{act}_input_tokens") for act in ("read", "creation")]
    if inputs is not None and any(count is not None for count in beside):
        inputs += sum(count or 0 for count in beside)
        cached = beside[0]
    outputs = _first(said, "output_tokens", "completion_tokens")
    cost = said.get("cost_usd")
    if isinstance(cost, bool) or not isinstance(cost, int | float) or cost < 0:
        cost = None
    if inputs is None and outputs is None and cost is None:
        return None
    return Usage(
        source=source,
        input_tokens=inputs,
        output_tokens=outputs,
        cached_tokens=cached,
        cost_usd=cost,
        model=model if isinstance(model, str) else None,
    )


def _first(said: dict[str, Any], *names: str) -> int | None:
    for name in names:
        count = said.get(name)
        if isinstance(count, int) and not isinstance(count, bool) and count >= 0:
            return count
    return None


def _plausible(usage: Usage) -> bool:
    counts = (usage.input_tokens, usage.output_tokens, usage.cached_tokens, usage.cost_usd)
    return all(count is None or count >= 0 for count in counts)


def _json_text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        marked = data.decode(errors="surrogateescape")
        return "".join(
            f"\\\\x{ord(c) - 0xDC00:02x}" if "\udc80" <= c <= "\udcff" else c for c in marked
        )
