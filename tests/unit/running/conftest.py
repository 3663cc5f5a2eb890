"""A target that does what a function says, and an engine around it, without any disk."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET

from probare.model.case import Case
from probare.model.event import Channel, Event, Note
from probare.model.outcome import Outcome
from probare.model.record import TranscriptRef, TrialRecord
from probare.model.statuses import trial_status
from probare.model.suite import Limits
from probare.ports.target import Services, TrialCall, TrialRecorder
from probare.running.attempts import Ended, PlannedTrial
from probare.running.engine import Engine, EngineOptions, Finished
from probare.running.limits import LimitWatch
from probare.running.loops import run_to_end
from probare.running.threads import DaemonThreads


class PlainRecorder:
    """The least that the engine needs of a recorder."""

    def __init__(self) -> None:
        self.taken: list[Event] = []
        self.output: Any = UNSET
        self.closed = False

    def note(self, text: str) -> None:
        if not self.closed:
            self.taken.append(Note(text=text, seq=len(self.taken), source="observed"))

    @property
    def events(self) -> tuple[Event, ...]:
        return tuple(self.taken)

    @property
    def outcome(self) -> Outcome:
        return Outcome(output=self.output)

    @property
    def observes(self) -> tuple[Channel, ...]:
        return ()

    @property
    def first_token_ms(self) -> float | None:
        return None

    def close(self) -> None:
        self.closed = True


Agent = Callable[[TrialCall, PlainRecorder, DaemonThreads], Awaitable[None]]


class PlainTarget:
    """A Target whose `run` is a given coroutine function."""

    def __init__(self, agent: Agent, threads: DaemonThreads) -> None:
        self._agent = agent
        self._threads = threads

    async def open(self, services: Services) -> None: ...

    def recorder(self) -> PlainRecorder:
        return PlainRecorder()

    async def run(self, call: TrialCall, recorder: TrialRecorder) -> None:
        assert isinstance(recorder, PlainRecorder)
        await self._agent(call, recorder, self._threads)

    async def close(self) -> None: ...


class SilentProgress:
    def started(self, planned: int, done: int) -> None: ...
    def ended(self, record: TrialRecord) -> None: ...
    def finished(self) -> None: ...


class Driven:
    """What an engine run left behind."""

    def __init__(self) -> None:
        self.ended: list[Ended] = []
        self.finished: Finished | None = None

    def stops(self) -> dict[str, str]:
        return {end.planned.case.id: end.stop for end in self.ended}


Drive = Callable[..., Driven]


@pytest.fixture
def drive(tmp_path: Path) -> Drive:
    """Run trials of cases c0, c1, … with an agent; return what ended, in order."""

    def drive(
        agent: Agent,
        *,
        cases: int = 1,
        timeout: float = 5.0,
        concurrency: int = 4,
        retries: int = 0,
        limits: Limits | None = None,
        fail_fast: bool = False,
        failing: Sequence[str] = (),
        during: Callable[[Engine], Awaitable[None]] | None = None,
        workspace: str | None = None,
    ) -> Driven:
        driven = Driven()

        async def settle(ended: Ended) -> TrialRecord:
            driven.ended.append(ended)
            status = trial_status(ended.stop, ())
            if ended.planned.case.id in failing:
                status = "failed"
            return TrialRecord(
                case=ended.planned.case.id,
                trial=0,
                stop=ended.stop,
                status=status,
                error=ended.error,
                attempts=ended.attempts,
                verdicts=(),
                started="",
                duration_ms=ended.duration_ms,
                first_token_ms=None,
                usage=None,
                output_text=None,
                transcript=TranscriptRef(0, 0, ""),
                salt="",
            )

        async def main() -> Finished:
            threads = DaemonThreads()
            engine = Engine(
                PlainTarget(agent, threads),
                threads,
                settle,
                LimitWatch(limits or Limits(), fail_fast=fail_fast),
                SilentProgress(),
                EngineOptions(concurrency=concurrency, retries=retries, folder=tmp_path),
            )
            planned = (
                PlannedTrial(Case(id=f"c{n}", workspace=workspace), 0, timeout, n)
                for n in range(cases)
            )
            helper = asyncio.create_task(during(engine)) if during is not None else None  # pyright: ignore
            try:
                return await engine.run(planned)
            finally:
                threads.close()
                if helper is not None:
                    helper.cancel()

        driven.finished = run_to_end(main)
        return driven

    return drive
