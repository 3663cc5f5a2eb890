"""One question over HTTP and its reply: redirects, statuses, broken connections, the cap.

Content codings are not asked for; `gzip` and `deflate` are undone all the same, in steps, so
that the cap holds for what they decompress to.
"""

from __future__ import annotations

import asyncio
import ssl
import zlib
from collections.abc import AsyncGenerator, Iterable
from contextlib import aclosing
from typing import TYPE_CHECKING, Literal, cast

from probare.errors import InfraError, TargetError
from probare.targets.answer import Answer, Cap
from probare.targets.reply import EventStream, Layout, LineStream, take_document
from probare.targets.retry_after import seconds_to_wait
from probare.targets.streams import Inflater

if TYPE_CHECKING:
    import httpx

_REDIRECTS = 5
_KEEPS_METHOD = (307, 308)
_RETRYABLE = (408, 425, 429)
_SHOWN_BYTES = 300
_PATIENCE = 2.0
_STREAMS = {
    "text/event-stream": "sse",
    "application/x-ndjson": "jsonl",
    "application/ndjson": "jsonl",
    "application/jsonl": "jsonl",
    "application/x-jsonlines": "jsonl",
    "application/json-lines": "jsonl",
}
_HINTS = {
    400: "does the target's `body` fit what the service expects?",
    401: "are the credentials in the target's `headers` right?",
    403: "are the credentials in the target's `headers` right?",
    404: "is the target's address right?",
    405: "is the target's `method` right?",
    413: "is the input too long for this service?",
    422: "does the target's `body` fit what the service expects?",
}


class Exchange:
    """Asks once and takes the reply into the answer."""

    def __init__(
        self,
        client: httpx.AsyncClient,
        answer: Answer,
        *,
        layout: Layout,
        stream: Literal["auto", "sse", "jsonl", "none"],
        limit: int,
    ) -> None:
        self._client = client
        self._answer = answer
        self._layout = layout
        self._stream = stream
        self._cap = Cap(limit)

    async def ask(self, request: httpx.Request) -> None:
        """Send the request and take the reply. Raises InfraError, TargetError, LimitReached."""
        response = await self._follow(request)
        try:
            if not response.is_success:
                raise await _refused(response)
            await self._take(response)
        finally:
            await response.aclose()

    async def _follow(self, request: httpx.Request) -> httpx.Response:
        for _ in range(_REDIRECTS):
            response = await self._send(request)
            if response.status_code not in _KEEPS_METHOD:
                return response
            target = _same_origin(response)
            if target is None:
                return response
            await response.aclose()
            request = self._client.build_request(
                request.method, target, headers=request.headers, content=request.content
            )
        raise InfraError(
            f"{_place(request)} redirects in a circle",
            hint="write the final address",
            retryable=False,
        )

    async def _send(self, request: httpx.Request) -> httpx.Response:
        import httpx

        try:
            return await self._client.send(request, stream=True, follow_redirects=False)
        except httpx.TransportError as error:
            raise _unreachable(request, error) from error

    async def _take(self, response: httpx.Response) -> None:
        content_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        kind = self._stream
        if kind == "auto":
            kind = _STREAMS.get(content_type, "none")
        if kind == "none":
            await self._take_document(response, content_type)
            return
        sink = (EventStream if kind == "sse" else LineStream)(self._layout, self._answer)
        try:
            await self._take_stream(response, sink)
        except (Exception, asyncio.CancelledError):
            self._answer.keep_cut()
            raise

    async def _take_document(self, response: httpx.Response, content_type: str) -> None:
        body = bytearray()
        try:
            async with aclosing(_decoded(response)) as pieces:
                async for piece in pieces:
                    body += self._cap.add(piece)
                    self._cap.check()
        except (Exception, asyncio.CancelledError):
            self._answer.keep_cut(body.decode(errors="backslashreplace"))
            raise
        take_document(bytes(body), content_type, self._layout, self._answer)

    async def _take_stream(self, response: httpx.Response, sink: EventStream | LineStream) -> None:
        done = False
        async with aclosing(_decoded(response)) as pieces:
            async for piece in pieces:
                done = sink.feed(self._cap.add(piece))
                if done:
                    break
                self._cap.check()
        if not done and not sink.end():
            raise InfraError("the stream broke off: it ended before its end was marked")
        if not self._answer.given:
            raise TargetError(
                "the stream ended without an output",
                hint="does the target's `piece` path fit its events?",
            )


