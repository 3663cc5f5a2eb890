"""A span as Probare keeps it, wherever it came from: the SDK in this process, or OTLP."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import msgspec

from probare.grading.placeholders import text_of
from probare.targets.values import safe

Status: TypeAlias = Literal["unset", "ok", "error"]


class SpanEvent(msgspec.Struct, frozen=True, kw_only=True):
    """Something at one moment of a span: an exception, or (by old conventions) a message.

    `body` is what a log record says, where the event came as one.
    """

    name: str
    at_ns: int = 0
    attributes: dict[str, Any] = {}
    body: Any = None


class Span(msgspec.Struct, frozen=True, kw_only=True):
    """One span. Ids are lower-case hex; `parent_id` is null at the root of a trace.

    `start_ns` and `end_ns` are nanoseconds of Unix time on the clock of whoever made the span;
    `end_ns` is null where it had not ended. `scope` names the instrumentation that made it.
    Attributes are JSON.
    """

    trace_id: str
    span_id: str
    name: str
    parent_id: str | None = None
    scope: str = ""
    version: str = ""
    start_ns: int = 0
    end_ns: int | None = None
    attributes: dict[str, Any] = {}
    events: tuple[SpanEvent, ...] = ()
    status: Status = "unset"
    message: str = ""

    @property
    def error(self) -> str | None:
        """Why it failed, as `Type: message`: its exception, else its status; null if it did not.

        An exception that was handled (the status is not an error) is no failure.
        """
        if self.status != "error":
            return None
        for event in reversed(self.events):
            if event.name == "exception":
                kind = text_of(event.attributes.get("exception.type", "")).rpartition(".")[2]
                said = text_of(event.attributes.get("exception.message", ""))
                return ": ".join(part for part in (kind, said) if part) or "failed"
        kind = self.attributes.get("error.type")
        said = self.message or (kind if isinstance(kind, str) else "")
        return said or "failed"


def plain(attributes: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return attributes as JSON of their own: tuples are lists, bytes and the like are marked."""
    return {str(key): safe(value) for key, value in (attributes or {}).items()}
