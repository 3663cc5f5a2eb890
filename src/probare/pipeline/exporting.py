"""`--export otlp`: the verdicts of a run, sent to people's tracing over OTLP/HTTP.

What is sent is read back from the run, where it is stored masked. Sending decides nothing: what
goes wrong is returned in words, and neither the run nor its decision changes.
"""

from __future__ import annotations

import base64
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import unquote, urlsplit

import msgspec

from probare.encoding import jsonbytes
from probare.errors import InputError, MissingExtra, did_you_mean
from probare.model.record import RunPlan
from probare.reporting.otlp import Evaluation, as_logs, as_spans, of_case, of_trial
from probare.stores.reader import RunReader

if TYPE_CHECKING:
    import httpx

DEFAULT_ENDPOINT = "http://127.0.0.1:4318"
_ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
_BATCH = 200
_SECONDS = 10.0
_TRIES = 3
_WAIT_SECONDS = 0.5
_AGAIN = (0, 429, 502, 503, 504)
_NO_LOGS = (404, 405, 415, 501)


class Exporting(msgspec.Struct, frozen=True, kw_only=True):
    """Where verdicts go. `headers` are secret; `protobuf` says whether requests are, or JSON."""

    endpoint: str
    headers: dict[str, str] = {}
    protobuf: bool = True

    @property
    def place(self) -> str:
        """The endpoint as it may be shown: without user, password and query."""
        parts = urlsplit(self.endpoint)
        port = f":{parts.port}" if parts.port else ""
        return f"{parts.scheme}://{parts.hostname}{port}{parts.path}"

    @property
    def is_here(self) -> bool:
        """Whether the endpoint is on this machine, where no proxy is asked."""
        return urlsplit(self.endpoint).hostname in ("localhost", "127.0.0.1", "::1")


class Exported(msgspec.Struct, frozen=True, kw_only=True):
    """How many verdicts were sent, and what went wrong, "" if nothing did."""

    sent: int
    problem: str = ""


class _Failed(Exception):  # noqa: N818 - becomes words
    def __init__(self, why: str, status: int = 0) -> None:
        super().__init__(why)
        self.status = status


def exporting(asked: str, environ: Mapping[str, str] = os.environ) -> Exporting:
    """Return where `otlp` or `otlp=ENDPOINT` sends to; without an endpoint, where
    OTEL_EXPORTER_OTLP_ENDPOINT says, else to this machine's port 4318.

    Raises InputError where that is no address or no such way, MissingExtra without protobuf.
    """
    way, _, endpoint = asked.partition("=")
    if way != "otlp":
        hint = did_you_mean(way, ("otlp",)) or "write otlp, or otlp=http://host:4318"
        raise InputError(f"verdicts cannot be exported as '{way}'", hint=hint)
    endpoint = (endpoint or environ.get(_ENDPOINT) or DEFAULT_ENDPOINT).rstrip("/")
    try:
        parts = urlsplit(endpoint)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good:
        raise InputError(
            "the endpoint of --export is no address of HTTP", hint="write https://host:4318"
        )
    protobuf = environ.get("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf") != "http/json"
    if protobuf:
        _message("logs")
    headers = _headers(environ.get("OTEL_EXPORTER_OTLP_HEADERS", ""))
    return Exporting(endpoint=endpoint, headers=headers, protobuf=protobuf)


def export_run(run: Path, where: Exporting) -> Exported:
    """Send all verdicts of a run, as log records; as spans where the endpoint takes no logs.

    Never raises for what goes wrong on the way. Raises RunDirectoryError where the run is none.
    """
    import httpx

    reader = RunReader(run)
    plan = reader.plan
    sent = 0
    signal = "logs"
    try:
        with httpx.Client(timeout=_SECONDS, trust_env=not where.is_here) as client:
            for batch in _batches(_evaluations(reader)):
                try:
                    _send(client, where, signal, _request(signal, batch, plan))
                except _Failed as refused:
                    if signal != "logs" or sent or refused.status not in _NO_LOGS:
                        raise
                    signal = "traces"
                    _send(client, where, signal, _request(signal, batch, plan))
                sent += sum(len(evaluation.verdicts) for evaluation in batch)
    except (_Failed, httpx.InvalidURL, ValueError) as error:
        return Exported(sent=sent, problem=f"{where.place}: {error}")
    return Exported(sent=sent)


