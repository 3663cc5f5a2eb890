"""The clock of one attempt: its deadline, and the time that waits of others take out of it."""

from __future__ import annotations

import threading
import time
from typing import Protocol


class Timed(Protocol):
    """What is timed: when it began, and when it should have ended (seconds of perf_counter)."""

    began: float
    deadline: float | None


class AttemptClock:
    """Implements `ports.clock.TrialClock`: while it stands there is no deadline, and afterwards
    beginning and deadline are moved by the time it stood.
    """

    def __init__(self, timed: Timed, timeout: float) -> None:
        self._timed = timed
        self._timeout = timeout
        self._lock = threading.Lock()
        self._stops = 0
        self._since = 0.0
        self._over = False
        timed.deadline = timed.began + timeout

    def stop(self) -> None:
        """Count no time until as many `go_on` as `stop` have come."""
        with self._lock:
            self._stops += 1
            if self._stops == 1 and not self._over:
                self._since = time.perf_counter()
                self._timed.deadline = None

    def go_on(self) -> None:
        """Count again."""
        with self._lock:
            self._stops -= 1
            if self._stops == 0 and not self._over:
                self._timed.began += time.perf_counter() - self._since
                self._timed.deadline = self._timed.began + self._timeout

    def end(self) -> None:
        """The attempt is over: nothing moves any more, and there is no deadline."""
        with self._lock:
            if self._stops and not self._over:
                self._timed.began += time.perf_counter() - self._since
            self._over = True
            self._timed.deadline = None
