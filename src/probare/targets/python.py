"""The `python` target: an agent in this process, on a thread, or in a process of its own."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from time import perf_counter
from typing import Any, ClassVar, TypeVar

import msgspec

from probare.errors import HarnessError, InfraError, InputError, TrialError
from probare.model.case import Case, Isolation
from probare.model.event import Note
from probare.model.suite import TargetSpec
from probare.ports.target import Services, TrialCall, TrialRecorder
from probare.targets import agent as agents
from probare.targets import determinism, faults, printing, process
from probare.targets.agent import Agent, Given
from probare.targets.answering import perform, perform_in_own_loop
from probare.targets.conversation import Script, UserSide, models_for_user
from probare.targets.conversation_agent import converse_with
from probare.targets.conversation_user import SimulatedUser
from probare.targets.otel.capture import Capture, hooked
from probare.targets.otel.settings import Captures
from probare.targets.pipe import Job
from probare.targets.recorder import CURRENT, Recorder
from probare.targets.watchdog import TrialDeadline, Watchdog

T = TypeVar("T")

_USE_A_THREAD = "use a plain `def`, or `isolation: thread`"


class PythonSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`python`: `module:name` of a function or class; in code, also the object itself. With
    `capture: otel` the agent's OpenTelemetry spans become events, claimed ones
    (`probare.targets.otel`).
    """

    python: Any
    capture: Captures | None = None


class PythonKind:
    """The `python` adapter."""

    name: ClassVar[str] = "python"
    settings: ClassVar[type[msgspec.Struct]] = PythonSettings

    def build(self, spec: TargetSpec, settings: PythonSettings) -> PythonTarget:
        """Return the target. Imports nothing yet."""
        return PythonTarget(spec, settings)


PYTHON = PythonKind()


