"""Spans of commands and of servers, received while they run."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false

from __future__ import annotations

import asyncio
import contextlib
import json
import textwrap
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from probare.errors import InputError, TargetError
from probare.model.case import Case
from probare.model.event import Note, ToolCall
from probare.model.suite import TargetSpec
from probare.targets.command import COMMAND, CommandSettings
from probare.targets.http import HTTP, HttpSettings
from probare.targets.otel.receiver import Receiver
from probare.targets.otel.settings import OtlpSettings
from probare.testing.servers import Received, Reply, serving

pytest.importorskip("opentelemetry.proto.collector.trace.v1.trace_service_pb2")

# a program that sends one span by hand, and says what it found in its environment
PROGRAM = """
    import json, os, sys, time, urllib.request
    asked = json.loads(sys.stdin.readline())
    now = time.time_ns()
    def attribute(key, value):
        return {"key": key, "value": {"stringValue": value}}
    span = {
        "traceId": MAKE_TRACE, "spanId": "1" * 16, "name": "execute_tool look",
        "startTimeUnixNano": str(now), "endTimeUnixNano": str(now),
        "attributes": [
            attribute("gen_ai.operation.name", "execute_tool"),
            attribute("gen_ai.tool.name", asked["case"]),
            attribute("gen_ai.tool.call.arguments", "{}"),
        ],
    }
    body = {"resourceSpans": [{"scopeSpans": [{"scope": {"name": "s"}, "spans": [span]}]}]}
    request = urllib.request.Request(
        os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"] + "/v1/traces",
        json.dumps(body).encode(), {"Content-Type": "application/json"})
    urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request).read()
    names = ("TRACEPARENT", "BAGGAGE", "OTEL_RESOURCE_ATTRIBUTES", "OTEL_EXPORTER_OTLP_PROTOCOL",
             "OTEL_BSP_SCHEDULE_DELAY")
    print(json.dumps({"output": {name: os.environ.get(name) for name in names}}))
    sys.exit(EXIT)
"""


@pytest.fixture
def command(services: Any, tried: Any, call: Any, tmp_path: Path) -> Any:
    """Run the program once for each case, all at once, with spans received."""

    def run(*cases: str, trace: str = '"f" * 32', code: int = 0, **fields: Any) -> Any:
        source = textwrap.dedent(PROGRAM).replace("MAKE_TRACE", trace).replace("EXIT", str(code))
        (tmp_path / "agent.py").write_text(source)
        settings = CommandSettings(command="python3 agent.py", **fields)

        async def main() -> Any:
            target = COMMAND.build(TargetSpec(name="t", kind="command"), settings)
            await target.open(services())
            try:
                made = (tried(target, call(Case(id=case, input=1))) for case in cases)
                return await asyncio.gather(*made)
            finally:
                await target.close()

        return asyncio.run(main())

    return run


def test_a_command_sends_its_spans_on_a_path_of_its_own(command: Any) -> None:
    for name, got in zip(("one", "two"), command("one", "two", capture="otel"), strict=True):
        assert got.error is None
        assert [call.name for call in got.only(ToolCall)] == [name]
        assert got.only(ToolCall)[0].source == "claimed"


def test_what_a_command_finds_in_its_environment(command: Any) -> None:
    env: dict[str, str | int | float] = {"OTEL_RESOURCE_ATTRIBUTES": "service.name=mine"}
    (got,) = command("one", otlp=OtlpSettings(), env=env)
    found = got.outcome.output
    link = got.only(Note)[-1].data
    assert found["TRACEPARENT"] == f"00-{link['trace_id']}-{link['span_id']}-01"
    assert f"probare.trace={link['trace_id']}" in found["BAGGAGE"]
    assert found["OTEL_RESOURCE_ATTRIBUTES"].startswith("service.name=mine,probare.case=one,")
    assert found["OTEL_EXPORTER_OTLP_PROTOCOL"] == "http/protobuf"
    assert found["OTEL_BSP_SCHEDULE_DELAY"] == "200"


def test_spans_of_a_command_that_failed_are_kept(command: Any) -> None:
    (got,) = command("one", capture="otel", code=3)
    assert isinstance(got.error, TargetError)
    assert [call.name for call in got.only(ToolCall)] == ["one"]


def test_a_command_without_spans_says_that_nothing_was_to_be_seen(
    services: Any, tried: Any, call: Any
) -> None:
    async def main() -> Any:
        settings = CommandSettings(command=["echo", '{"output": 1}'], capture="otel")
        target = COMMAND.build(TargetSpec(name="t", kind="command"), settings)
        await target.open(services())
        try:
            return await tried(target, call())
        finally:
            await target.close()

    got = asyncio.run(main())
    assert got.error is None
    assert got.only(Note)[0].data["channels"] == ["tools", "retrievals", "messages"]


# servers


def _span(received: Received, port: int, *, delay: float = 0.0, **changes: Any) -> None:
    """Send the entry span of a request, as a server's exporter does: with, or after, its answer."""
    _, trace_id, parent, _ = received.headers["traceparent"].split("-")
    tool = {"key": "gen_ai.operation.name", "value": {"stringValue": "execute_tool"}}
    span: dict[str, Any] = {
        "traceId": trace_id,
        "spanId": "2" * 16,
        "parentSpanId": parent,
        "name": "execute_tool look",
        "startTimeUnixNano": "1",
        "endTimeUnixNano": "2",
        "attributes": [tool],
    }
    body = {"resourceSpans": [{"scopeSpans": [{"spans": [span | changes]}]}]}

    def send() -> None:
        url = f"http://127.0.0.1:{port}/v1/traces"
        headers = {"Content-Type": "application/json"}
        with contextlib.suppress(httpx.HTTPError):  # the receiver may be gone by then
            httpx.post(url, content=json.dumps(body), headers=headers)

    if delay:
        threading.Timer(delay, send).start()
    else:
        send()


