"""A guard over the event loop: breaks a coroutine that blocks it past its trial's deadline.

A coroutine that sleeps or computes without awaiting stops every other trial, and the timers
that would end it. A thread asks the loop for a sign of life a few times a second. Where none
comes and a deadline has passed, the agent's code is interrupted with TrialDeadline by a signal
(SIGURG, which nobody else uses and which means nothing by default); its handler knows by the
context whose code it interrupted, also in tasks that the agent started, and also interrupts
sleeps and reads.

Signals reach the main thread alone. A loop that runs elsewhere (`probare.run` inside a running
loop, such as a notebook's) is not guarded: use `isolation: thread` there for agents that block.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
from collections.abc import Coroutine
from time import perf_counter
from types import FrameType
from typing import Any

from probare.targets.containing import Containment
from probare.targets.recorder import CURRENT, Recorder

TICK = 0.25
STUCK = 0.4
STALLED = 1.0

_guards: dict[int, Watchdog] = {}


class TrialDeadline(BaseException):
    """Raised inside an agent's code that blocks the loop past its deadline."""


class Watchdog:
    """The guard of one event loop, shared by the targets that are open on it.

    It also keeps what the agents' own tasks raise from ending the run (`containing`).
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._users = 0
        self._containment = Containment(loop)
        self._thread_id = threading.get_ident()
        self._signal = _free_signal()
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._alive = True
        self._asked = perf_counter()
        self._watched: set[Recorder] = set()
        self._told: float | None = None

    @classmethod
    def over_this_loop(cls) -> Watchdog:
        """Return the running loop's guard; to be released as often as it is taken."""
        loop = asyncio.get_running_loop()
        guard = _guards.get(id(loop))
        if guard is None:
            guard = _guards[id(loop)] = cls(loop)
            guard._start()
        guard._users += 1
        return guard

    def release(self) -> None:
        """Give the guard back; the last one stops it."""
        self._users -= 1
        if self._users == 0:
            self._stop.set()
            self._containment.end()
            _guards.pop(id(self._loop), None)
            if self._signal is not None:
                with contextlib.suppress(ValueError):
                    signal.signal(self._signal, signal.SIG_DFL)

    async def watch(self, agent: Coroutine[Any, Any, None], recorder: Recorder) -> None:
        """Await an agent's coroutine under guard. Raises TrialDeadline where it was broken."""
        self._watched.add(recorder)
        try:
            await agent
        finally:
            self._watched.discard(recorder)

    def _start(self) -> None:
        if self._signal is not None:
            signal.signal(self._signal, self._interrupted)
            threading.Thread(target=self._guard, name="probare watchdog", daemon=True).start()

    def _guard(self) -> None:
        while not self._stop.wait(TICK):
            if self._alive:
                self._alive = False
                self._told = None
                self._asked = perf_counter()
                try:
                    self._loop.call_soon_threadsafe(self._beat)
                except RuntimeError:
                    return
            else:
                self._look_at_loop()

    def _beat(self) -> None:
        self._alive = True

    def _look_at_loop(self) -> None:
        """Signal the loop's thread once when it stalls, and each time while a trial is late."""
        now = perf_counter()
        stuck = now - self._asked
        late = any(r.deadline is not None and r.deadline < now for r in list(self._watched))
        stalls = stuck > STALLED and self._told is None
        if self._signal is not None and (stalls or (late and stuck > STUCK)):
            self._told = now
            with contextlib.suppress(ProcessLookupError):
                signal.pthread_kill(self._thread_id, self._signal)

    def _interrupted(self, _signal: int, _frame: FrameType | None) -> None:
        """Handle the signal, in the loop's thread: whose code was it that ran?"""
        recorder = CURRENT.get()
        if self._alive or recorder is None or asyncio.current_task(self._loop) is None:
            return
        now = perf_counter()
        if now - self._asked > STALLED:
            recorder.stalled = True
        if recorder.deadline is not None and recorder.deadline < now:
            raise TrialDeadline


def _free_signal() -> int | None:
    """Return a signal that nobody handles, or None where signals do not reach this thread."""
    if threading.current_thread() is not threading.main_thread():
        return None
    if not hasattr(signal, "pthread_kill"):
        return None
    candidates = (signal.SIGURG, signal.SIGUSR2, signal.SIGUSR1)
    return next((s for s in candidates if signal.getsignal(s) is signal.SIG_DFL), None)
