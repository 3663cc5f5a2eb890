"""The models that were asked so far, on the hub's loop, and one question to one of them."""

from __future__ import annotations

import asyncio
import time
import warnings
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from probare.errors import InfraError
from probare.ports.chat import ChatReply, ChatRequest
from probare.providers.answering import reply_of, unfinished
from probare.providers.asking import messages_of, parameters_of, settings_of
from probare.providers.building import http_client, model_of
from probare.providers.endpoints import Endpoint
from probare.providers.faults import FORMAT_FIELD, Unfinished, fault_of
from probare.providers.hub import Hub
from probare.providers.persisting import Persistence
from probare.providers.structure import json_body, ways_of

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse
    from pydantic_ai.models import Model

DEFAULT_TIMEOUT = 600.0  # seconds, for a reply where the request names no time
_REFUSED = (400, 415, 422, 501)  # how servers answer to a field that they do not know

OnPiece = Callable[[str], None]


class Clients:
    """Models by endpoint, over one HTTP client. Everything here runs on the hub's loop."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._http: Any = None
        self._models: dict[Endpoint, Model[Any]] = {}
        self._ways: dict[Endpoint, tuple[str, ...]] = {}
        self._asking: set[asyncio.Task[Any]] = set()

    async def answer(
        self, endpoint: Endpoint, request: ChatRequest, tell: OnPiece | None
    ) -> ChatReply:
        """Ask until there is an answer. Raises InfraError where there is none for good."""
        task = asyncio.current_task()
        assert task is not None
        self._asking.add(task)
        try:
            model = self._model(endpoint)
            if request.output is None:
                return await self._persistent(model, endpoint, request, tell, "native")
            return await self._structured(model, endpoint, request, tell)
        finally:
            self._asking.discard(task)

    async def close(self) -> None:
        """Cancel what is under way and close all connections."""
        others = self._asking - {asyncio.current_task()}
        for task in others:
            task.cancel()
        if others:
            await asyncio.wait(others, timeout=5)
        self._models.clear()
        if self._http is not None:
            await self._http.aclose()

    def _model(self, endpoint: Endpoint) -> Model[Any]:
        found = self._models.get(endpoint)
        if found is None:
            if self._http is None:
                self._http = http_client()
                _quieten()
            found = self._models[endpoint] = model_of(endpoint, self._http)
        return found

    async def _structured(
        self, model: Model[Any], endpoint: Endpoint, request: ChatRequest, tell: OnPiece | None
    ) -> ChatReply:
        """Ask in the strongest way that the server takes, and remember which it was."""
        ways = self._ways.get(endpoint) or ways_of(model, endpoint.provider, endpoint.url)
        for n, way in enumerate(ways):
            try:
                reply = await self._persistent(model, endpoint, request, tell, way)
            except InfraError as error:
                if n == len(ways) - 1 or not _field_refused(error):
                    raise
            else:
                self._ways[endpoint] = ways[n:]
                return reply
        raise AssertionError("the last way answers or raises")

    async def _persistent(
        self,
        model: Model[Any],
        endpoint: Endpoint,
        request: ChatRequest,
        tell: OnPiece | None,
        way: str,
    ) -> ChatReply:
        question = _Question(model, endpoint, request, tell, way)
        limiter = self._hub.limiter(endpoint.place, request.model)
        persistence = Persistence(limiter, request.model, question.told)
        return await persistence.answered(question.ask)


class _Question:
    """One request in the layer's form, to be sent as often as needed."""

    def __init__(
        self,
        model: Model[Any],
        endpoint: Endpoint,
        request: ChatRequest,
        tell: OnPiece | None,
        way: str,
    ) -> None:
        self._model = model
        self._endpoint = endpoint
        self._request = request
        self._tell = tell
        self._way = way
        self._messages = messages_of(request)
        self._parameters = parameters_of(request, way)
        self._settings = settings_of(request)
        if way == "json" and request.output is not None:
            self._settings["extra_body"] = json_body(request.output)
        self._first: float | None = None
        self._pieces = 0

    def told(self) -> bool:
        """Return whether a piece was passed on."""
        return self._pieces > 0

    async def ask(self) -> ChatReply:
        """Send it once. Raises what the layer raises, and TimeoutError."""
        self._first = None
        limit = self._request.timeout or DEFAULT_TIMEOUT
        send: Callable[[], Awaitable[ModelResponse]] = (
            self._whole if self._tell is None else self._streamed
        )
        try:
            async with asyncio.timeout(limit):
                response = await send()
        except TimeoutError:
            raise TimeoutError(f"no answer within {limit:g} s") from None
        reply = reply_of(
            response,
            self._request,
            self._endpoint,
            way=self._way,
            first_token_ms=self._first,
        )
        if self._tell is not None and reply.text and not self._pieces:
            self._pieces += 1
            self._tell(reply.text)
        return reply

    async def _whole(self) -> ModelResponse:
        return await self._model.request(self._messages, self._settings, self._parameters)

    async def _streamed(self) -> ModelResponse:
        began = time.perf_counter()
        async with self._model.request_stream(
            self._messages, self._settings, self._parameters
        ) as stream:
            async for event in stream:
                piece = _piece(event)
                if piece is None:
                    continue
                if self._first is None:
                    self._first = (time.perf_counter() - began) * 1000
                if piece and self._tell is not None:
                    self._pieces += 1
                    self._tell(piece)
            response = stream.get()
        if unfinished(response):
            raise Unfinished
        return response


def _piece(event: Any) -> str | None:
    """Return the text that an event brings, "" for a part of a tool call, None for no token."""
    from pydantic_ai.messages import (
        PartDeltaEvent,
        PartStartEvent,
        TextPart,
        TextPartDelta,
        ToolCallPart,
        ToolCallPartDelta,
    )

    if isinstance(event, PartStartEvent):
        if isinstance(event.part, TextPart):
            return event.part.content
        return "" if isinstance(event.part, ToolCallPart) else None
    if isinstance(event, PartDeltaEvent):
        if isinstance(event.delta, TextPartDelta):
            return event.delta.content_delta
        return "" if isinstance(event.delta, ToolCallPartDelta) else None
    return None


def _field_refused(error: InfraError) -> bool:
    cause = error.__cause__
    fault = fault_of(cause) if isinstance(cause, Exception) else None
    if fault is None or fault.kind != "lasting":
        return False
    return fault.status in _REFUSED or FORMAT_FIELD in fault.message


def _quieten() -> None:
    """Silence what the layer says of usage and settings that it cannot use: the reply tells."""
    from pydantic_ai import UnsupportedSettingWarning, UsageExtractionFailedWarning

    for category in (UnsupportedSettingWarning, UsageExtractionFailedWarning):
        warnings.filterwarnings("ignore", category=category)
    warnings.filterwarnings("ignore", message="Pydantic serializer warnings", category=UserWarning)