@pytest.fixture
def asked(services: Any, tried: Any, call: Any) -> Any:
    """Ask a server once: `asked(lambda received, port: …, grace="2s")`."""

    def ask(answering: Callable[[Received, int], None], **fields: Any) -> Any:
        port = _free_port()

        def answer(received: Received) -> Reply:
            answering(received, port)
            return Reply.of({"output": "hi"})

        async def main() -> Any:
            with serving(answer) as server:
                otlp = OtlpSettings(port=port, **fields)
                settings = HttpSettings(http=server.url, otlp=otlp)
                target = HTTP.build(TargetSpec(name="t", kind="http"), settings)
                await target.open(services())
                try:
                    return await tried(target, call())
                finally:
                    await target.close()

        return asyncio.run(main())

    return ask


def _free_port() -> int:
    receiver = Receiver()
    receiver.close()
    return receiver.port


@pytest.mark.parametrize("delay", [0.0, 0.3])
def test_a_servers_spans_come_with_its_answer_or_after_it(asked: Any, delay: float) -> None:
    got = asked(lambda received, port: _span(received, port, delay=delay), grace="5s")
    assert got.error is None
    assert [call.name for call in got.only(ToolCall)] == ["look"]
    assert got.only(ToolCall)[0].at_ms is None  # the server's clock is not ours


def test_spans_beyond_the_grace_are_left(asked: Any) -> None:
    got = asked(lambda received, port: _span(received, port, delay=0.5), grace="50ms")
    assert got.only(ToolCall) == []


def test_a_server_that_drops_the_trace_has_spans_of_nobody(asked: Any) -> None:
    other = "e" * 32
    got = asked(lambda received, port: _span(received, port, traceId=other), grace="100ms")
    assert got.only(ToolCall) == []
    kinds = [note.data["kind"] for note in got.only(Note) if note.data]
    assert "incomplete" in kinds


def test_a_mark_in_the_spans_attributes_is_enough(asked: Any) -> None:
    def answering(received: Received, port: int) -> None:
        pairs = dict(pair.split("=") for pair in received.headers["baggage"].split(","))
        mark = {"key": "probare.trace", "value": {"stringValue": pairs["probare.trace"]}}
        tool = {"key": "gen_ai.operation.name", "value": {"stringValue": "execute_tool"}}
        _span(received, port, traceId="e" * 32, parentSpanId="", attributes=[mark, tool])

    got = asked(answering, grace="5s")
    assert [call.name for call in got.only(ToolCall)] == ["look"]


def test_without_capture_no_trace_is_sent(services: Any, tried: Any, call: Any) -> None:
    async def main() -> Any:
        with serving(Reply.of({"output": "hi"})) as server:
            settings = HttpSettings(http=server.url)
            target = HTTP.build(TargetSpec(name="t", kind="http"), settings)
            await target.open(services())
            await tried(target, call())
            await target.close()
            return server.requests[0].headers

    assert not {"traceparent", "baggage"} & {name.lower() for name in asyncio.run(main())}


def test_a_taken_port_stops_the_run_before_it_begins(services: Any) -> None:
    receiver = Receiver()
    settings = HttpSettings(http="http://127.0.0.1:1/", otlp=OtlpSettings(port=receiver.port))
    target = HTTP.build(TargetSpec(name="t", kind="http"), settings)

    async def main() -> None:
        try:
            await target.open(services())
        finally:
            await target.close()

    try:
        with pytest.raises(InputError, match="cannot listen"):
            asyncio.run(main())
    finally:
        receiver.close()
