"""Spans of agents elsewhere: a receiver for the length of a run, and a trace for each attempt."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager

from probare.ports.clock import not_counted
from probare.ports.target import TrialCall
from probare.targets.otel.receiver import Receiver
from probare.targets.otel.settling import Clock, settle
from probare.targets.otel.traces import Trace
from probare.targets.tape import Tape

_LOOK_SECONDS = 0.02
_FLUSH_MILLISECONDS = "200"


class RemoteSpans:
    """Receives spans until it is closed. `grace` is how long, in seconds, they may come after an
    answer; it counts neither against the deadline nor as the trial's time.
    """

    def __init__(self, port: int, grace: float) -> None:
        """Listen. Raises InputError where the port is taken, MissingExtra without protobuf."""
        self._receiver = Receiver(port)
        self._grace = grace

    @asynccontextmanager
    async def trial(self, call: TrialCall, tape: Tape) -> AsyncGenerator[Trace]:
        """Give an attempt a trace; at the end the events of its spans are on the tape."""
        trace = Trace.of(call.case, call.trial)
        clock = Clock(tape)
        traces = self._receiver.traces
        traces.expect(trace)
        try:
            try:
                yield trace
            except Exception:
                await self._wait(trace)
                raise
            await self._wait(trace)
        finally:
            settle(tape, traces, trace, clock)

    def close(self) -> None:
        """Stop listening."""
        self._receiver.close()

    async def _wait(self, trace: Trace) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + self._grace
        with not_counted():
            while loop.time() < until and not self._receiver.traces.complete(trace):
                await asyncio.sleep(_LOOK_SECONDS)

    def headers(self, trace: Trace) -> dict[str, str]:
        """Return the headers that carry the trace."""
        return {"traceparent": trace.traceparent, "baggage": trace.baggage}

    def environment(self, trace: Trace, before: Mapping[str, str]) -> dict[str, str]:
        """Return the variables with which a process sends its spans here, on the trial's own
        path. What `before` says of resources and of the time between exports stays.
        """
        own = before.get("OTEL_RESOURCE_ATTRIBUTES")
        resources = ",".join(part for part in (own, trace.baggage) if part)
        return {
            "OTEL_BSP_SCHEDULE_DELAY": before.get("OTEL_BSP_SCHEDULE_DELAY", _FLUSH_MILLISECONDS),
            "OTEL_EXPORTER_OTLP_ENDPOINT": f"{self._receiver.url}/{trace.path}",
            "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf",
            "OTEL_RESOURCE_ATTRIBUTES": resources,
            "OTEL_TRACES_EXPORTER": "otlp",
            "TRACEPARENT": trace.traceparent,
            "BAGGAGE": trace.baggage,
        }
