"""What every request passes before a page is asked: the host, the size, where it comes from; and
the headers that every answer gets.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import TYPE_CHECKING, Any

from probare.web.site import Doors

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
_HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
_SAFE = ("GET", "HEAD")
_STATIC = "/static/"


class Door:
    """ASGI middleware; pure, so that a body is counted as it comes."""

    def __init__(self, app: ASGIApp, doors: Doors) -> None:
        self._app = app
        self._doors = doors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or hand it on."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        outgoing = self._with_headers(scope, send)
        refused = self._refused(scope)
        if refused is not None:
            await _answer(outgoing, *refused)
            return
        await self._app(scope, receive, outgoing)

    def _refused(self, scope: Scope) -> tuple[int, str] | None:
        headers = _read(scope)
        host = headers.get("host", "").lower()
        if self._doors.hosts and host not in self._doors.hosts:
            return 421, f"This site is not asked as '{host[:100]}'."
        if scope["method"] in _SAFE:
            return None
        if scope["method"] != "POST":
            return 405, "Only GET and POST are answered."
        if not _from_here(headers, host, https=self._doors.https):
            return 403, "This request comes from another site, and is refused."
        length = headers.get("content-length")
        if length is not None and (
            not length.isdecimal() or int(length) > self._doors.largest_body
        ):
            return 413, f"At most {self._doors.largest_body:,} bytes are taken."
        return None

    def _with_headers(self, scope: Scope, send: Send) -> Send:
        added = dict(_HEADERS)
        if not scope["path"].startswith(_STATIC):
            added["cache-control"] = "no-store"
        if self._doors.https:
            added["strict-transport-security"] = "max-age=31536000"

        async def outgoing(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                kept = [(k, v) for k, v in message.get("headers", []) if k.decode() not in added]
                kept += [(name.encode(), value.encode()) for name, value in added.items()]
                message = {**message, "headers": kept}
            await send(message)

        return outgoing


def _read(scope: Scope) -> dict[str, str]:
    pairs: list[tuple[bytes, bytes]] = scope["headers"]
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in pairs}


def _from_here(headers: dict[str, str], host: str, *, https: bool) -> bool:
    """Whether a browser says that a request comes from this site's own pages, or no browser asks
    (then the form's token decides).
    """
    site = headers.get("sec-fetch-site")
    if site is not None and site != "same-origin":
        return False
    origin = headers.get("origin")
    if origin is None:
        return True
    schemes = ("https",) if https else ("http", "https")
    return any(origin.lower() == f"{scheme}://{host}" for scheme in schemes)


async def _answer(send: Send, status: int, words: str) -> None:
    body = f"{words}\n".encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
