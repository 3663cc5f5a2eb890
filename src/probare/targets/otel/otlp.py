"""OTLP over HTTP, decoded: requests of traces and logs, as protobuf or JSON.

In JSON, ids are hex and 64-bit integers may be texts
(https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding). Total: what is malformed is
counted, and the rest is kept.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import msgspec
from msgspec import UNSET

from probare.encoding.narrow import mapping, sequence
from probare.errors import MissingExtra
from probare.targets.otel.spans import Span, SpanEvent, Status
from probare.targets.values import safe
from probare.targets.wire import decode

MARK = "probare.trace"
"""The attribute (of a span, or of its resource) that carries a trial's trace id."""

_STATUSES: dict[Any, Status] = {
    1: "ok",
    2: "error",
    "STATUS_CODE_OK": "ok",
    "STATUS_CODE_ERROR": "error",
}
_SCALARS = ("stringValue", "boolValue", "doubleValue", "bytesValue")
_DIGITS = frozenset("0123456789abcdef")
_DEEPEST = 50
_Id = Callable[[Any], str]


class Arrived(msgspec.Struct, frozen=True, kw_only=True):
    """A span, or an event of one (from a log record), with the mark that it carries, if any."""

    trace_id: str
    mark: str | None = None
    span: Span | None = None
    span_id: str = ""
    event: SpanEvent | None = None


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """What a request held, and how many of its items were malformed."""

    arrived: tuple[Arrived, ...]
    rejected: int = 0


def require_protobuf() -> None:
    """Raise MissingExtra where OTLP's messages are not installed."""
    try:
        _protobuf(logs=False)
    except ImportError as error:
        raise MissingExtra("opentelemetry-proto", "otel") from error


def decode_request(data: bytes, *, logs: bool, as_json: bool) -> Request | None:
    """Return what a request holds; None where it is no such request at all."""
    if as_json:
        value = decode(data)
        known = isinstance(value, dict)
        return _request(mapping(value), logs, _hex) if known else None
    found = _from_protobuf(data, logs)
    return None if found is None else _request(found, logs, _base64)


def encode_response(*, logs: bool, as_json: bool, rejected: int) -> bytes:
    """Return the body of an answer of success, which says how many items were not taken."""
    said = f"{rejected} items were malformed" if rejected else ""
    if as_json:
        key = "rejectedLogRecords" if logs else "rejectedSpans"
        partial = {"partialSuccess": {key: str(rejected), "errorMessage": said}}
        return msgspec.json.encode(partial if rejected else {})
    kind: Any = _protobuf(logs)[1]
    response = kind()
    if rejected:
        field = "rejected_log_records" if logs else "rejected_spans"
        setattr(response.partial_success, field, rejected)
        response.partial_success.error_message = said
    return response.SerializeToString()


def _protobuf(logs: bool) -> tuple[Any, Any]:
    signal, name = ("logs", "Logs") if logs else ("trace", "Trace")
    module: Any = import_module(f"opentelemetry.proto.collector.{signal}.v1.{signal}_service_pb2")
    request = getattr(module, f"Export{name}ServiceRequest")
    return request, getattr(module, f"Export{name}ServiceResponse")


def _from_protobuf(data: bytes, logs: bool) -> dict[str, Any] | None:
    from google.protobuf.json_format import MessageToDict
    from google.protobuf.message import DecodeError

    message: Any = _protobuf(logs)[0]()
    try:
        message.ParseFromString(data)
        return MessageToDict(message)
    except (DecodeError, ValueError, RecursionError):
        return None


def _request(value: dict[str, Any], logs: bool, id_of: _Id) -> Request:
    arrived: list[Arrived] = []
    rejected = 0
    for resource, scope, item in _items(value, logs):
        found = (_log if logs else _span)(item, scope, id_of)
        if found is None:
            rejected += 1
            continue
        mark = resource.get(MARK)
        if found.mark is None and isinstance(mark, str):
            found = msgspec.structs.replace(found, mark=mark)
        arrived.append(found)
    return Request(arrived=tuple(arrived), rejected=rejected)


def _items(value: dict[str, Any], logs: bool) -> Iterator[tuple[dict[str, Any], Any, Any]]:
    outer, middle, inner = ("resourceSpans", "scopeSpans", "spans")
    if logs:
        outer, middle, inner = ("resourceLogs", "scopeLogs", "logRecords")
    for of_resource in sequence(value.get(outer)):
        fields = mapping(of_resource)
        resource = _attributes(mapping(fields.get("resource")).get("attributes"))
        for of_scope in sequence(fields.get(middle)):
            scope = mapping(mapping(of_scope).get("scope"))
            for item in sequence(mapping(of_scope).get(inner)):
                yield resource, scope, item


