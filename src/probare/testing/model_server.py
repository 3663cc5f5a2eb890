"""A loopback server that speaks OpenAI's chat completions, and misbehaves as it is told.

    with model_server(Fail(429, retry_after=1), "Hello!") as server:
        ...  # with server.environment set, ask `openai:any-name`: 429 first, then "Hello!"

The answers are given in order, the last one again and again; a function among them is called with
what was asked and returns the answer. It listens on 127.0.0.1, and stops by itself at the end of
the block. Streams and whole replies alike come from the same answers.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from email.utils import formatdate
from typing import Any, Literal, TypeAlias

import msgspec

from probare.encoding.narrow import mapping
from probare.testing.completions import Say, completion, stream_chunks
from probare.testing.servers import Received, Reply, serving


class Fail(msgspec.Struct, frozen=True):
    """An error answer. `retry_after` is in seconds from now, sent as a number or, `as_date`, as
    an HTTP date (RFC 9110, section 10.2.3).
    """

    status: int
    message: str = "not now"
    retry_after: float | None = None
    as_date: bool = False
    code: str | None = None
    delay: float = 0.0
    headers: dict[str, str] = {}


class Raw(msgspec.Struct, frozen=True):
    """A body that stands as it is: half a document, HTML, no JSON."""

    body: str
    content_type: str = "application/json"
    status: int = 200


class Rate(msgspec.Struct, frozen=True):
    """How fast the server may be asked: a token bucket that starts full.

    Beyond it 429 is answered, with the time until the next token as Retry-After: in whole
    `seconds` (rounded up), as a `date`, `exact` (a fraction), or `none` at all.
    """

    per_second: float
    burst: int = 1
    header: Literal["seconds", "date", "exact", "none"] = "seconds"


class Asked(msgspec.Struct, frozen=True):
    """A request as it came, and `at`, when it came in seconds of the monotonic clock."""

    received: Received
    number: int
    at: float

    @property
    def body(self) -> dict[str, Any]:
        """The request's JSON."""
        return self.received.value

    @property
    def headers(self) -> dict[str, str]:
        """Its headers, by their names in lower case."""
        return {name.lower(): value for name, value in self.received.headers.items()}

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The messages."""
        return self.body["messages"]

    @property
    def last(self) -> str:
        """The text of the last message."""
        return str(self.messages[-1].get("content") or "")

    @property
    def schema(self) -> dict[str, Any] | None:
        """The JSON Schema that the reply should keep to."""
        wanted = mapping(self.body.get("response_format"))
        return mapping(wanted.get("json_schema") or wanted).get("schema")


__all__ = ["Answer", "Asked", "Fail", "ModelServer", "Rate", "Raw", "Say", "model_server"]

Answer: TypeAlias = "str | Say | Fail | Raw"
Answering: TypeAlias = "Answer | Callable[[Asked], Answer]"


class ModelServer:
    """A running server: its address, what it was asked, and how often it answered 429."""

    def __init__(self) -> None:
        self.url = ""
        self.requests: list[Asked] = []
        self.limited = 0

    @property
    def environment(self) -> dict[str, str]:
        """The variables with which `openai:NAME` is this server."""
        return {"OPENAI_BASE_URL": self.url, "OPENAI_API_KEY": "not-a-real-key"}


@contextmanager
def model_server(
    *answers: Answering, rate: Rate | None = None, every: tuple[int, Fail] | None = None
) -> Generator[ModelServer]:
    """Serve the answers until the block ends; "Hello." where there are none.

    `every` answers each n-th request with an error; `rate` limits all others.
    """
    lock = threading.Lock()
    script = list(answers or ("Hello.",))
    bucket = _Bucket(rate) if rate else None
    server = ModelServer()

    def answer(received: Received) -> Reply:
        with lock:
            asked = Asked(received, len(server.requests) + 1, time.monotonic())
            server.requests.append(asked)
            chosen = _refusal(asked)
            if chosen is None:
                chosen = script.pop(0) if len(script) > 1 else script[0]
            elif chosen.status == 429:
                server.limited += 1
        if callable(chosen):
            chosen = chosen(asked)
        return _reply(chosen, asked)

    def _refusal(asked: Asked) -> Fail | None:
        if every is not None and asked.number % every[0] == 0:
            return every[1]
        return bucket.take() if bucket else None

    with serving(answer) as running:
        server.url = f"{running.url}v1"
        yield server


class _Bucket:
    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._tokens = float(rate.burst)
        self._filled = time.monotonic()

    def take(self) -> Fail | None:
        """Take a token, or say when there is one."""
        now = time.monotonic()
        grown = self._tokens + (now - self._filled) * self._rate.per_second
        self._tokens, self._filled = min(float(self._rate.burst), grown), now
        if self._tokens >= 1.0:
            self._tokens -= 1.0
            return None
        wait = (1.0 - self._tokens) / self._rate.per_second
        header = self._rate.header
        return Fail(
            429,
            "rate limit reached",
            retry_after={"none": None, "exact": wait}.get(header, float(math.ceil(wait))),
            as_date=header == "date",
            code="rate_limit_exceeded",
        )


def _reply(answer: Answer, asked: Asked) -> Reply:
    if isinstance(answer, str):
        answer = Say(answer)
    if isinstance(answer, Raw):
        return Reply.text(answer.body, answer.content_type, status=answer.status)
    if isinstance(answer, Fail):
        return _failure(answer)
    if asked.body.get("stream"):
        chunks = stream_chunks(answer, asked.body)
        return Reply.sse(*chunks, ends=answer.ends, delay=answer.delay)
    return Reply.of(completion(answer, asked.body), ends=answer.ends, delay=answer.delay)


def _failure(answer: Fail) -> Reply:
    headers = dict(answer.headers)
    if answer.retry_after is not None:
        headers["Retry-After"] = (
            formatdate(time.time() + answer.retry_after, usegmt=True)
            if answer.as_date
            else f"{answer.retry_after:.6f}".rstrip("0").rstrip(".")
        )
    error = {"message": answer.message, "type": "error", "code": answer.code}
    return Reply.of({"error": error}, status=answer.status, headers=headers, delay=answer.delay)
