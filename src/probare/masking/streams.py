"""Successive texts of a line joined, to find in them what each holds only a part of.

Most lines have none: an event or two, no list of texts. That is seen without taking them apart.
"""

from __future__ import annotations

import re
from typing import Any, cast

import msgspec

from probare.masking.reserved import ALONE

_SEVERAL = re.compile(rb'\[(?:\{"kind":|"[^"\\]*(?:\\.[^"\\]*)*",")')
_TEXTS = re.compile(rb'\["[^"\\]*(?:\\.[^"\\]*)*","')
_EVENT = b'{"kind":'


def joined_texts(data: bytes) -> bytes:
    """Return the texts of each field of successive events, and of each list of texts, joined; the
    fields on lines of their own. Empty where there are none. `data` is one or more lines of JSON.

    Over-reaching does no harm: what is found in them is looked for again, exactly.
    """
    if _SEVERAL.search(data) is None:
        return b""
    streams: dict[str, list[str]] = {}
    for line in data.split(b"\n"):
        if line.count(_EVENT) > 1 or _TEXTS.search(line):
            _gather_line(line, streams)
    joined = "\n".join("".join(texts) for texts in streams.values() if len(texts) > 1)
    return joined.encode("utf-8", "surrogatepass")


def _gather_line(line: bytes, streams: dict[str, list[str]]) -> None:
    try:
        value = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return
    whole = cast("dict[str, Any]", value) if isinstance(value, dict) else {"": value}
    for name, item in whole.items():
        if name == "events" and isinstance(item, list):
            _gather_events(cast("list[Any]", item), streams)
        else:
            _gather(item, "", name, streams)


def _gather_events(events: list[Any], streams: dict[str, list[str]]) -> None:
    for event in events:
        own = cast("dict[str, Any]", event) if isinstance(event, dict) else {}
        kind = own.get("kind")
        if not isinstance(kind, str):
            _gather(event, "", "events", streams)
            continue
        for name, item in own.items():
            if name not in ALONE or not isinstance(item, str):
                _gather(item, kind, name, streams)


def _gather(value: Any, kind: str, field: str, streams: dict[str, list[str]]) -> None:
    if isinstance(value, str):
        streams.setdefault(f"{kind} {field}", []).append(value)
    elif isinstance(value, dict):
        for name, item in cast("dict[str, Any]", value).items():
            _gather(item, kind, name, streams)
    elif isinstance(value, list):
        for item in cast("list[Any]", value):
            _gather(item, kind, field, streams)
