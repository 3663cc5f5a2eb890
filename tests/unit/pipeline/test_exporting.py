"""Verdicts exported to the receiver of this very package, and to servers that misbehave."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import probare
from probare.errors import InputError
from probare.pipeline import exporting as module
from probare.pipeline.exporting import Exporting, export_run, exporting
from probare.targets.otel.otlp import decode_request
from probare.targets.otel.receiver import Receiver
from probare.testing.servers import Received, Reply, serving

pytest.importorskip("opentelemetry.proto.collector.logs.v1.logs_service_pb2")
tracing: Any = pytest.importorskip("opentelemetry.trace")
pytest.importorskip("opentelemetry.sdk.trace")

SECRET = "Bearer aVeryLongSecretValue123"


def _agent(question: str) -> str:
    with tracing.get_tracer("pydantic-ai").start_as_current_span("chat m") as span:
        span.set_attribute("gen_ai.operation.name", "chat")
        span.set_attribute("gen_ai.response.id", f"resp-{question}")
    return f"hello {question}"


@pytest.fixture
def run_folder(tmp_path: Path) -> Callable[..., Path]:
    """Run a suite of three cases and return the run's folder."""

    def make(**target: Any) -> Path:
        suite = probare.Suite(
            "greeter",
            target={"python": _agent, **target},
            cases=[
                probare.Case(
                    id=name,
                    input=name,
                    expect=[{"contains": "hello"}, {"equals": "hello Ada", "label": "is Ada"}],
                )
                for name in ("Ada", "Bob", "Cy")
            ],
        )
        return probare.run(suite, runs=tmp_path / "runs").folder

    return make


class Backend:
    """Takes what is exported, decoded by the receiver's own reader."""

    def __init__(self) -> None:
        self.refusing: dict[str, int] = {}
        self.paths: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.arrived: list[Any] = []

    def answer(self, received: Received) -> Reply:
        self.paths.append(received.path)
        self.headers.append({k.lower(): v for k, v in received.headers.items()})
        signal = received.path.rpartition("/")[2]
        if signal in self.refusing:
            return Reply.text("no", status=self.refusing[signal])
        as_json = received.headers["Content-Type"] == "application/json"
        request = decode_request(received.body, logs=signal == "logs", as_json=as_json)
        assert request is not None
        assert request.rejected == 0
        self.arrived += request.arrived
        return Reply.of({})


@pytest.fixture
def backend() -> Iterator[tuple[Backend, str]]:
    backend = Backend()
    with serving(backend.answer) as server:
        yield backend, server.url.rstrip("/")


def _trace_ids(folder: Path) -> dict[str, str]:
    lines = (folder / "transcripts.jsonl").read_text().splitlines()
    found: dict[str, str] = {}
    for line in map(json.loads, lines):
        found[line["case"]] = line["events"][-1]["data"]["trace_id"]
    return found


@pytest.mark.parametrize("protobuf", [True, False])
def test_each_verdict_is_an_event_of_its_trials_trace(
    run_folder: Any, backend: tuple[Backend, str], protobuf: bool
) -> None:
    folder = run_folder(capture="otel")
    taker, url = backend
    done = export_run(folder, Exporting(endpoint=url, protobuf=protobuf))
    assert (done.sent, done.problem) == (6, "")
    assert taker.paths == ["/v1/logs"]
    events = [item.event for item in taker.arrived]
    assert {event.name for event in events} == {"gen_ai.evaluation.result"}
    ids = _trace_ids(folder)
    for item in taker.arrived:
        said = item.event.attributes
        assert item.trace_id == ids[said["probare.case"]]
        assert said["gen_ai.response.id"] == f"resp-{said['probare.case']}"
    last = events[3].attributes
    assert last["gen_ai.evaluation.name"] == "is Ada"
    assert last["gen_ai.evaluation.score.label"] == "fail"
    assert last["gen_ai.evaluation.score.value"] == 0.0
    assert last["gen_ai.evaluation.explanation"]
    assert (last["probare.case"], last["probare.trial"]) == ("Bob", 0)


