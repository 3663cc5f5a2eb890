"""Spans in few words."""

from __future__ import annotations

from typing import Any

import pytest

from probare.model.event import Event
from probare.targets.otel.spans import Span
from probare.targets.otel.telling import events_of


def _span(name: str = "span", /, at: tuple[int, int | None] = (0, 10), **fields: Any) -> Span:
    attributes = fields.pop("attributes", {})
    number = fields.pop("n", None)
    start, end = at
    made: dict[str, Any] = {
        "trace_id": "a" * 32,
        "span_id": f"{number if number is not None else hash((name, at)) % 10**9:016x}",
        "name": name,
        "start_ns": start * 1_000_000,
        "end_ns": None if end is None else end * 1_000_000,
        "attributes": attributes,
    }
    if fields.get("parent") is not None:
        made["parent_id"] = f"{fields.pop('parent'):016x}"
    return Span(**(made | fields))


def _told(*spans: Span, recorded: tuple[Event, ...] = ()) -> list[Event]:
    return events_of(spans, recorded, lambda at_ns: at_ns / 1_000_000)


@pytest.fixture
def span() -> Any:
    """Make a span: `span(name, at=(start_ms, end_ms), n=1, parent=2, scope=…, attributes=…)`."""
    return _span


@pytest.fixture
def told() -> Any:
    """Return the events of spans, their milliseconds being those of the spans."""
    return _told
