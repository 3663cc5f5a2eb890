"""The engine: so many trials at once, each with a deadline, until there are no more.

A fixed number of workers take trials from one iterator, so that neither tasks nor memory grow
with the run. One sweeper holds all deadlines: a trial past its deadline is cancelled; one that
does not obey is abandoned, recorded as a timeout, and its worker replaced.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import msgspec

from probare.errors import HarnessError
from probare.model.record import TrialError, TrialRecord
from probare.ports.progress import Progress
from probare.ports.target import Target
from probare.running import inventory, workspace
from probare.running.attempts import Ended, InFlight, PlannedTrial, attempt, described
from probare.running.limits import LimitWatch
from probare.running.threads import DaemonThreads

_SWEEP_SECONDS = 0.05
_GRACE_SECONDS = 1.0


class EngineOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How to run. `folder` is where the cases' workspaces are looked up."""

    concurrency: int
    retries: int
    folder: Path


class Finished(msgspec.Struct, frozen=True, kw_only=True):
    """How a run ended: `stopped` says which limit ended it early, `hung` names threads,
    `problem` says what went wrong around the trials.
    """

    stopped: str
    interrupted: bool
    hung: tuple[str, ...]
    problem: str = ""


class Engine:
    """Runs planned trials against one target and hands each ended one to `settle`.

    `settle` grades and stores a trial, and returns its record. It is awaited in the trial's
    own slot.
    """

    def __init__(
        self,
        target: Target,
        threads: DaemonThreads,
        settle: Callable[[Ended], Awaitable[TrialRecord]],
        limits: LimitWatch,
        progress: Progress,
        options: EngineOptions,
    ) -> None:
        self._target = target
        self._threads = threads
        self._settle = settle
        self._limits = limits
        self._progress = progress
        self._options = options
        self._flights: dict[InFlight, asyncio.Task[None]] = {}
        self._workers: set[asyncio.Task[None]] = set()
        self._stopping = False
        self._interrupted = False
        self._fault: BaseException | None = None
        self._swept = time.perf_counter()
        self._patience = float("inf")
        self._changed = asyncio.Event()

    def interrupt(self) -> None:
        """Start nothing more and cancel what is in flight: those trials are not recorded."""
        self._interrupted = True
        self._cancel_all()

    async def run(self, planned: Iterator[PlannedTrial]) -> Finished:
        """Run all trials. Raises what `settle` raises, after the others have been stopped."""
        for _ in range(max(1, self._options.concurrency)):
            self._start_worker(planned)
        sweeper = asyncio.create_task(self._sweep(planned))
        try:
            while self._workers and time.perf_counter() < self._patience:
                await self._changed.wait()
                self._changed.clear()
        except asyncio.CancelledError:
            self.interrupt()
            raise
        finally:
            sweeper.cancel()
            for worker in self._workers:
                let_go(worker)
        if self._fault is not None:
            raise self._fault
        return Finished(
            stopped=self._limits.reached,
            interrupted=self._interrupted,
            hung=self._threads.hung,
        )

    def _start_worker(self, planned: Iterator[PlannedTrial]) -> None:
        worker = asyncio.create_task(self._work(planned))
        self._workers.add(worker)
        worker.add_done_callback(self._ended)

    def _ended(self, worker: asyncio.Task[None]) -> None:
        self._workers.discard(worker)
        self._changed.set()

    async def _work(self, planned: Iterator[PlannedTrial]) -> None:
        task = asyncio.current_task()
        assert task is not None
        try:
            for trial in planned:
                if self._stopping or self._limits.reached:
                    return
                if not await self._one(trial, task):
                    return
                if time.perf_counter() - self._swept > 2 * _SWEEP_SECONDS:
                    await asyncio.sleep(0)  # agents that never wait would starve the sweeper
        except (asyncio.CancelledError, GeneratorExit):
            return
        except BaseException as error:
            self._fault = self._fault or error
            self._cancel_all()

    async def _one(self, trial: PlannedTrial, task: asyncio.Task[None]) -> bool:
        """Run one trial and settle it. Returns whether this worker is still wanted."""
        flight = InFlight(trial)
        self._flights[flight] = task
        try:
            try:
                if trial.case.workspace is not None:
                    await self._furnish(flight, trial.case.workspace)
                ended = await attempt(flight, self._target, retries=self._options.retries)
            except HarnessError as error:
                ended = flight.ended("infra_error", described(error))
            if ended is None:
                return False
            del self._flights[flight]
            if flight.workspace is not None:
                ended = await self._with_files(ended, flight)
            await self._store(ended)
            return True
        finally:
            self._flights.pop(flight, None)
            if flight.workspace is not None:
                workspace.remove(flight.workspace)

    async def _furnish(self, flight: InFlight, folder: str) -> None:
        source = self._options.folder / folder
        flight.workspace = made = await self._threads.call(lambda: workspace.make(source))
        flight.furnished = await self._threads.call(lambda: inventory.snapshot(made))

    async def _with_files(self, ended: Ended, flight: InFlight) -> Ended:
        """Add the files that the trial left in its folder to what was observed."""
        folder, before = flight.workspace, flight.furnished
        assert folder is not None
        transcript = ended.transcript
        first = len(transcript.events)
        found = await self._threads.call(lambda: inventory.events(folder, before, first=first))
        seen = tuple(dict.fromkeys((*transcript.observes, "artifacts")))
        transcript = msgspec.structs.replace(
            transcript, events=(*transcript.events, *found), observes=seen
        )
        return msgspec.structs.replace(ended, transcript=transcript)

    async def _store(self, ended: Ended) -> None:
        record = await self._settle(ended)
        self._limits.see(record)
        self._progress.ended(record)

    async def _sweep(self, planned: Iterator[PlannedTrial]) -> None:
        """Cancel trials past their deadline; abandon those that do not obey."""
        while True:
            await asyncio.sleep(_SWEEP_SECONDS)
            if self._limits.time_is_up() and not self._stopping:
                self._cancel_all()
            self._swept = now = time.perf_counter()
            for flight, task in list(self._flights.items()):
                if flight.deadline is None or now < flight.deadline:
                    continue
                if not flight.timed_out:
                    flight.timed_out = True
                    task.cancel()
                elif now > flight.deadline + _GRACE_SECONDS:
                    await self._abandon(flight, task, planned)

    async def _abandon(
        self, flight: InFlight, task: asyncio.Task[None], planned: Iterator[PlannedTrial]
    ) -> None:
        flight.abandoned = True
        self._flights.pop(flight, None)
        self._workers.discard(task)
        let_go(task)
        message = f"the trial did not end within {flight.planned.timeout:g} s, nor when cancelled"
        try:
            await self._store(flight.ended("timeout", TrialError("Timeout", message)))
        except BaseException as error:
            self._fault = self._fault or error
            self._cancel_all()
            return
        self._start_worker(planned)

    def _cancel_all(self) -> None:
        if not self._stopping:
            self._patience = time.perf_counter() + 2 * _GRACE_SECONDS
            asyncio.get_running_loop().call_later(2.1 * _GRACE_SECONDS, self._changed.set)
        self._stopping = True
        for worker in self._workers:
            worker.cancel()


def let_go(task: asyncio.Task[None]) -> None:
    """Forget a task that will not end, without asyncio complaining of it at exit."""
    if hasattr(task, "_log_destroy_pending"):
        task._log_destroy_pending = False  # pyright: ignore
