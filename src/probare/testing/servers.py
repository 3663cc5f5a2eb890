"""A loopback server for tests that answers as it is told: rightly, wrongly, slowly, never.

    with serving(Reply(503, headers={"Retry-After": "0"}), Reply.of({"output": "hi"})) as server:
        ...  # ask server.url: the first request gets 503, every later one the answer

It listens on 127.0.0.1 at a free port, and stops by itself at the end of the block, with every
connection it still holds.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar, Literal

import msgspec

_LONGEST_WAIT = 30.0


class Received(msgspec.Struct, frozen=True):
    """A request as it came."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def value(self) -> Any:
        """The body's JSON value."""
        return json.loads(self.body)


class Reply(msgspec.Struct, frozen=True):
    """What to answer, and how badly.

    `chunks` are sent one by one, in HTTP chunks. `ends` says how the reply ends: `properly`;
    `cut`, with the connection closed before its end is marked; `reset`, with the connection
    torn down; `unmarked`, with a close that is the only end there is (as in HTTP/1.0); `never`,
    with silence until the server stops. `silent` never answers at all, not even with a status.
    `delay` is the wait before each chunk, in seconds.
    """

    status: int = 200
    chunks: Sequence[bytes] = ()
    headers: dict[str, str] = {}
    ends: Literal["properly", "cut", "reset", "unmarked", "never"] = "properly"
    silent: bool = False
    delay: float = 0.0

    @classmethod
    def of(cls, value: Any, **more: Any) -> Reply:
        """Return a reply with a JSON document."""
        return cls.text(json.dumps(value), "application/json", **more)

    @classmethod
    def text(cls, text: str | bytes, content_type: str = "text/plain", **more: Any) -> Reply:
        """Return a reply with a text of some content type."""
        data = text.encode() if isinstance(text, str) else text
        return cls._made([data] if data else [], content_type, more)

    @classmethod
    def sse(cls, *data: Any, **more: Any) -> Reply:
        """Return a stream of server-sent events; texts stand as they are, other data as JSON."""
        texts = [item if isinstance(item, str) else json.dumps(item) for item in data]
        chunks = [f"data: {text}\n\n".encode() for text in texts]
        return cls._made(chunks, "text/event-stream", more)

    @classmethod
    def jsonl(cls, *values: Any, **more: Any) -> Reply:
        """Return a stream of JSON lines."""
        lines = [json.dumps(value).encode() + b"\n" for value in values]
        return cls._made(lines, "application/x-ndjson", more)

    @classmethod
    def _made(cls, chunks: Sequence[bytes], content_type: str, more: dict[str, Any]) -> Reply:
        headers = {"Content-Type": content_type, **more.pop("headers", {})}
        return cls(chunks=chunks, headers=headers, **more)


Answering = Reply | Callable[[Received], Reply]


class Server:
    """A running server: its address, and what it was asked, in order."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.requests: list[Received] = []


@contextmanager
def serving(*answers: Answering) -> Generator[Server]:
    """Serve the answers in order, the last one again and again, until the block ends.

    A function among them is called with the request and returns the reply.
    """
    if not answers:
        raise ValueError("a server needs at least one answer")
    lock = threading.Lock()
    stopping = threading.Event()
    script = list(answers)

    class Handler(_Handler):
        def answer(self, request: Received) -> Reply:
            with lock:
                server.requests.append(request)
                chosen = script.pop(0) if len(script) > 1 else script[0]
            return chosen if isinstance(chosen, Reply) else chosen(request)

        def wait(self, seconds: float) -> None:
            stopping.wait(seconds)

    listener = _Listener(("127.0.0.1", 0), Handler)
    server = Server(f"http://127.0.0.1:{listener.server_address[1]}/")
    thread = threading.Thread(target=listener.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        stopping.set()
        listener.shutdown()
        listener.server_close()
        thread.join()


class _Listener(ThreadingHTTPServer):
    daemon_threads = False
    request_queue_size = 256

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of clients that went away: tests make them do so."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout: ClassVar[float | None] = _LONGEST_WAIT

    def answer(self, request: Received) -> Reply:
        raise NotImplementedError

    def wait(self, seconds: float) -> None:
        raise NotImplementedError

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Print nothing."""

    def do_GET(self) -> None:
        self._take()

    def do_POST(self) -> None:
        self._take()

    def do_PUT(self) -> None:
        self._take()

    def do_PATCH(self) -> None:
        self._take()

    def _take(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        reply = self.answer(Received(self.command, self.path, dict(self.headers.items()), body))
        self.close_connection = True
        with suppress(OSError):
            self._send(reply)

    def _send(self, reply: Reply) -> None:
        if reply.silent:
            self.wait(_LONGEST_WAIT)
            return
        chunked = reply.ends != "unmarked" and reply.status not in (204, 304)
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        if chunked:
            self.send_header("Transfer-Encoding", "chunked")
        self.send_header("Connection", "close")
        self.end_headers()
        for chunk in reply.chunks:
            if reply.delay:
                self.wait(reply.delay)
            self.wfile.write(b"%x\r\n%b\r\n" % (len(chunk), chunk) if chunked else chunk)
        if reply.ends == "never":
            self.wait(_LONGEST_WAIT)
        elif reply.ends == "reset":
            self.wait(0.05)
            linger = struct.pack("ii", 1, 0)
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            self.connection.close()
        elif reply.ends == "properly" and chunked:
            self.wfile.write(b"0\r\n\r\n")
