"""The end of a trial: its spans become events, among those that were recorded."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import msgspec

from probare.grading.traces import TRACE
from probare.model.event import Note
from probare.targets.otel.spans import Span
from probare.targets.otel.telling import events_of
from probare.targets.otel.traces import Trace, Traces
from probare.targets.tape import Tape

SCOPE = "probare"
_SLACK_MS = 250.0


class Clock:
    """Puts Unix time on a tape's own clock."""

    def __init__(self, tape: Tape) -> None:
        self._tape = tape
        self._wall_ns = time.time_ns()
        self._base_ms = tape.now_ms()

    def moment(self, at_ns: int) -> float:
        """Return a Unix time, in nanoseconds, as the tape's milliseconds."""
        return max(0.0, round(self._base_ms + (at_ns - self._wall_ns) / 1_000_000, 3))

    def fits(self, spans: Sequence[Span]) -> bool:
        """Whether the spans' clock is ours: all of them are of the time since the trial began."""
        first = self._base_ms - _SLACK_MS
        last = self._tape.now_ms() + _SLACK_MS

        def within(at_ns: int) -> bool:
            return first <= self._base_ms + (at_ns - self._wall_ns) / 1_000_000 <= last

        return all(within(span.start_ns) and within(span.end_ns or span.start_ns) for span in spans)


def settle(tape: Tape, traces: Traces, trace: Trace, clock: Clock) -> None:
    """Take what came for a trace and put its events on the tape.

    Where the spans' clock is not ours (another machine's), their order is kept and their events
    have no time.
    """
    gathered = traces.take(trace)
    spans = [span for span in gathered.spans if span.scope != SCOPE]
    ours = clock.fits(spans)
    events = events_of(spans, tape.events, clock.moment if ours else _unknown)
    data: dict[str, Any] = {"kind": TRACE, "trace_id": trace.trace_id, "span_id": trace.root_id}
    response = _last_response(spans)
    if response is not None:
        data["response_id"] = response
    link = Note(source="observed", text="the trace of this trial", data=data)
    now = tape.now_ms()
    tape.merge(
        [
            msgspec.structs.replace(event, at_ms=now) if event.source == "observed" else event
            for event in (*events, *gathered.notes, link)
        ]
    )


def _last_response(spans: Sequence[Span]) -> str | None:
    """Return the id that a provider gave to the last response of a model."""
    for span in sorted(spans, key=lambda span: span.end_ns or 0, reverse=True):
        found = span.attributes.get("gen_ai.response.id")
        if isinstance(found, str):
            return found
    return None


def _unknown(_at_ns: int) -> None:
    return None
