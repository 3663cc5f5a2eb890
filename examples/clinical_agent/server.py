"""The clinical agent behind HTTP on this machine: a POST, and a stream of events as they happen.

    python server.py --port 8711

The body is Probare's own (`input`, `workspace`, ...). The reply is a stream of server-sent
events: `{"event": …}` for each, `{"output": …}` last. What it says of itself is a claim; the
files it leaves lie in the `workspace` of the body, a folder that must exist on this machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import msgspec

from agent import ClinicalAgent
from probare.model.event import Event, Retrieval
from probare.targets.recorder import Recorder

LOOPBACK = "127.0.0.1"
_LOOK_EVERY = 0.005
_HEARTBEAT_EVERY = 0.25
_LONGEST_BODY = 1_000_000

Send = Callable[[str], None]


@contextmanager
def serving(port: int = 0, agent: ClinicalAgent | None = None) -> Generator[str]:
    """Serve on loopback until the block ends, at a free port unless one is given; yield the
    address. Trials that still run are cancelled at the end.
    """
    stopping = threading.Event()

    class Handler(_Handler):
        served = agent or ClinicalAgent()
        over = stopping

    listener = ThreadingHTTPServer((LOOPBACK, port), Handler)
    thread = threading.Thread(target=listener.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://{LOOPBACK}:{listener.server_address[1]}/"
    finally:
        stopping.set()
        listener.shutdown()
        listener.server_close()
        thread.join()


async def streamed(
    agent: ClinicalAgent, body: Mapping[str, Any], send: Send, over: threading.Event
) -> None:
    """Run one request, and send what happens while it does.

    A client that goes away (`send` raises OSError) and a server that stops cancel the run.
    """
    workspace = None if body.get("workspace") is None else Path(body["workspace"])
    recorder = Recorder(workspace=workspace)
    running = asyncio.ensure_future(agent.run(body["input"], recorder, workspace))
    sent, quiet = 0, 0.0
    try:
        while not running.done() and not over.is_set():
            await asyncio.wait([running], timeout=_LOOK_EVERY)
            before = sent
            sent = _send_finished(recorder.events, sent, send)
            quiet = 0.0 if sent > before else quiet + _LOOK_EVERY
            if quiet >= _HEARTBEAT_EVERY:
                send(": still at it\n\n")
                quiet = 0.0
    finally:
        cut = running.cancel()
        with suppress(BaseException):
            await running
    if cut:
        return
    for event in recorder.events[sent:]:
        _send_event(event, send)
    error = running.exception()
    if error is not None:
        send(f"event: error\n{_data({'error': f'{type(error).__name__}: {error}'})}")
    else:
        send(_data({"output": running.result()}))


def _send_finished(events: tuple[Event, ...], sent: int, send: Send) -> int:
    """Send the events that will not change any more; return how many have been sent in all.

    A retrieval is recorded with its question, and completed with what was found.
    """
    for event in events[sent:]:
        if isinstance(event, Retrieval) and event.documents is None and event.error is None:
            break
        _send_event(event, send)
        sent += 1
    return sent


def _send_event(event: Event, send: Send) -> None:
    send(_data({"event": msgspec.to_builtins(event)}))


def _data(value: Any) -> str:
    return f"data: {json.dumps(value)}\n\n"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.0"
    served: ClinicalAgent
    over: threading.Event

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Print nothing: a request may hold identifiers."""

    def do_POST(self) -> None:
        """Answer with the stream, or with 400 where the body is no request."""
        body = self._body()
        if isinstance(body, str):
            self.send_error(400, body)
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        with suppress(OSError):
            asyncio.run(streamed(self.served, body, self._send, self.over))

    def _body(self) -> Mapping[str, Any] | str:
        """Return the body, or what is wrong with it."""
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > _LONGEST_BODY:
            return "the body has no length, or too much of it"
        try:
            body = json.loads(self.rfile.read(int(length)))
        except ValueError:
            return "the body is not JSON"
        if not isinstance(body, dict) or not isinstance(body.get("input"), dict):
            return "the body has no input"
        workspace = body.get("workspace")
        if workspace is not None and not (isinstance(workspace, str) and Path(workspace).is_dir()):
            return "the workspace is no folder of this machine"
        return body

    def _send(self, text: str) -> None:
        self.wfile.write(text.encode())
        self.wfile.flush()


def main() -> None:
    """Serve until the process is interrupted."""
    parser = argparse.ArgumentParser(description="The clinical agent over HTTP, on this machine.")
    parser.add_argument("--port", type=int, default=8711)
    with serving(parser.parse_args().port) as url, suppress(KeyboardInterrupt):
        print(f"the clinical agent listens at {url}")
        threading.Event().wait()


if __name__ == "__main__":
    main()
