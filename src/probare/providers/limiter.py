"""How fast one model may be asked, as its provider's own answers tell. Shared by all who ask it.

A refusal (429) closes the gate for everybody until the moment that the provider named. When it
opens, and a window's worth of requests has been sent since the window was last judged, half as
many again as were not refused may be on their way at once (but at least half the window): few are
refused twice, and a provider that refuses for reasons other than speed is not asked more and more
slowly. Each reply lets a tenth of a request more through, so that the speed follows a limit that
is lifted.

This is additive increase, multiplicative decrease (Chiu and Jain 1989) with the decrease taken
from what was accepted; it lives on one event loop and needs no lock.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
from collections.abc import Callable

from probare.errors import InfraError

LONGEST_WAIT = 300.0  # seconds; a provider that asks for more is not waited for
PATIENCE = 600.0  # seconds without a single reply

_RATIO = 1.5
_GROWTH = 0.1
_FIRST_PAUSE = 0.2  # where the provider names no moment
_BARREN_PAUSE = 0.05  # where the moment it named brought nothing
_LONGEST_PAUSE = 30.0
_RESOLUTION = 1.0  # of Retry-After, in seconds


class Limiter:
    """The gate to one model. `window` is how many requests may be on their way at once."""

    def __init__(self, name: str, now: Callable[[], float] = time.monotonic) -> None:
        self.window = math.inf
        self._name = name
        self._now = now
        self._under_way = 0
        self._most = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._opens = 0.0
        self._opening: asyncio.TimerHandle | None = None
        self._round = 0
        self._sent = 0
        self._refused = 0
        self._barren = 0
        self._fed = False
        self._answered = now()

    async def enter(self, *, again: bool = False) -> int:
        """Wait for the gate; return the round that the request belongs to.

        One that was refused goes first (`again`). Raises InfraError where the provider wants a
        wait longer than anybody has patience for.
        """
        self._refuse_long_waits()
        if self._closed() or self._waiting:
            future = asyncio.get_running_loop().create_future()
            (self._waiting.appendleft if again else self._waiting.append)(future)
            self._open()
            try:
                await future
            except BaseException:
                self._forget(future)
                raise
        else:
            self._count()
        return self._round

    def accepted(self) -> None:
        """A reply came."""
        self._answered = self._now()
        self._barren = 0
        self._fed = True
        self.window += _GROWTH
        self.left()

    def left(self) -> None:
        """A request came to an end that says nothing about limits."""
        self._under_way -= 1
        self._open()

    def refused(self, round_: int, wait: float | None) -> float:
        """The provider said "not now", and to come back in `wait` seconds.

        Returns the seconds that this request should wait. The gate opens for the others at the
        moment that was named first; those under way when it closed, who are told the same a
        little later, do not move it, but one who names a moment more than a second later does.
        """
        self._under_way -= 1
        if round_ == self._round:
            self._refused += 1
        pause = self._pause(wait)
        moment = self._now() + pause
        if self._opening is None or moment > self._opens + _RESOLUTION:
            if self._opening is not None:
                self._opening.cancel()
            self._opens = moment
            self._opening = asyncio.get_running_loop().call_later(pause, self._reopen)
        self._dismiss_those_who_wait_too_long()
        return pause

    def silent_for(self, since: float) -> float:
        """Return the seconds since the last reply, or since `since` if that is later."""
        return self._now() - max(self._answered, since)

    def _pause(self, wait: float | None) -> float:
        if wait is None:
            return min(_LONGEST_PAUSE, _FIRST_PAUSE * 2**self._barren)
        barren = _BARREN_PAUSE * 2**self._barren if self._barren else 0.0
        return max(wait, min(_LONGEST_PAUSE, barren))

    def _closed(self) -> bool:
        return self._under_way >= self.window or self._opening is not None

    def _reopen(self) -> None:
        self._opening = None
        if not self._fed and self._under_way == 0:
            self._barren = min(self._barren + 1, 16)
        self._fed = False
        before = min(self.window, self._most)
        if self._refused and self._sent >= before:
            accepted = self._sent - self._refused
            self.window = max(1.0, min(self.window, accepted * _RATIO + 1), before / 2)
            self._round += 1
            self._sent = self._refused = 0
            self._most = self._under_way
        self._open()

    def _open(self) -> None:
        while self._waiting and not self._closed():
            future = self._waiting.popleft()
            if not future.done():
                self._count()
                future.set_result(None)

    def _count(self) -> None:
        self._under_way += 1
        self._sent += 1
        self._most = max(self._most, self._under_way)

    def _forget(self, future: asyncio.Future[None]) -> None:
        """A waiter was cancelled: before it was let through, or just then."""
        if future.done() and not future.cancelled() and future.exception() is None:
            self._sent -= 1
            self.left()
        elif future in self._waiting:
            self._waiting.remove(future)

    def _refuse_long_waits(self) -> None:
        error = self._too_long()
        if error is not None:
            raise error

    def _dismiss_those_who_wait_too_long(self) -> None:
        while self._waiting and (error := self._too_long()) is not None:
            future = self._waiting.popleft()
            if not future.done():
                future.set_exception(error)

    def _too_long(self) -> InfraError | None:
        wait = self._opens - self._now()
        if self._opening is None or wait <= LONGEST_WAIT:
            return None
        message = f"{self._name}: the provider wants no more requests for {wait:.0f} s"
        return InfraError(message, retry_after=wait)
