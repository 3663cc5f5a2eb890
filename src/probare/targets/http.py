"""The `http` target: an agent behind an address, asked with JSON.

Only a status of success is an answer. Anything else says nothing about the agent: 429, 5xx, 408,
425 and failed connections are infrastructure faults that may be tried again (the engine does,
with the `Retry-After` that was asked for); every other status means that the request or the
address is wrong, and is an infrastructure fault that is not tried again. Neither is ever a pass,
nor held against the agent.

A redirect is followed where it keeps the method (307, 308) and the origin. No cookie outlives its
reply, so that trials stay apart. Proxies of the environment are used, but not for loopback.
"""

from __future__ import annotations

import ipaddress
import ssl
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal
from urllib.parse import urlsplit

import msgspec
from msgspec import UNSET

from probare.encoding import jsonbytes
from probare.errors import InputError
from probare.model.suite import TargetSpec
from probare.ports.target import Services, Target, TrialCall, TrialRecorder
from probare.targets import body, paths
from probare.targets.answer import Answer
from probare.targets.exchange import Exchange
from probare.targets.otel.remote import RemoteSpans
from probare.targets.otel.settings import DEFAULT_PORT, HTTP_GRACE, Captures, OtlpSettings
from probare.targets.reply import Layout
from probare.targets.tape import Tape

if TYPE_CHECKING:
    import httpx

_CONNECT_SECONDS = 10.0
_DEFAULT_HEADERS = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream, application/x-ndjson, */*",
    "Accept-Encoding": "identity",
    "User-Agent": "probare",
}


class HttpSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of an `http` target.

    `http` is the address. `body` is a JSON template (`$input`, `$case`, `$trial`, `$seed`,
    `$config`, `$model`, `$workspace`, each with paths into it); by default it is an object of
    all of these. `output` and `events` are paths into the reply (by default its `output` and
    `events` keys), `piece` the path to the text in each part of a stream. `stream: auto` goes
    by the reply's content type. `done` is the text that must end a stream; without it, `[DONE]`
    or the proper end of the reply does. `verify` is false to accept any certificate, or names
    a file of authorities. With `capture: otel` (or `otlp`, which says more) the agent's
    OpenTelemetry spans are received on a port of this machine, and the request carries the trace
    that they are to belong to.
    """

    http: str
    method: Literal["POST", "PUT", "PATCH"] = "POST"
    headers: dict[str, str] = {}
    body: Any = UNSET
    output: str | None = None
    events: str | None = None
    stream: Literal["auto", "sse", "jsonl", "none"] = "auto"
    done: str | None = None
    piece: str | None = None
    verify: bool | str = True
    capture: Captures | None = None
    otlp: OtlpSettings | None = None


class HttpKind:
    """The `http` adapter."""

    name: ClassVar[str] = "http"
    settings: ClassVar[type[msgspec.Struct]] = HttpSettings

    def build(self, spec: TargetSpec, settings: Any) -> Target:
        """Return the target. Raises InputError where address, body or a path cannot be."""
        assert isinstance(settings, HttpSettings)
        return HttpTarget(spec, settings)


class HttpTarget:
    """Asks an agent over HTTP, with one client for the whole run."""

    def __init__(self, spec: TargetSpec, settings: HttpSettings) -> None:
        _check_address(settings.http)
        _check_headers(settings.headers)
        self._spec = spec
        self._settings = settings
        if settings.body is not UNSET:
            body.check(settings.body, spec.config)
        self._layout = Layout(
            output=paths.parse(settings.output, "output") if settings.output else None,
            events=paths.parse(settings.events, "events") if settings.events else None,
            piece=paths.parse(settings.piece, "piece") if settings.piece else None,
            done=settings.done or None,
        )
        self._services: Services | None = None
        self._client: httpx.AsyncClient | None = None
        self._headers: httpx.Headers | None = None
        self._spans: RemoteSpans | None = None

    async def open(self, services: Services) -> None:
        """Make the client. Raises InputError on headers or certificates that cannot be."""
        from http.cookiejar import CookieJar, DefaultCookiePolicy

        import httpx

        self._services = services
        settings = self._settings
        try:
            host = httpx.URL(settings.http).host
            self._headers = httpx.Headers(_DEFAULT_HEADERS)
            self._headers.update(settings.headers)
        except (httpx.InvalidURL, ValueError) as error:
            raise InputError(f"the address or a header of the target cannot be: {error}") from None
        self._client = httpx.AsyncClient(
            verify=_authorities(settings.verify, services.folder),
            timeout=httpx.Timeout(None, connect=_CONNECT_SECONDS),
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=None),
            trust_env=not _is_loopback(host),
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        )
        if settings.capture or settings.otlp:
            otlp = settings.otlp or OtlpSettings()
            self._spans = RemoteSpans(otlp.checked_port(DEFAULT_PORT), otlp.seconds(HTTP_GRACE))

    def recorder(self) -> TrialRecorder:
        """Return a recorder that observes nothing: what a remote says of itself is claimed."""
        return Tape()

    def _body(self, known: dict[str, Any]) -> Any:
        if self._settings.body is UNSET:
            return body.told(known)
        return body.fill(self._settings.body, known)

    async def run(self, call: TrialCall, recorder: TrialRecorder) -> None:
        """Ask once.

        Raises InfraError where no answer came or it broke off, TargetError where the answer
        cannot be used, LimitReached where it is too long. What came before is kept, truncated.
        """
        assert isinstance(recorder, Tape)
        if self._spans is None:
            await self._once(call, recorder, {})
            return
        async with self._spans.trial(call, recorder) as trace:
            await self._once(call, recorder, self._spans.headers(trace))

    async def _once(self, call: TrialCall, recorder: Tape, headers: dict[str, str]) -> None:
        assert self._services is not None
        assert self._client is not None
        known = body.values(call, self._spec, self._services)
        request = self._client.build_request(
            self._settings.method,
            self._settings.http,
            headers=self._headers,
            content=jsonbytes.encode(self._body(known)),
        )
        request.headers.update(headers)
        answer = Answer(recorder)
        exchange = Exchange(
            self._client,
            answer,
            layout=self._layout,
            stream=self._settings.stream,
            limit=self._services.max_output,
        )
        await exchange.ask(request)
        answer.finish()

    async def close(self) -> None:
        """Close the client and its connections, and stop receiving spans."""
        if self._spans is not None:
            self._spans.close()
        if self._client is not None:
            await self._client.aclose()


HTTP = HttpKind()


def _check_address(address: str) -> None:
    try:
        parts = urlsplit(address)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good:
        raise InputError(
            "the address of the target is not one of HTTP",
            hint="write it as https://host/path",
        )


def _check_headers(headers: dict[str, str]) -> None:
    for name, value in headers.items():
        if any(character in value for character in "\r\n\0"):
            raise InputError(
                f"the header {name} has a line break or NUL in its value",
                hint="does the variable it comes from end with a line feed?",
            )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _authorities(verify: bool | str, folder: Path) -> bool | ssl.SSLContext:
    """Return what httpx takes: whether to verify, or the authorities of a file."""
    if isinstance(verify, bool):
        return verify
    try:
        return ssl.create_default_context(cafile=folder / verify)
    except OSError as error:
        raise InputError(
            f"the file of authorities cannot be read: {verify}: {error}",
            hint="`verify` is true, false or a PEM file, relative to the suite's folder",
        ) from None
