"""The one event loop that all model clients of this process live on.

Clients belong to the loop that they were used on; runs come and go with loops of their own, and
graders ask from threads. So everybody's requests go to this loop, on a daemon thread, and limits
are shared by all. It ends when the last who borrowed it gives it back.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

from probare.providers.limiter import Limiter

T = TypeVar("T")


class Hub:
    """A running loop, and the limiters of all models that are asked on it."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._limiters: dict[str, Limiter] = {}
        self._thread = threading.Thread(
            target=self._loop.run_forever, name="probare-models", daemon=True
        )
        self._thread.start()

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Run a coroutine on the loop, in the caller's context."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def limiter(self, place: str, name: str) -> Limiter:
        """Return the limiter of a model; to be called on the loop."""
        found = self._limiters.get(place)
        if found is None:
            found = self._limiters[place] = Limiter(name)
        return found

    def stop(self) -> None:
        """Cancel what still runs, and end the loop and its thread."""
        self.submit(_end_tasks()).result(timeout=5)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=5)
        self._loop.close()


async def _end_tasks() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    if others:
        await asyncio.wait(others, timeout=2)
    loop = asyncio.get_running_loop()
    await loop.shutdown_asyncgens()
    await loop.shutdown_default_executor()


class _Shared:
    """The hub of this process, and how many use it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._hub: Hub | None = None
        self._users = 0

    def borrow(self) -> Hub:
        """Return the hub; give it back once."""
        with self._lock:
            if self._hub is None:
                self._hub = Hub()
            self._users += 1
            return self._hub

    def give_back(self) -> None:
        """Say that a borrowed hub is no longer needed."""
        with self._lock:
            self._users -= 1
            hub = self._hub
            if self._users or hub is None:
                return
            self._hub = None
        hub.stop()


SHARED = _Shared()
