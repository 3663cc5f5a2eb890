from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probare.targets.otel.otlp import decode_request, encode_response
from probare.targets.otel.spans import Span, SpanEvent

trace_pb2: Any = pytest.importorskip("opentelemetry.proto.collector.trace.v1.trace_service_pb2")
logs_pb2: Any = pytest.importorskip("opentelemetry.proto.collector.logs.v1.logs_service_pb2")

SPAN = Span(
    trace_id="0af7651916cd43dd8448eb211c80319c",
    span_id="00f067aa0ba902b7",
    parent_id="b7ad6b7169203331",
    name="chat",
    scope="lib",
    version="1.2",
    start_ns=1_700_000_000_000_000_001,
    end_ns=1_700_000_000_000_000_009,
    attributes={"s": "x", "i": -7, "b": False, "f": 0.5, "l": ["a", 1], "m": {"k": "v"}, "e": ""},
    events=(SpanEvent(name="exception", at_ns=5, attributes={"exception.type": "E"}),),
    status="error",
    message="boom",
)


def _any(value: Any) -> dict[str, Any]:
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, list):
        return {"arrayValue": {"values": [_any(item) for item in value]}}  # pyright: ignore
    if isinstance(value, dict):
        return {"kvlistValue": {"values": _pairs(value)}}  # pyright: ignore
    return {"stringValue": value}


def _pairs(fields: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"key": key, "value": _any(value)} for key, value in fields.items()]


RAISED = {
    "name": "exception",
    "timeUnixNano": "5",
    "attributes": _pairs({"exception.type": "E"}),
}


def _json(resource: dict[str, Any] | None = None, **changes: Any) -> dict[str, Any]:
    span: dict[str, Any] = {
        "traceId": SPAN.trace_id.upper(),
        "spanId": SPAN.span_id,
        "parentSpanId": SPAN.parent_id,
        "name": "chat",
        "kind": 3,
        "startTimeUnixNano": str(SPAN.start_ns),
        "endTimeUnixNano": SPAN.end_ns,
        "attributes": _pairs(SPAN.attributes),
        "events": [
            {
                "name": "exception",
                "timeUnixNano": "5",
                "attributes": _pairs({"exception.type": "E"}),
            }
        ],
        "status": {"code": 2, "message": "boom"},
        "unknownField": 1,
    }
    scoped = {"scope": {"name": "lib", "version": "1.2"}, "spans": [span | changes]}
    outer = {"resource": {"attributes": _pairs(resource or {})}, "scopeSpans": [scoped]}
    return {"resourceSpans": [outer]}


def _taken(value: Any) -> Any:
    return decode_request(json.dumps(value).encode(), logs=False, as_json=True)


def test_json() -> None:
    found = _taken(_json())
    assert [item.span for item in found.arrived] == [SPAN]
    assert found.rejected == 0


def _protobuf() -> Any:
    request = trace_pb2.ExportTraceServiceRequest()
    scoped = request.resource_spans.add().scope_spans.add()
    scoped.scope.name, scoped.scope.version = "lib", "1.2"
    span = scoped.spans.add()
    span.trace_id, span.span_id = bytes.fromhex(SPAN.trace_id), bytes.fromhex(SPAN.span_id)
    span.parent_span_id = bytes.fromhex(SPAN.parent_id or "")
    span.name = "chat"
    span.start_time_unix_nano, span.end_time_unix_nano = SPAN.start_ns, SPAN.end_ns
    for key, value in SPAN.attributes.items():
        _fill(span.attributes.add(key=key).value, value)
    event = span.events.add(name="exception", time_unix_nano=5)
    event.attributes.add(key="exception.type").value.string_value = "E"
    span.status.code, span.status.message = 2, "boom"
    return request


def _fill(target: Any, value: Any) -> None:
    if isinstance(value, bool):
        target.bool_value = value
    elif isinstance(value, int):
        target.int_value = value
    elif isinstance(value, float):
        target.double_value = value
    elif isinstance(value, list):
        for item in value:  # pyright: ignore[reportUnknownVariableType]
            _fill(target.array_value.values.add(), item)
    elif isinstance(value, dict):
        for key, item in value.items():  # pyright: ignore[reportUnknownVariableType]
            _fill(target.kvlist_value.values.add(key=key).value, item)
    else:
        target.string_value = value