def _evaluations(reader: RunReader) -> Iterator[Evaluation]:
    for record, transcript in reader.trials():
        yield of_trial(record, transcript)
    created = int(datetime.fromisoformat(reader.plan.created).timestamp() * 1e9)
    for record in reader.case_records():
        yield of_case(record, created)


def _batches(evaluations: Iterable[Evaluation]) -> Iterator[list[Evaluation]]:
    rest = (evaluation for evaluation in evaluations if evaluation.verdicts)
    while batch := list(islice(rest, _BATCH)):
        yield batch


def _request(signal: str, batch: list[Evaluation], plan: RunPlan) -> dict[str, Any]:
    make: Callable[[Iterable[Evaluation], RunPlan], dict[str, Any]]
    make = as_logs if signal == "logs" else as_spans
    return make(batch, plan)


def _send(client: httpx.Client, where: Exporting, signal: str, request: dict[str, Any]) -> None:
    kind = "application/x-protobuf" if where.protobuf else "application/json"
    content = _protobuf(signal, request) if where.protobuf else jsonbytes.encode(request)
    headers = {**where.headers, "Content-Type": kind}
    for attempt in range(1, _TRIES):
        try:
            return _post(client, f"{where.endpoint}/v1/{signal}", content, headers)
        except _Failed as failed:
            if failed.status not in _AGAIN:
                raise
        time.sleep(_WAIT_SECONDS * attempt)
    return _post(client, f"{where.endpoint}/v1/{signal}", content, headers)


def _post(client: httpx.Client, url: str, content: bytes, headers: dict[str, str]) -> None:
    import httpx

    try:
        response = client.post(url, content=content, headers=headers)
    except httpx.HTTPError as error:
        raise _Failed(str(error) or type(error).__name__) from error
    if not response.is_success:
        status = response.status_code
        raise _Failed(f"answered {status} {response.reason_phrase}".rstrip(), status)


def _headers(written: str) -> dict[str, str]:
    """Return the headers of `key=value,key=value`, percent-decoded (as OpenTelemetry's own)."""
    pairs = [item.partition("=") for item in written.split(",") if "=" in item]
    found = {unquote(key.strip()): unquote(value.strip()) for key, _, value in pairs}
    for name, value in found.items():
        if not name.isascii() or not name.isprintable() or any(c in value for c in "\r\n\0"):
            raise InputError("OTEL_EXPORTER_OTLP_HEADERS holds what is no header")
    return found


def _message(signal: str) -> Any:
    try:
        if signal == "logs":
            from opentelemetry.proto.collector.logs.v1 import (  # pyright: ignore[reportMissingTypeStubs]
                logs_service_pb2,
            )

            return cast("Any", logs_service_pb2).ExportLogsServiceRequest
        from opentelemetry.proto.collector.trace.v1 import trace_service_pb2
    except ImportError as error:
        raise MissingExtra("opentelemetry-proto", "otel") from error
    return cast("Any", trace_service_pb2).ExportTraceServiceRequest


def _protobuf(signal: str, request: dict[str, Any]) -> bytes:
    """Return a request in protobuf. Its JSON form has ids in hex, protobuf's own in base64."""
    from google.protobuf.json_format import ParseDict

    message = ParseDict(_with_base64(request), _message(signal)())
    return message.SerializeToString()


def _with_base64(value: Any) -> Any:
    if isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        return {
            key: base64.b64encode(bytes.fromhex(item)).decode()
            if key in ("traceId", "spanId", "parentSpanId")
            else _with_base64(item)
            for key, item in fields.items()
        }
    if isinstance(value, list):
        return [_with_base64(item) for item in cast("list[Any]", value)]
    return value
