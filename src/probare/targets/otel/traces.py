"""Where spans wait for their trial: by trace id, by a path of its own, or by the mark they carry.

A span that belongs to no trial is counted, and never assigned by guess.
"""

from __future__ import annotations

import secrets
import threading
from collections import Counter, deque
from collections.abc import Iterable
from urllib.parse import quote

import msgspec

from probare.grading.evidence import INCOMPLETE
from probare.model.case import Case
from probare.model.event import Channel, Event, Note
from probare.targets.otel.otlp import MARK, Arrived
from probare.targets.otel.spans import Span, SpanEvent
from probare.targets.otel.telling import channels_of

MOST_SPANS = 20_000
MOST_BYTES = 64_000_000
_REMEMBERED = 1_000


class Trace(msgspec.Struct, frozen=True, kw_only=True):
    """The trace of one attempt: its id, its root span's, the secret path where its spans may be
    sent, and the case and trial that it is of.
    """

    trace_id: str
    root_id: str
    path: str
    case: str
    trial: int

    @classmethod
    def of(cls, case: Case, trial: int, *, trace_id: str = "", root_id: str = "") -> Trace:
        """Return a fresh trace, with ids of its own unless they are given."""
        return cls(
            trace_id=trace_id or secrets.token_hex(16),
            root_id=root_id or secrets.token_hex(8),
            path=secrets.token_urlsafe(16),
            case=case.id,
            trial=trial,
        )

    @property
    def traceparent(self) -> str:
        """The W3C header's value: sampled."""
        return f"00-{self.trace_id}-{self.root_id}-01"

    @property
    def marks(self) -> dict[str, str]:
        """What baggage and resource attributes carry."""
        return {"probare.case": self.case, "probare.trial": str(self.trial), MARK: self.trace_id}

    @property
    def baggage(self) -> str:
        """The W3C header's value, percent-encoded."""
        return ",".join(f"{key}={quote(value, safe='')}" for key, value in self.marks.items())


class Gathered(msgspec.Struct, frozen=True, kw_only=True):
    """What came for one trial, and what came for none meanwhile."""

    spans: tuple[Span, ...]
    notes: tuple[Event, ...]


class _Waiting:
    def __init__(self, trace: Trace, stray: Counter[Channel], strays: int) -> None:
        self.trace = trace
        self.spans: dict[str, Span] = {}
        self.events: dict[str, list[SpanEvent]] = {}
        self.taken = 0
        self.bytes = 0
        self.dropped = 0
        self.stray_before = Counter(stray)
        self.strays_before = strays


class Traces:
    """The traces of the trials that run. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._by_id: dict[str, _Waiting] = {}
        self._by_path: dict[str, _Waiting] = {}
        self._past: deque[str] = deque(maxlen=_REMEMBERED)
        self._stray: Counter[Channel] = Counter()
        self.strays = 0

    @property
    def waiting(self) -> bool:
        """Whether any trial runs."""
        return bool(self._by_id)

    def waits_for(self, trace_id: str) -> bool:
        """Whether the trial of a trace runs."""
        return trace_id in self._by_id

    def expect(self, trace: Trace) -> None:
        """Wait for the spans of a trace."""
        with self._lock:
            waiting = _Waiting(trace, self._stray, self.strays)
            self._by_id[trace.trace_id] = waiting
            self._by_path[trace.path] = waiting

    def knows_path(self, path: str) -> bool:
        """Whether a path is a waiting trial's own."""
        with self._lock:
            return path in self._by_path

    def add(self, arrived: Iterable[Arrived], path: str = "", size: int = 0) -> None:
        """Take what arrived, at a trial's path or at the common one; `size` is in bytes."""
        with self._lock:
            for item in arrived:
                found = self._by_path.get(path) or self._by_id.get(item.trace_id)
                if found is None and item.mark is not None:
                    found = self._by_id.get(item.mark)
                if found is not None:
                    _keep(found, item, size)
                    size = 0
                elif item.span is not None and item.trace_id not in self._past:
                    self.strays += 1
                    self._stray.update(channels_of(item.span))

    def complete(self, trace: Trace) -> bool:
        """Whether the span that the agent's side began first has come, and all that are named as
        parents of others: what ends last is sent last.
        """
        with self._lock:
            waiting = self._by_id.get(trace.trace_id)
            if waiting is None:
                return True
            spans = waiting.spans.values()
            known = {trace.root_id, *waiting.spans}
            entered = any(span.parent_id in (trace.root_id, None) for span in spans)
            return entered and all(span.parent_id in known for span in spans if span.parent_id)

    def take(self, trace: Trace) -> Gathered:
        """Return what came for a trace, and expect no more of it."""
        with self._lock:
            waiting = self._by_id.pop(trace.trace_id)
            self._by_path.pop(trace.path, None)
            self._past.append(trace.trace_id)
            stray = self._stray - waiting.stray_before
            strays = self.strays - waiting.strays_before
        spans = tuple(
            msgspec.structs.replace(span, events=(*span.events, *waiting.events[span.span_id]))
            if span.span_id in waiting.events
            else span
            for span in waiting.spans.values()
        )
        notes: list[Event] = []
        if waiting.dropped:
            text = f"more than {MOST_SPANS:,} spans, or too large ones: {waiting.dropped:,} dropped"
            notes.append(_incomplete(text, ("tools", "retrievals", "messages")))
        if strays:
            text = "spans came meanwhile that belong to no trial (their traces are unknown)"
            notes.append(_incomplete(text, tuple(sorted(stray))))
        return Gathered(spans=spans, notes=tuple(notes))


def _keep(waiting: _Waiting, item: Arrived, size: int) -> None:
    waiting.bytes += size
    waiting.taken += 1
    if waiting.taken > MOST_SPANS or waiting.bytes > MOST_BYTES:
        waiting.dropped += 1
    elif item.span is not None:
        waiting.spans[item.span.span_id] = item.span
    elif item.event is not None:
        waiting.events.setdefault(item.span_id, []).append(item.event)


def _incomplete(text: str, channels: tuple[Channel, ...]) -> Note:
    if not channels:
        return Note(source="observed", text=text)
    data = {"kind": INCOMPLETE, "channels": list(channels)}
    return Note(source="observed", text=text, data=data)