def test_protobuf_says_the_same_as_json() -> None:
    data = _protobuf().SerializeToString()
    found = decode_request(data, logs=False, as_json=False)
    assert found is not None
    assert [item.span for item in found.arrived] == [SPAN]


def test_a_span_that_has_not_ended() -> None:
    assert _taken(_json(endTimeUnixNano="0")).arrived[0].span.end_ns is None


@pytest.mark.parametrize(
    "changes",
    [
        {"traceId": "00"},
        {"traceId": "0" * 32},
        {"traceId": "z" * 32},
        {"spanId": None},
        {"startTimeUnixNano": "soon"},
        {"startTimeUnixNano": -1},
    ],
)
def test_malformed_spans_are_counted(changes: dict[str, Any]) -> None:
    found = _taken(_json(**changes))
    assert (found.arrived, found.rejected) == ((), 1)


def test_the_mark_of_a_span_or_of_its_resource() -> None:
    mark = "ab" * 16
    assert _taken(_json({"probare.trace": mark})).arrived[0].mark == mark
    own = _pairs({"probare.trace": "cd" * 16})
    assert _taken(_json({"probare.trace": mark}, attributes=own)).arrived[0].mark == "cd" * 16


def test_a_log_record_is_an_event_of_its_span() -> None:
    record = {
        "traceId": SPAN.trace_id,
        "spanId": SPAN.span_id,
        "timeUnixNano": "5",
        "eventName": "gen_ai.user.message",
        "attributes": _pairs({"gen_ai.system": "x"}),
        "body": _any({"content": "Hi"}),
    }
    nameless = {"traceId": SPAN.trace_id, "spanId": SPAN.span_id, "body": _any("hello")}
    value = {"resourceLogs": [{"scopeLogs": [{"logRecords": [record, nameless]}]}]}
    found = decode_request(json.dumps(value).encode(), logs=True, as_json=True)
    assert found is not None
    event = SpanEvent(
        name="gen_ai.user.message",
        at_ns=5,
        attributes={"gen_ai.system": "x"},
        body={"content": "Hi"},
    )
    assert [item.event for item in found.arrived] == [event, None]
    assert found.rejected == 0


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b'{"a": NaN}'])
def test_what_is_no_json_request(data: bytes) -> None:
    assert decode_request(data, logs=False, as_json=True) is None


def test_what_is_no_protobuf_request() -> None:
    assert decode_request(b"\xff\xff\xff", logs=False, as_json=False) is None


KEYS = """
    resourceSpans scopeSpans spans scope resource attributes key value values status code events
    kvlistValue arrayValue stringValue
""".split()  # noqa: SIM905 - they are many


@settings(max_examples=60)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=4),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(KEYS),
                inner,
                max_size=4,
            )
        ),
        max_leaves=25,
    )
)
def test_any_json_is_taken_or_refused(value: Any) -> None:
    found = _taken(value)
    assert found is None or found.arrived is not None


def test_deep_values_end() -> None:
    value: Any = {"stringValue": "x"}
    for _ in range(60):
        value = {"arrayValue": {"values": [value]}}
    found = _taken(_json(attributes=[{"key": "deep", "value": value}]))
    assert found.arrived[0].span is not None


def test_answers_say_how_many_were_not_taken() -> None:
    assert encode_response(logs=False, as_json=True, rejected=0) == b"{}"
    said = json.loads(encode_response(logs=False, as_json=True, rejected=2))
    assert said["partialSuccess"]["rejectedSpans"] == "2"
    answer = trace_pb2.ExportTraceServiceResponse()
    answer.ParseFromString(encode_response(logs=False, as_json=False, rejected=2))
    assert answer.partial_success.rejected_spans == 2
    answer = logs_pb2.ExportLogsServiceResponse()
    answer.ParseFromString(encode_response(logs=True, as_json=False, rejected=3))
    assert answer.partial_success.rejected_log_records == 3
