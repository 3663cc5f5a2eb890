"""The receiver, asked over real connections."""

from __future__ import annotations

import gzip
import json
import socket
from collections.abc import Iterator

import httpx
import pytest

from probare.errors import InputError
from probare.model.case import Case
from probare.targets.otel import receiver as receiving
from probare.targets.otel.receiver import Receiver
from probare.targets.otel.traces import Trace

pytest.importorskip("opentelemetry.proto.collector.trace.v1.trace_service_pb2")

JSON = {"Content-Type": "application/json"}


def _body(trace_id: str, *span_ids: str) -> bytes:
    spans = [
        {"traceId": trace_id, "spanId": span_id, "name": "s", "startTimeUnixNano": "1"}
        for span_id in span_ids
    ]
    return json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}).encode()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    yield receiver
    receiver.close()


@pytest.fixture
def trace(receiver: Receiver) -> Trace:
    trace = Trace.of(Case(id="c"), 0)
    receiver.traces.expect(trace)
    return trace


def _ids(receiver: Receiver, trace: Trace) -> list[str]:
    return [span.span_id for span in receiver.traces.take(trace).spans]


def test_it_listens_on_loopback_alone(receiver: Receiver) -> None:
    assert receiver.url == f"http://127.0.0.1:{receiver.port}"


@pytest.mark.parametrize("coding", [None, "gzip"])
def test_json_plain_or_packed(receiver: Receiver, trace: Trace, coding: str | None) -> None:
    body = _body(trace.trace_id, "1" * 16, "0" * 16)
    headers = JSON | ({"Content-Encoding": "gzip"} if coding else {})
    content = gzip.compress(body, mtime=0) if coding else body
    answer = httpx.post(f"{receiver.url}/v1/traces", content=content, headers=headers)
    assert answer.status_code == 200
    assert answer.json()["partialSuccess"]["rejectedSpans"] == "1"
    assert _ids(receiver, trace) == ["1" * 16]


def test_chunks(receiver: Receiver, trace: Trace) -> None:
    body = _body(trace.trace_id, "1" * 16)
    pieces = (body[at : at + 7] for at in range(0, len(body), 7))
    answer = httpx.post(f"{receiver.url}/v1/traces", content=pieces, headers=JSON)
    assert (answer.status_code, answer.json()) == (200, {})
    assert _ids(receiver, trace) == ["1" * 16]


def test_one_connection_for_many_requests(receiver: Receiver, trace: Trace) -> None:
    with httpx.Client() as client:
        for number in range(3):
            body = _body(trace.trace_id, f"{number + 1:016x}")
            assert client.post(f"{receiver.url}/v1/traces", content=body, headers=JSON).is_success
    assert len(_ids(receiver, trace)) == 3


def test_spans_of_other_traces_are_nobodys_but_on_the_trials_own_path(
    receiver: Receiver, trace: Trace
) -> None:
    other = "f" * 32
    httpx.post(f"{receiver.url}/v1/traces", content=_body(other, "1" * 16), headers=JSON)
    mine = f"{receiver.url}/{trace.path}/v1/traces"
    httpx.post(mine, content=_body(other, "2" * 16), headers=JSON)
    assert _ids(receiver, trace) == ["2" * 16]
    assert receiver.traces.strays == 1


def test_metrics_are_answered_and_dropped(receiver: Receiver) -> None:
    answer = httpx.post(f"{receiver.url}/v1/metrics", content=b"{}", headers=JSON)
    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("path", "headers", "content", "status"),
    [
        ("/v1/spans", JSON, b"{}", 404),
        ("/", JSON, b"{}", 404),
        ("/nobody/v1/traces", JSON, b"{}", 404),
        ("/v1/traces", {"Content-Type": "text/plain"}, b"{}", 415),
        ("/v1/traces", JSON | {"Content-Encoding": "br"}, b"{}", 415),
        ("/v1/traces", JSON, b"{", 400),
        ("/v1/traces", {"Content-Type": "application/x-protobuf"}, b"\xff\xff", 400),
        ("/v1/traces", JSON | {"Content-Encoding": "gzip"}, b"no gzip", 400),
        (
            "/v1/traces",
            JSON | {"Content-Encoding": "gzip"},
            gzip.compress(b"{}", mtime=0)[:-4],
            400,
        ),
    ],
)
def test_what_is_refused(
    receiver: Receiver, path: str, headers: dict[str, str], content: bytes, status: int
) -> None:
    answer = httpx.post(f"{receiver.url}{path}", content=content, headers=headers)
    assert answer.status_code == status
    assert answer.text


def test_what_is_too_large_is_refused(
    receiver: Receiver, trace: Trace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receiving, "MOST_SENT", 2_000)
    monkeypatch.setattr(receiving, "MOST_INFLATED", 50_000)
    url = f"{receiver.url}/v1/traces"
    bomb = gzip.compress(b" " * 1_000_000, mtime=0)
    assert len(bomb) < 2_000
    packed = JSON | {"Content-Encoding": "gzip"}
    assert httpx.post(url, content=bomb, headers=packed).status_code == 413
    assert httpx.post(url, content=b" " * 3_000, headers=JSON).status_code == 413
    many = (b" " * 500 for _ in range(6))
    assert httpx.post(url, content=many, headers=JSON).status_code == 413
    assert _ids(receiver, trace) == []


@pytest.mark.parametrize(
    "said",
    [b"\r\n", b"Content-Length: -1\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\nzz\r\n"],
)
def test_bodies_without_a_measure_are_refused(receiver: Receiver, said: bytes) -> None:
    with socket.create_connection(("127.0.0.1", receiver.port)) as connection:
        start = b"POST /v1/traces HTTP/1.1\r\nContent-Type: application/json\r\n"
        connection.sendall(start + said)
        assert connection.recv(100).split()[1] in (b"400", b"411")


def test_a_taken_port_is_the_users_to_know(receiver: Receiver) -> None:
    with pytest.raises(InputError, match=f"port {receiver.port}"):
        Receiver(receiver.port)


def test_it_stops(receiver: Receiver) -> None:
    receiver.close()
    with pytest.raises(httpx.ConnectError):
        httpx.post(f"{receiver.url}/v1/traces", content=b"{}", headers=JSON)
