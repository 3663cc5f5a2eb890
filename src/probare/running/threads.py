"""Daemon threads for blocking code, one a slot.

asyncio's default pool is too small for many slow agents, and Python waits for its threads at
exit. These are daemons: one that hangs is abandoned, counted, and holds up nothing.
"""

from __future__ import annotations

import asyncio
import contextvars
import queue
import threading
from collections import deque
from collections.abc import Callable
from typing import Any, TypeVar, cast

T = TypeVar("T")


class _Job:
    """One call: what to run, where its answer goes, and whether anyone still waits for it."""

    __slots__ = ("abandoned", "context", "ended", "function", "future", "thread")

    def __init__(self, function: Callable[[], Any], future: asyncio.Future[Any]) -> None:
        self.function = function
        self.future = future
        self.context = contextvars.copy_context()
        self.abandoned = False
        self.ended = False
        self.thread: threading.Thread | None = None


class DaemonThreads:
    """An Executor (see `probare.ports.target`) on as many daemon threads as calls need.

    Counters are touched on the loop's thread alone, so that no lock is needed.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._busy = 0
        self._threads = 0
        self._answers: deque[tuple[_Job, bool, Any]] = deque()
        self._waking = False
        self._abandoned: list[_Job] = []

    async def call(self, function: Callable[[], T]) -> T:
        """Run `function` on a thread. Cancelling abandons the thread, not the caller."""
        job = _Job(function, self._loop.create_future())
        if self._busy >= self._threads:
            self._threads += 1
            name = f"probare-{self._threads}"
            threading.Thread(target=self._work, name=name, daemon=True).start()
        self._busy += 1
        self._jobs.put(job)
        try:
            return cast("T", await job.future)
        except asyncio.CancelledError:
            job.abandoned = True
            self._abandoned.append(job)
            raise

    @property
    def hung(self) -> tuple[str, ...]:
        """Names of the threads that were abandoned and have not come back."""
        names = [job.thread.name for job in self._abandoned if job.thread and not job.ended]
        return tuple(names)

    def close(self) -> None:
        """Let idle threads go. Those that hang are left to the end of the process."""
        for _ in range(self._threads):
            self._jobs.put(None)

    def _work(self) -> None:
        thread = threading.current_thread()
        while True:
            job = self._jobs.get()
            if job is None:
                return
            job.thread = thread
            answer: tuple[_Job, bool, Any] = (job, True, None)
            try:
                if not job.abandoned:
                    answer = (job, True, job.context.run(job.function))
            except BaseException as error:
                answer = (job, False, error)
            job.ended = True
            self._deliver(answer)
            del job, answer

    def _deliver(self, answer: tuple[_Job, bool, Any]) -> None:
        self._answers.append(answer)
        if not self._waking:
            self._waking = True
            try:
                self._loop.call_soon_threadsafe(self._hand_out)
            except RuntimeError:  # the loop is closed: nobody waits any more
                return

    def _hand_out(self) -> None:
        self._waking = False
        while self._answers:
            job, good, value = self._answers.popleft()
            self._busy -= 1
            if job.future.done():
                continue
            if good:
                job.future.set_result(value)
            elif isinstance(value, StopIteration):
                job.future.set_exception(RuntimeError(f"StopIteration: {value}"))
            else:
                job.future.set_exception(value)