async def _decoded(response: httpx.Response) -> AsyncGenerator[bytes, None]:
    """Yield the reply's bytes, decompressed. Raises InfraError where they break off."""
    import httpx

    coding = response.headers.get("content-encoding", "identity").strip().lower()
    if coding not in ("", "identity", "gzip", "x-gzip", "deflate"):
        raise InfraError(
            f"the reply is compressed as {coding}, which was not asked for", retryable=False
        )
    inflater = None if coding in ("", "identity") else Inflater()
    raw = cast("AsyncGenerator[bytes, None]", response.aiter_raw())
    try:
        async with aclosing(raw):
            async for chunk in raw:
                pieces: Iterable[bytes] = (chunk,) if inflater is None else inflater.feed(chunk)
                for piece in pieces:
                    yield piece
    except httpx.TransportError as error:
        raise InfraError(f"the reply broke off: {_said(error)}") from error
    except zlib.error as error:
        raise InfraError(f"the reply's compression is damaged: {error}") from error
    if inflater is not None and not inflater.complete:
        raise InfraError("the reply broke off within its compressed data")


def _same_origin(response: httpx.Response) -> httpx.URL | None:
    """Return where a redirect leads if that is the same scheme, host and port."""
    import httpx

    try:
        target = response.url.join(response.headers.get("location", ""))
    except httpx.InvalidURL:
        return None
    here = response.url
    same = (target.scheme, target.host, target.port) == (here.scheme, here.host, here.port)
    return target if same and "location" in response.headers else None


async def _refused(response: httpx.Response) -> InfraError:
    """Return the fault that a status without success means."""
    status = response.status_code
    said = await _beginning(response)
    message = f"{_place(response.request)} answered {status} {response.reason_phrase}".rstrip()
    if said:
        message += f": {said}"
    if status in _RETRYABLE or status >= 500:
        wait = seconds_to_wait(response.headers.get("retry-after"))
        return InfraError(message, retry_after=wait)
    hint = _HINTS.get(status, "")
    if 300 <= status < 400:
        hint = "redirects to other places are not followed: write the final address"
    return InfraError(message, hint=hint, retryable=False)


async def _beginning(response: httpx.Response) -> str:
    """Return the first bytes of a refusal as a line of text; empty where they do not come."""
    body = b""
    try:
        async with asyncio.timeout(_PATIENCE), aclosing(_decoded(response)) as pieces:
            async for piece in pieces:
                body += piece[:_SHOWN_BYTES]
                if len(body) >= _SHOWN_BYTES:
                    break
    except (InfraError, TimeoutError):
        pass
    return " ".join(body[:_SHOWN_BYTES].decode(errors="replace").split())


def _unreachable(request: httpx.Request, error: httpx.TransportError) -> InfraError:
    import httpx

    message = f"{_place(request)} gave no answer: {_said(error)}"
    if _is_certificate_fault(error):
        hint = "`verify` may name the file of the authority that signed its certificate"
        return InfraError(message, hint=hint, retryable=False)
    if isinstance(error, httpx.LocalProtocolError | httpx.UnsupportedProtocol):
        return InfraError(message, retryable=False)
    hint = "is it running there?" if isinstance(error, httpx.ConnectError) else ""
    return InfraError(message, hint=hint)


def _is_certificate_fault(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return True
        error = error.__cause__ or error.__context__
    return False


def _said(error: Exception) -> str:
    return str(error) or type(error).__name__


def _place(request: httpx.Request) -> str:
    port = "" if request.url.port is None else f":{request.url.port}"
    return f"{request.url.host}{port}"