def test_verdicts_of_trials_without_a_trace_are_sent_too(
    run_folder: Any, backend: tuple[Backend, str]
) -> None:
    taker, url = backend
    done = export_run(run_folder(), Exporting(endpoint=url))
    assert (done.sent, done.problem) == (6, "")
    assert {item.trace_id for item in taker.arrived} == {""}


def test_a_backend_without_logs_gets_spans(run_folder: Any, backend: tuple[Backend, str]) -> None:
    folder = run_folder(capture="otel")
    taker, url = backend
    taker.refusing = {"logs": 404}
    done = export_run(folder, Exporting(endpoint=url))
    assert (done.sent, done.problem) == (6, "")
    assert taker.paths == ["/v1/logs", "/v1/traces"]
    assert [len(item.span.events) for item in taker.arrived] == [2, 2, 2]
    assert [item.trace_id for item in taker.arrived] == list(_trace_ids(folder).values())
    assert all(item.span.parent_id for item in taker.arrived)


def test_our_own_receiver_takes_it(run_folder: Any) -> None:
    receiver = Receiver()
    try:
        done = export_run(run_folder(), Exporting(endpoint=receiver.url))
    finally:
        receiver.close()
    assert (done.sent, done.problem) == (6, "")


@pytest.mark.parametrize(("status", "asked"), [(401, 1), (503, 3)])
def test_a_failure_is_told_and_hides_what_is_secret(
    run_folder: Any,
    backend: tuple[Backend, str],
    monkeypatch: pytest.MonkeyPatch,
    status: int,
    asked: int,
) -> None:
    monkeypatch.setattr(module, "_WAIT_SECONDS", 0.0)
    taker, url = backend
    taker.refusing = {"logs": status}
    where = Exporting(
        endpoint=url.replace("//", "//user:passw0rd@") + "/base?key=abcdef",
        headers={"authorization": SECRET},
    )
    done = export_run(run_folder(), where)
    assert done.sent == 0
    assert str(status) in done.problem
    assert len(taker.paths) == asked
    assert not any(word in done.problem for word in ("passw0rd", "abcdef", SECRET))


def test_nobody_there(run_folder: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_WAIT_SECONDS", 0.0)
    receiver = Receiver()
    receiver.close()
    done = export_run(run_folder(), Exporting(endpoint=receiver.url))
    assert done.sent == 0
    assert f"127.0.0.1:{receiver.port}" in done.problem


def test_headers_of_the_environment_are_sent(run_folder: Any, backend: tuple[Backend, str]) -> None:
    taker, url = backend
    environ = {
        "OTEL_EXPORTER_OTLP_ENDPOINT": url + "/",
        "OTEL_EXPORTER_OTLP_HEADERS": "authorization=Bearer%20abc, x-team = t",
        "OTEL_EXPORTER_OTLP_PROTOCOL": "http/json",
    }
    where = exporting("otlp", environ)
    assert not where.protobuf
    export_run(run_folder(), where)
    assert taker.headers[0]["authorization"] == "Bearer abc"
    assert taker.headers[0]["x-team"] == "t"


def test_where_to() -> None:
    assert exporting("otlp", {}).endpoint == "http://127.0.0.1:4318"
    assert exporting("otlp=https://h.example:1/x/", {}).endpoint == "https://h.example:1/x"
    named = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://env.example"}
    assert exporting("otlp", named).endpoint == "http://env.example"


@pytest.mark.parametrize(
    "asked", ["otpl", "csv", "otlp=ftp://x", "otlp=nowhere", "otlp=http://x:0"]
)
def test_what_cannot_be_exported_to(asked: str) -> None:
    with pytest.raises(InputError):
        exporting(asked, {})


def test_headers_that_cannot_be() -> None:
    with pytest.raises(InputError, match="HEADERS"):
        exporting("otlp", {"OTEL_EXPORTER_OTLP_HEADERS": "a=b%0d%0ac"})
