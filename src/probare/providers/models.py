"""All chat models by name: `probare.ports.chat.ChatModels`, through pydantic-ai's model layer."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from probare.errors import HarnessError, InfraError
from probare.masking import Masker, secrets_from_environ
from probare.ports.chat import ChatReply, ChatRequest
from probare.providers.cache import ReplyCache
from probare.providers.clients import Clients
from probare.providers.endpoints import Endpoint, endpoint_of
from probare.providers.hub import SHARED, Hub

OnPiece = Callable[[str], None]


def _across(loop: asyncio.AbstractEventLoop, told: OnPiece) -> OnPiece:
    """Return what tells `told` on another loop, from this one; nobody, where that is closed."""

    def tell(piece: str) -> None:
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(told, piece)

    return tell


def _ignore(_said: str) -> None:
    """Tell nobody."""


class Models:
    """Chat models, with keys and addresses from `environment` (by default the process's).

    Where `cache` is a folder, replies are kept there and given again (`providers.cache`);
    `on_warning` is told of faults of it. May be asked from any event loop and any thread. Close
    it when nobody asks any more, or use it as a context manager.
    """

    def __init__(
        self,
        environment: Mapping[str, str] | None = None,
        *,
        cache: Path | None = None,
        on_warning: OnPiece = _ignore,
    ) -> None:
        self._environment = os.environ if environment is None else environment
        self._cache: ReplyCache | None = None
        if cache is not None:
            masker = Masker(secrets_from_environ(self._environment))
            self._cache = ReplyCache(cache, masker, on_warning)
        self._lock = threading.Lock()
        self._hub: Hub | None = None
        self._clients: Clients | None = None
        self._closed = False

    def check(self, model: str) -> None:
        """Raise InputError where the model cannot be had. Asks nobody, imports nothing heavy."""
        endpoint_of(model, self._environment)

    async def complete(self, request: ChatRequest, on_piece: OnPiece | None = None) -> ChatReply:
        """Return the reply; pieces of its text are told on the caller's loop as they come.

        Raises InfraError where the provider fails for good, InputError as `check`.
        """
        tell = None if on_piece is None else _across(asyncio.get_running_loop(), on_piece)
        return await asyncio.wrap_future(self._submitted(request, tell))

    def ask(self, request: ChatRequest) -> ChatReply:
        """Return the reply, from a thread that may wait. Raises as `complete`."""
        try:
            return self._submitted(request, None).result()
        except CancelledError:
            raise InfraError(f"{request.model}: the run ended before it answered") from None

    def close(self) -> None:
        """Close all connections. Questions under way are cancelled."""
        with self._lock:
            self._closed = True
            clients, self._clients = self._clients, None
            used, self._hub = self._hub, None
        if used is None or clients is None:
            return
        try:
            used.submit(clients.close()).result(timeout=10)
        finally:
            SHARED.give_back()

    def __enter__(self) -> Models:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _submitted(self, request: ChatRequest, tell: OnPiece | None) -> Future[ChatReply]:
        endpoint = endpoint_of(request.model, self._environment)
        used, clients = self._ready()
        return used.submit(self._answer(clients, endpoint, request, tell))

    def _ready(self) -> tuple[Hub, Clients]:
        with self._lock:
            if self._closed:
                raise HarnessError("the chat models are closed")
            if self._hub is None or self._clients is None:
                self._hub = SHARED.borrow()
                self._clients = Clients(self._hub)
            return self._hub, self._clients

    async def _answer(
        self, clients: Clients, endpoint: Endpoint, request: ChatRequest, tell: OnPiece | None
    ) -> ChatReply:
        cache = self._cache
        if cache is None:
            return await clients.answer(endpoint, request, tell)
        key = cache.key(request, endpoint.url)
        kept = cache.get(key)
        if kept is not None:
            if tell is not None and kept.text:
                tell(kept.text)
            return kept
        reply = await clients.answer(endpoint, request, tell)
        cache.put(key, reply)
        return reply
