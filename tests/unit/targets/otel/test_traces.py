from __future__ import annotations

from typing import Any
from urllib.parse import unquote

import pytest

from probare.model.case import Case
from probare.targets.otel import traces as module
from probare.targets.otel.otlp import Arrived
from probare.targets.otel.spans import Span, SpanEvent
from probare.targets.otel.traces import Trace, Traces


def _arrived(trace_id: str, span_id: str = "1", parent: str | None = None, **more: Any) -> Arrived:
    attributes = more.pop("attributes", {})
    span = Span(
        trace_id=trace_id, span_id=span_id, parent_id=parent, name="s", attributes=attributes
    )
    return Arrived(trace_id=trace_id, span=span, **more)


@pytest.fixture
def trace() -> Trace:
    return Trace.of(Case(id="a case, with ünusual=chars"), 3)


@pytest.fixture
def waiting(trace: Trace) -> Traces:
    traces = Traces()
    traces.expect(trace)
    return traces


def test_headers_of_a_trace(trace: Trace) -> None:
    assert trace.traceparent == f"00-{trace.trace_id}-{trace.root_id}-01"
    pairs = dict(pair.split("=") for pair in trace.baggage.split(","))
    assert unquote(pairs["probare.case"]) == trace.case
    assert (pairs["probare.trial"], pairs["probare.trace"]) == ("3", trace.trace_id)
    assert trace.baggage.isascii()


def test_traces_do_not_repeat() -> None:
    made = [Trace.of(Case(id="c"), 0) for _ in range(50)]
    assert len({trace.trace_id for trace in made} | {trace.path for trace in made}) == 100


def test_spans_are_found_by_trace_by_path_and_by_mark(waiting: Traces, trace: Trace) -> None:
    waiting.add([_arrived(trace.trace_id, "1")])
    waiting.add([_arrived("f" * 32, "2")], trace.path)
    waiting.add([_arrived("f" * 32, "3", mark=trace.trace_id)])
    waiting.add([_arrived("f" * 32, "4"), _arrived("f" * 32, "5", mark="e" * 32)])
    taken = waiting.take(trace)
    assert [span.span_id for span in taken.spans] == ["1", "2", "3"]
    assert waiting.strays == 2


def test_strays_that_tell_of_acts_leave_a_gap(waiting: Traces, trace: Trace) -> None:
    waiting.add([_arrived("f" * 32, attributes={"gen_ai.operation.name": "execute_tool"})])
    (note,) = waiting.take(trace).notes
    assert getattr(note, "data", None) == {"kind": "incomplete", "channels": ["tools"]}


def test_strays_that_tell_of_nothing_are_noted(waiting: Traces, trace: Trace) -> None:
    waiting.add([_arrived("f" * 32)])
    (note,) = waiting.take(trace).notes
    assert getattr(note, "data", True) is None


def test_strays_before_a_trial_are_not_its_own(waiting: Traces, trace: Trace) -> None:
    waiting.add([_arrived("f" * 32)])
    later = Trace.of(Case(id="later"), 0)
    waiting.expect(later)
    assert waiting.take(later).notes == ()
    assert waiting.take(trace).notes != ()


def test_late_spans_of_a_trial_that_is_over_are_no_strays(waiting: Traces, trace: Trace) -> None:
    other = Trace.of(Case(id="other"), 0)
    waiting.expect(other)
    waiting.take(trace)
    waiting.add([_arrived(trace.trace_id)])
    assert waiting.take(other).notes == ()
    assert not waiting.knows_path(trace.path)


def test_events_from_logs_join_their_span(waiting: Traces, trace: Trace) -> None:
    event = SpanEvent(name="gen_ai.user.message", body={"content": "Hi"})
    waiting.add([Arrived(trace_id=trace.trace_id, span_id="1", event=event)])
    waiting.add([_arrived(trace.trace_id, "1"), _arrived(trace.trace_id, "2")])
    first, second = waiting.take(trace).spans
    assert (first.events, second.events) == ((event,), ())


def test_a_trace_is_complete_when_its_entry_and_all_parents_are_there(
    waiting: Traces, trace: Trace
) -> None:
    assert not waiting.complete(trace)
    waiting.add([_arrived(trace.trace_id, "2", "1")])
    assert not waiting.complete(trace)
    waiting.add([_arrived(trace.trace_id, "1", trace.root_id)])
    assert waiting.complete(trace)


def test_too_many_spans_are_dropped_and_leave_a_gap(
    waiting: Traces, trace: Trace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_SPANS", 2)
    waiting.add([_arrived(trace.trace_id, str(number)) for number in range(5)])
    taken = waiting.take(trace)
    assert len(taken.spans) == 2
    assert getattr(taken.notes[0], "data", {})["kind"] == "incomplete"


def test_too_large_spans_are_dropped(
    waiting: Traces, trace: Trace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 100)
    waiting.add([_arrived(trace.trace_id, "1")], size=60)
    waiting.add([_arrived(trace.trace_id, "2")], size=60)
    assert [span.span_id for span in waiting.take(trace).spans] == ["1"]
