"""A loopback receiver of OTLP over HTTP, for agents that run elsewhere on this machine.

It listens on 127.0.0.1 alone, takes `POST …/v1/traces` and `…/v1/logs` (protobuf or JSON, gzip
too) while the run lasts, and answers `…/v1/metrics` without keeping any. What precedes `/v1/` is a
trial's own path, or nothing.

Not checked: who sends. A trial's trace id and path are random, so that who was not given them
cannot add to a trial.
"""

from __future__ import annotations

import threading
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from probare.errors import InputError
from probare.targets.otel.otlp import decode_request, encode_response, require_protobuf
from probare.targets.otel.traces import Traces
from probare.targets.streams import Inflater

MOST_SENT = 16_000_000
MOST_INFLATED = 64_000_000
_PATIENCE = 10.0
_PROTOBUF, _JSON = "application/x-protobuf", "application/json"


class _Refused(Exception):  # noqa: N818 - an answer, no error of ours
    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status
        self.why = why


class Receiver:
    """A running receiver. `port` 0 means any free one."""

    def __init__(self, port: int = 0) -> None:
        """Listen. Raises InputError where the port is taken, MissingExtra without protobuf."""
        require_protobuf()
        self.traces = Traces()
        receiver = self

        class Handler(_Handler):
            traces = receiver.traces

        try:
            self._server = _Server(("127.0.0.1", port), Handler)
        except (OSError, OverflowError) as error:
            raise InputError(
                f"the receiver of spans cannot listen on port {port}: {error}",
                hint="is a collector running there? give another port under `otlp`, to the agent "
                "too",
            ) from None
        self.port = int(self._server.server_address[1])
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.05,), name="probare-otlp", daemon=True
        )
        self._thread.start()

    @property
    def url(self) -> str:
        """The endpoint: what `OTEL_EXPORTER_OTLP_ENDPOINT` is to be."""
        return f"http://127.0.0.1:{self.port}"

    def close(self) -> None:
        """Stop, with every connection that is still there."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(_PATIENCE)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128
    allow_reuse_address = False

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of senders that went away."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "probare"
    sys_version = ""
    timeout = _PATIENCE
    traces: Traces

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Print nothing."""

    def do_POST(self) -> None:
        """Take spans, or refuse them."""
        try:
            status, body, kind = self._taken()
        except _Refused as refused:
            self.close_connection = True
            status, body, kind = refused.status, refused.why.encode(), "text/plain"
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def _taken(self) -> tuple[int, bytes, str]:
        prefix, found, signal = self.path.partition("?")[0].rpartition("/v1/")
        path = prefix.strip("/")
        if not found or signal not in ("traces", "logs", "metrics"):
            raise _Refused(404, "there are /v1/traces, /v1/logs and /v1/metrics")
        if path and not self.traces.knows_path(path):
            raise _Refused(404, "the trial of this path is over, or there never was one")
        kind = (self.headers.get("Content-Type") or "").partition(";")[0].strip().lower()
        if kind not in (_PROTOBUF, _JSON):
            raise _Refused(415, f"send {_PROTOBUF} or {_JSON}")
        sent = self._body()
        as_json, logs = kind == _JSON, signal == "logs"
        if signal == "metrics":
            return 200, b"{}" if as_json else b"", kind
        request = decode_request(sent, logs=logs, as_json=as_json)
        if request is None:
            raise _Refused(400, "the body is no such request")
        self.traces.add(request.arrived, path, len(sent))
        return 200, encode_response(logs=logs, as_json=as_json, rejected=request.rejected), kind

    def _body(self) -> bytes:
        coding = (self.headers.get("Content-Encoding") or "identity").strip().lower()
        if coding not in ("identity", "gzip", "deflate"):
            raise _Refused(415, "send gzip, or nothing compressed")
        chunked = (self.headers.get("Transfer-Encoding") or "").lower() == "chunked"
        sent = self._chunks() if chunked else self._measured()
        return sent if coding == "identity" else _inflated(sent)

    def _measured(self) -> bytes:
        length = self.headers.get("Content-Length") or ""
        if not (length.isascii() and length.isdigit()):
            raise _Refused(411, "send a Content-Length")
        if int(length) > MOST_SENT:
            raise _Refused(413, f"at most {MOST_SENT:,} bytes")
        return self._exactly(int(length))

    def _chunks(self) -> bytes:
        """Read a body in chunks (RFC 9112, section 7.1); trailers are read and dropped."""
        whole = bytearray()
        while True:
            size_line = self.rfile.readline(64).partition(b";")[0].strip()
            try:
                size = int(size_line, 16)
            except ValueError:
                raise _Refused(400, "a chunk has no size") from None
            if size < 0 or len(whole) + size > MOST_SENT:
                raise _Refused(413, f"at most {MOST_SENT:,} bytes")
            if size == 0:
                while self.rfile.readline(1024).strip():
                    pass
                return bytes(whole)
            whole += self._exactly(size)
            self.rfile.readline(8)

    def _exactly(self, length: int) -> bytes:
        data = self.rfile.read(length)
        if len(data) != length:
            raise _Refused(400, "the body broke off")
        return data


def _inflated(sent: bytes) -> bytes:
    inflater = Inflater()
    whole = bytearray()
    try:
        for piece in inflater.feed(sent):
            whole += piece
            if len(whole) > MOST_INFLATED:
                raise _Refused(413, f"at most {MOST_INFLATED:,} bytes when unpacked")
    except zlib.error as error:
        raise _Refused(400, f"the compression is damaged: {error}") from None
    if not inflater.complete:
        raise _Refused(400, "the compressed data broke off")
    return bytes(whole)