def _span(item: Any, scope: dict[str, Any], id_of: _Id) -> Arrived | None:
    fields = mapping(item)
    trace_id, span_id = id_of(fields.get("traceId")), id_of(fields.get("spanId"))
    start = _nanoseconds(fields.get("startTimeUnixNano"))
    if len(trace_id) != 32 or len(span_id) != 16 or start is None:
        return None
    attributes = _attributes(fields.get("attributes"))
    status = mapping(fields.get("status"))
    span = Span(
        trace_id=trace_id,
        span_id=span_id,
        parent_id=id_of(fields.get("parentSpanId")) or None,
        name=_text(fields.get("name")),
        scope=_text(scope.get("name")),
        version=_text(scope.get("version")),
        start_ns=start,
        end_ns=_nanoseconds(fields.get("endTimeUnixNano")) or None,
        attributes=attributes,
        events=tuple(_event(event) for event in sequence(fields.get("events"))),
        status=_STATUSES.get(_hashable(status.get("code")), "unset"),
        message=_text(status.get("message")),
    )
    mark = attributes.get(MARK)
    return Arrived(trace_id=trace_id, mark=mark if isinstance(mark, str) else None, span=span)


def _log(item: Any, _scope: dict[str, Any], id_of: _Id) -> Arrived | None:
    """Read a log record that is an event of a span; any other one belongs to no span."""
    fields = mapping(item)
    attributes = _attributes(fields.get("attributes"))
    name = _text(fields.get("eventName")) or _text(attributes.get("event.name"))
    trace_id, span_id = id_of(fields.get("traceId")), id_of(fields.get("spanId"))
    if not name or len(trace_id) != 32 or len(span_id) != 16:
        return Arrived(trace_id="")
    at = _nanoseconds(fields.get("timeUnixNano")) or _nanoseconds(
        fields.get("observedTimeUnixNano")
    )
    body = _value(fields.get("body"), 0)
    event = SpanEvent(name=name, at_ns=at or 0, attributes=attributes, body=body)
    mark = attributes.get(MARK)
    return Arrived(
        trace_id=trace_id,
        mark=mark if isinstance(mark, str) else None,
        span_id=span_id,
        event=event,
    )


def _event(item: Any) -> SpanEvent:
    fields = mapping(item)
    return SpanEvent(
        name=_text(fields.get("name")),
        at_ns=_nanoseconds(fields.get("timeUnixNano")) or 0,
        attributes=_attributes(fields.get("attributes")),
    )


def _attributes(value: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for item in sequence(value):
        fields = mapping(item)
        key = fields.get("key")
        if isinstance(key, str):
            found[key] = _value(fields.get("value"), 0)
    return found


def _value(value: Any, depth: int) -> Any:
    """Return the JSON value of an AnyValue. Bytes stay the base64 that they are in JSON."""
    fields = mapping(value)
    if depth > _DEEPEST or not fields:
        return None
    kind, inner = next(iter(fields.items()))
    if kind == "intValue":
        return _integer(inner)
    if kind == "arrayValue":
        return [_value(item, depth + 1) for item in sequence(mapping(inner).get("values"))]
    if kind == "kvlistValue":
        pairs = [mapping(item) for item in sequence(mapping(inner).get("values"))]
        return {_text(pair.get("key")): _value(pair.get("value"), depth + 1) for pair in pairs}
    return (
        safe(inner) if kind in ("stringValue", "boolValue", "doubleValue", "bytesValue") else None
    )


def _integer(value: Any) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and value.removeprefix("-").isdecimal() and len(value) < 25:
        return int(value)
    return None


def _nanoseconds(value: Any) -> int | None:
    found = _integer(value)
    return found if found is not None and 0 <= found < 2**64 else None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _hashable(value: Any) -> Any:
    return value if isinstance(value, str | int) else UNSET


def _hex(value: Any) -> str:
    text = _text(value).lower()
    return (
        text if text and all(c in "0123456789abcdef" for c in text) and set(text) != {"0"} else ""
    )


def _base64(value: Any) -> str:
    try:
        return _hex(base64.b64decode(_text(value), validate=True).hex())
    except ValueError:
        return ""
