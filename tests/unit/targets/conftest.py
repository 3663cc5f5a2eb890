"""A small harness for targets: what the engine does for one attempt, and agents in files."""

from __future__ import annotations

import asyncio
import contextvars
import textwrap
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest

from probare.model.case import Case
from probare.model.event import Channel, Event
from probare.model.outcome import Outcome
from probare.model.suite import TargetSpec
from probare.ports.target import Services, Target, TrialCall
from probare.targets.python import PYTHON, PythonSettings

T = TypeVar("T")


class ThreadEach:
    """An executor with a daemon thread for each call."""

    async def call(self, function: Callable[[], T]) -> T:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        context = contextvars.copy_context()

        def deliver(value: Any, error: BaseException | None) -> None:
            if future.done():
                return
            if error is not None:
                future.set_exception(error)
            else:
                future.set_result(value)

        def work() -> None:
            value, error = None, None
            try:
                value = context.run(function)
            except BaseException as raised:
                error = raised
            if not loop.is_closed():
                loop.call_soon_threadsafe(deliver, value, error)

        threading.Thread(target=work, daemon=True).start()
        return await future


class Tried(msgspec.Struct, frozen=True):
    """What the engine has after one attempt."""

    error: BaseException | None
    outcome: Outcome
    events: tuple[Event, ...]
    observes: tuple[Channel, ...]
    first_token_ms: float | None

    def only(self, kind: type[Any]) -> list[Any]:
        """Return the events of one kind."""
        return [event for event in self.events if isinstance(event, kind)]


async def _tried(target: Target, call: TrialCall) -> Tried:
    recorder = target.recorder()
    error: BaseException | None = None
    try:
        async with asyncio.timeout(call.timeout):
            await target.run(call, recorder)
    except Exception as raised:
        error = raised
    recorder.close()
    return Tried(
        error, recorder.outcome, recorder.events, recorder.observes, recorder.first_token_ms
    )


def _call(case: Case | None = None, **fields: Any) -> TrialCall:
    given: dict[str, Any] = {"trial": 0, "attempt": 1, "seed": 7, "timeout": 20.0}
    return TrialCall(case=case or Case(id="c", input={"q": "hi"}), **(given | fields))


@pytest.fixture
def call() -> Any:
    """Make a TrialCall: `call(case, trial=…, timeout=…)`."""
    return _call


@pytest.fixture
def tried() -> Any:
    """Run one attempt as the engine would: `await tried(target, call)`."""
    return _tried


@pytest.fixture
def services(tmp_path: Path) -> Any:
    """Make Services over the test's folder."""

    def make(**fields: Any) -> Services:
        return Services(executor=ThreadEach(), folder=tmp_path, **fields)

    return make


@pytest.fixture
def agent_file(tmp_path: Path) -> Any:
    """Write `agent.py` beside the suite."""

    def write(source: str) -> None:
        (tmp_path / "agent.py").write_text(textwrap.dedent(source))

    return write


@pytest.fixture
def attempt(services: Any) -> Any:
    """Open a python target, run one attempt, close it: `attempt(agent, isolation=…, …)`."""

    def run(
        agent: Any,
        *,
        case: Case | None = None,
        isolation: Any = None,
        config: dict[str, Any] | None = None,
        lent: dict[str, Any] | None = None,
        **fields: Any,
    ) -> Tried:
        async def main() -> Tried:
            spec = TargetSpec(name="t", kind="python", isolation=isolation, config=config or {})
            target = PYTHON.build(spec, PythonSettings(python=agent))
            await target.open(services(**(lent or {})))
            try:
                return await _tried(target, _call(case, **fields))
            finally:
                await target.close()

        return asyncio.run(main())

    return run