class PythonTarget:
    """Calls an agent with those of a trial's offers that it names (`probare.targets.agent`).

    Plain functions run on the executor's threads, coroutines on the loop, or on a thread with
    a loop of their own (`isolation: thread`). With `isolation: process` each trial has its own
    process, in which the agent is imported, made, set up and torn down. In a conversation the
    agent is called once a turn (`probare.targets.conversation_agent`).
    """

    converses: ClassVar[bool] = True

    def __init__(self, spec: TargetSpec, settings: PythonSettings) -> None:
        self._spec = spec
        self._named = settings.python
        self._captures = settings.capture is not None
        self._spans: Capture | None = None
        self._services: Services | None = None
        self._agent: Agent | None = None
        self._watchdog: Watchdog | None = None
        self._first = asyncio.Lock()

    async def open(self, services: Services) -> None:
        """Import the agent, make it if it is a class, set it up. What it prints then goes to
        standard error. With `isolation: process` a process of its own looks whether it is there.
        """
        self._services = services
        if self._spec.isolation == "process":
            await process.check(self._job())
        else:
            await self._here()

    def recorder(self) -> TrialRecorder:
        """Return a fresh recorder."""
        return Recorder(max_output=self._lent.max_output)

    async def run(self, call: TrialCall, recorder: TrialRecorder) -> None:
        """Run one attempt.

        What the agent raises becomes a TargetError. A coroutine that blocked the loop past the
        deadline raises TimeoutError.
        """
        assert isinstance(recorder, Recorder)
        recorder.workspace = call.workspace
        isolation = call.case.isolation or self._spec.isolation or "none"
        if isolation == "process":
            _refuse_simulated(call.case)
            await process.run(self._job(), call, recorder)
            return
        agent = self._agent or await self._here()
        given = Given(
            case=call.case,
            recorder=recorder,
            trial=call.trial,
            seed=call.seed,
            config=self._spec.config,
            workspace=call.workspace,
            model=determinism.model_for(call.case, self._lent.model),
        )
        recorder.deadline = perf_counter() + call.timeout
        task = asyncio.current_task()
        mine = CURRENT.set(recorder)
        try:
            with self._traced(call, recorder):
                await self._answered(agent, given, isolation, call)
        except TrialError:
            raise
        except TrialDeadline:
            raise TimeoutError(
                f"the agent blocked the event loop past its deadline ({_USE_A_THREAD})"
            ) from None
        except BaseException as error:
            if _from_outside(error, task):
                raise
            raise faults.of_agent(error, recorder) from error
        finally:
            CURRENT.reset(mine)
            _remark(recorder)

    async def close(self) -> None:
        """Tear the agent down. Raises TargetError where its `tear_down` fails."""
        agent, self._agent = self._agent, None
        if agent is None:
            return
        try:
            with contextlib.redirect_stdout(sys.stderr):
                await agents.call_hook(agent, "tear_down", self._blocking)
        finally:
            printing.release()
            if self._watchdog is not None:
                self._watchdog.release()

    async def _answered(
        self, agent: Agent, given: Given, isolation: Isolation, call: TrialCall
    ) -> None:
        """Call the agent: once, or once a turn."""
        if not call.case.converses:
            await self._performed(agent, given, isolation)
            return

        async def once(turn: Given) -> None:
            await self._performed(agent, turn, isolation)

        await converse_with(given, self._user(call, given.recorder), once)

    def _user(self, call: TrialCall, recorder: Recorder) -> UserSide:
        simulation = call.case.simulate
        if simulation is None:
            return Script(call.case.turns)
        return SimulatedUser(simulation, models_for_user(self._lent.chat), call, recorder)

    async def _performed(self, agent: Agent, given: Given, isolation: Isolation) -> None:
        if isolation == "thread" and agent.way != "plain":
            await perform_in_own_loop(agent, given, self._blocking)
        else:
            assert self._watchdog is not None
            await self._watchdog.watch(perform(agent, given, self._blocking), given.recorder)

    def _traced(self, call: TrialCall, recorder: Recorder) -> AbstractContextManager[None]:
        if self._spans is None:
            return contextlib.nullcontext()
        return self._spans.trial(call.case, call.trial, recorder)

    async def _here(self) -> Agent:
        """Return the agent in this process, made and set up the first time."""
        async with self._first:
            if self._agent is None:
                with contextlib.redirect_stdout(sys.stderr):
                    found = agents.find(self._named, self._lent.folder)
                    agent = agents.prepare(found, config=self._spec.config, model=self._lent.model)
                    await agents.call_hook(agent, "set_up", self._blocking)
                if self._captures:
                    self._spans = hooked()
                printing.capture()
                self._watchdog = Watchdog.over_this_loop()
                self._agent = agent
            return self._agent

    async def _blocking(self, function: Callable[[], T]) -> T:
        return await self._lent.executor.call(function)

    def _job(self) -> Job:
        if not isinstance(self._named, str):
            raise InputError(
                "`isolation: process` needs an agent that another process can import",
                hint="name it as module:function",
            )
        return Job(
            reference=self._named,
            folder=str(self._lent.folder),
            config=self._spec.config,
            model=self._lent.model,
            max_output=self._lent.max_output,
            capture=self._captures,
        )

    @property
    def _lent(self) -> Services:
        if self._services is None:
            raise HarnessError("the target was used before it was opened")
        return self._services


def _refuse_simulated(case: Case) -> None:
    if case.simulate is not None:
        raise InfraError(
            "a simulated user cannot speak with an agent in a process of its own",
            hint="use `isolation: thread`, or script the turns",
            retryable=False,
        )


def _from_outside(error: BaseException, task: asyncio.Task[Any] | None) -> bool:
    """Whether the harness ended the trial, rather than the agent raised the like itself."""
    if isinstance(error, asyncio.CancelledError):
        return task is None or task.cancelling() > 0
    if isinstance(error, GeneratorExit):
        try:
            return asyncio.current_task() is not task
        except RuntimeError:
            return True
    return False


def _remark(recorder: Recorder) -> None:
    """Note what was printed, and that the loop was blocked."""
    recorder.end_prints()
    if recorder.stalled:
        text = f"the agent blocked the event loop for more than a second ({_USE_A_THREAD})"
        recorder.append(Note, source="observed", text=text)
