from __future__ import annotations

import time

import msgspec

from probare.model.case import Case
from probare.model.event import Note, ToolCall
from probare.targets.otel.otlp import Arrived
from probare.targets.otel.settling import Clock, settle
from probare.targets.otel.spans import Span
from probare.targets.otel.traces import Trace, Traces
from probare.targets.tape import Tape

TOOL = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "f"}


def _settled(tape: Tape, *spans: Span) -> Trace:
    trace, traces, clock = Trace.of(Case(id="c"), 0), Traces(), Clock(tape)
    traces.expect(trace)
    traces.add([Arrived(trace_id=trace.trace_id, span=s) for s in spans])
    settle(tape, traces, trace, clock)
    return trace


def _span(start_ns: int) -> Span:
    return Span(
        trace_id="a", span_id="1", name="f", start_ns=start_ns, end_ns=start_ns, attributes=TOOL
    )


def test_events_of_our_clock_stand_among_the_recorded_ones() -> None:
    tape = Tape()
    tape.append(Note, text="before")
    time.sleep(0.01)
    tape_now = time.time_ns()
    time.sleep(0.01)
    tape.append(Note, text="after")
    _settled(tape, _span(tape_now))
    texts = [event.text if isinstance(event, Note) else event.kind for event in tape.events]
    assert texts[:4] == ["before", "tool_call", "tool_result", "after"]
    assert [event.seq for event in tape.events] == list(range(len(tape.events)))


def test_events_of_another_clock_have_no_time_and_come_last() -> None:
    tape = Tape()
    tape.append(Note, text="before")
    _settled(tape, _span(1))
    (call,) = [event for event in tape.events if isinstance(event, ToolCall)]
    assert call.at_ms is None
    assert tape.events[0].kind == "note"


def test_the_trial_is_linked_with_its_trace() -> None:
    tape = Tape()
    model = {"gen_ai.operation.name": "chat", "gen_ai.response.id": "resp-1"}
    span = msgspec.structs.replace(_span(time.time_ns()), attributes=model)
    trace = _settled(tape, span)
    last = tape.events[-1]
    assert isinstance(last, Note)
    assert last.data == {
        "kind": "trace",
        "trace_id": trace.trace_id,
        "span_id": trace.root_id,
        "response_id": "resp-1",
    }


def test_after_the_end_nothing_is_added() -> None:
    tape = Tape()
    tape.close()
    _settled(tape, _span(time.time_ns()))
    assert tape.events == ()
