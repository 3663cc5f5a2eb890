"""Spans of an agent in this process: a span processor in its tracer provider.

The provider is the global one, OpenTelemetry's; where the agent sets none, one is made. A span
belongs to the trial whose root span `probare.trial` it descends from: the context goes into
coroutines, tasks and the harness's threads by itself, and into a thread that the agent starts only
where the agent hands it on (`opentelemetry.context`). Spans of other traces are nobody's.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Generator
from typing import Any

from probare.errors import MissingExtra
from probare.model.case import Case
from probare.targets.otel.otlp import Arrived
from probare.targets.otel.settling import SCOPE, Clock, settle
from probare.targets.otel.spans import Span, SpanEvent, Status, plain
from probare.targets.otel.traces import Trace, Traces
from probare.targets.tape import Tape

_STATUSES: dict[str, Status] = {"OK": "ok", "ERROR": "error"}
_HOOKS: list[tuple[Any, Capture]] = []
_HOOKING = threading.Lock()


class Capture:
    """A span processor (`opentelemetry.sdk.trace.SpanProcessor`), hooked into one provider."""

    def __init__(self) -> None:
        self.traces = Traces()
        self._lock = threading.Lock()
        self._open: dict[tuple[int, int], Any] = {}

    def on_start(self, span: Any, parent_context: Any = None) -> None:  # noqa: ARG002
        """Remember a span until it ends."""
        context = span.get_span_context()
        if self.traces.waits_for(f"{context.trace_id:032x}"):
            with self._lock:
                self._open[context.trace_id, context.span_id] = span

    def on_end(self, span: Any) -> None:
        """Take an ended span."""
        context = span.get_span_context()
        with self._lock:
            self._open.pop((context.trace_id, context.span_id), None)
        if self.traces.waiting:
            self.traces.add([_arrived(span)])

    def _on_ending(self, span: Any) -> None:
        """Do nothing: the SDK asks for it."""

    def shutdown(self) -> None:
        """Do nothing: the provider ends with the process."""

    def force_flush(self, timeout_millis: int = 30_000) -> bool:  # noqa: ARG002
        """Nothing is ever held back."""
        return True

    @contextlib.contextmanager
    def trial(self, case: Case, number: int, tape: Tape) -> Generator[None]:
        """Run a trial in a trace of its own; at the end its spans' events are on the tape."""
        from opentelemetry import context as contexts
        from opentelemetry import trace as api

        provider = api.get_tracer_provider()
        root = provider.get_tracer(SCOPE).start_span("probare.trial", contexts.Context())
        found = root.get_span_context()
        trace = Trace.of(case, number)
        if found.is_valid:
            trace = Trace.of(
                case, number, trace_id=f"{found.trace_id:032x}", root_id=f"{found.span_id:016x}"
            )
        clock = Clock(tape)
        self.traces.expect(trace)
        token = contexts.attach(_context(trace, root))
        root.set_attributes(trace.marks)
        try:
            yield
        finally:
            contexts.detach(token)
            root.end()
            self._take_open(trace)
            settle(tape, self.traces, trace, clock)

    def _take_open(self, trace: Trace) -> None:
        wanted = int(trace.trace_id, 16)
        with self._lock:
            keys = [key for key in self._open if key[0] == wanted]
            spans = [self._open.pop(key) for key in keys]
        self.traces.add([_arrived(span) for span in spans])


def hooked() -> Capture:
    """Return the capture of the global provider, hooked into it the first time.

    Raises MissingExtra where OpenTelemetry's SDK is not installed.
    """
    try:
        from opentelemetry import trace as api
        from opentelemetry.sdk.trace import TracerProvider
    except ImportError as error:
        raise MissingExtra("opentelemetry-sdk", "otel") from error
    with _HOOKING:
        provider: Any = api.get_tracer_provider()
        if not hasattr(provider, "add_span_processor"):
            provider = TracerProvider()
            api.set_tracer_provider(provider)
        for known, capture in _HOOKS:
            if known is provider:
                return capture
        capture = Capture()
        provider.add_span_processor(capture)
        _HOOKS.append((provider, capture))
        return capture


def _context(trace: Trace, root: Any) -> Any:
    """Return the context that the agent runs in: its spans are the root's children, and sampled
    even where the provider's sampler dropped the root, if it heeds its parents.
    """
    from opentelemetry import baggage
    from opentelemetry import trace as api

    if not root.is_recording():
        root = api.NonRecordingSpan(
            api.SpanContext(
                trace_id=int(trace.trace_id, 16),
                span_id=int(trace.root_id, 16),
                is_remote=True,
                trace_flags=api.TraceFlags(api.TraceFlags.SAMPLED),
            )
        )
    context = api.set_span_in_context(root)
    for name, value in trace.marks.items():
        context = baggage.set_baggage(name, value, context)
    return context


def _arrived(span: Any) -> Arrived:
    context = span.get_span_context()
    trace_id = f"{context.trace_id:032x}"
    scope = span.instrumentation_scope
    kept = Span(
        trace_id=trace_id,
        span_id=f"{context.span_id:016x}",
        parent_id=None if span.parent is None else f"{span.parent.span_id:016x}",
        name=span.name,
        scope="" if scope is None else scope.name or "",
        version="" if scope is None else scope.version or "",
        start_ns=span.start_time or 0,
        end_ns=span.end_time,
        attributes=plain(_copied(span)),
        events=tuple(
            SpanEvent(name=one.name, at_ns=one.timestamp or 0, attributes=plain(one.attributes))
            for one in list(span.events)
        ),
        status=_STATUSES.get(span.status.status_code.name, "unset"),
        message=span.status.description or "",
    )
    return Arrived(trace_id=trace_id, span=kept)


def _copied(span: Any) -> dict[str, Any]:
    """Return a span's attributes; one that still runs may be changed meanwhile."""
    for _ in range(3):
        try:
            return dict(span.attributes or {})
        except RuntimeError:
            continue
    return {}
