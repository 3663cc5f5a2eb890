import asyncio
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from probare.model.case import Case
from probare.model.event import Note
from probare.model.outcome import Outcome
from probare.model.suite import TargetSpec
from probare.targets.python import PYTHON, PythonSettings
from probare.targets.watchdog import TrialDeadline, Watchdog


async def _sleeps(input: Any) -> str:  # noqa: A002
    time.sleep(30)
    return "never"


async def _computes(input: Any) -> str:  # noqa: A002
    while True:
        pass


async def _stubborn(input: Any) -> str:  # noqa: A002
    until = time.monotonic() + 30
    while time.monotonic() < until:
        try:
            sum(range(100))
        except Exception:
            continue
    return "never"


async def _in_a_task(input: Any) -> str:  # noqa: A002
    async def inner() -> None:
        time.sleep(30)

    await asyncio.gather(inner())
    return "never"


async def _good(input: Any) -> str:  # noqa: A002
    await asyncio.sleep(0.01)
    return "fine"


def _both(bad: Any, services: Any, tried: Any, call: Any) -> tuple[Any, Any]:
    """Run a bad agent with a deadline of 0.3 s beside a good one, on one loop."""

    async def main() -> tuple[Any, Any]:
        async def agent(case: Any, input: Any) -> Any:  # noqa: A002
            return await (bad if case.id == "bad" else _good)(input)

        target = PYTHON.build(TargetSpec(name="t", kind="python"), PythonSettings(python=agent))
        await target.open(services())
        cases = [Case(id=name) for name in ("bad", "good")]
        first: Any = asyncio.ensure_future(tried(target, call(cases[0], timeout=0.3)))
        second: Any = asyncio.ensure_future(tried(target, call(cases[1], timeout=20)))
        await asyncio.wait([first, second])
        third = await tried(target, call(cases[1], timeout=20))
        await target.close()
        assert third.outcome == Outcome(output="fine")
        return first.result(), second.result()

    return asyncio.run(main())


@pytest.mark.parametrize("bad", [_sleeps, _computes, _stubborn, _in_a_task])
def test_a_blocked_loop_is_freed_at_the_deadline(
    bad: Any, services: Any, tried: Any, call: Any
) -> None:
    before = time.monotonic()
    first, second = _both(bad, services, tried, call)
    assert isinstance(first.error, TimeoutError)
    assert first.outcome == Outcome()
    assert second.error is None
    assert second.outcome == Outcome(output="fine")
    assert time.monotonic() - before < 25


def test_the_error_says_what_to_do(services: Any, tried: Any, call: Any) -> None:
    first, _ = _both(_sleeps, services, tried, call)
    assert "isolation: thread" in str(first.error)


def _in_thread(function: Callable[[], Any]) -> Any:
    result: list[Any] = []
    thread = threading.Thread(target=lambda: result.append(function()), daemon=True)
    thread.start()
    thread.join(25)
    return result[0] if result else None


def test_a_loop_of_another_thread_hands_answers_errors_and_cancels_on(
    services: Any, tried: Any, call: Any
) -> None:
    async def agent(input: Any) -> Any:  # noqa: A002
        try:
            await asyncio.wait_for(asyncio.sleep(30), 0.01)
        except TimeoutError:
            await asyncio.gather(asyncio.sleep(0), asyncio.sleep(0.01))
        raise ValueError("after awaiting")

    async def hangs(input: Any) -> Any:  # noqa: A002
        await asyncio.sleep(30)

    async def main(function: Any) -> Any:
        target = PYTHON.build(TargetSpec(name="t", kind="python"), PythonSettings(python=function))
        await target.open(services())
        got = await tried(target, call(timeout=0.5))
        await target.close()
        return got

    assert "after awaiting" in str(_in_thread(lambda: asyncio.run(main(agent))).error)
    assert _in_thread(lambda: asyncio.run(main(_good))).outcome == Outcome(output="fine")
    assert isinstance(_in_thread(lambda: asyncio.run(main(hangs))).error, TimeoutError)


def test_a_stall_within_the_deadline_is_noted(attempt: Any) -> None:
    async def agent(input: Any) -> str:  # noqa: A002
        until = time.monotonic() + 2.2
        while time.monotonic() < until:
            time.sleep(0.01)
        return "x"

    got = attempt(agent)
    assert got.error is None
    assert got.outcome == Outcome(output="x")
    (note,) = got.only(Note)
    assert "blocked the event loop for more than a second" in note.text


def test_a_slow_thread_is_no_stall(attempt: Any) -> None:
    def agent(input: Any) -> str:  # noqa: A002
        time.sleep(1.6)
        return "x"

    assert attempt(agent).events == ()


def test_the_signal_is_given_back() -> None:
    async def main() -> None:
        first = Watchdog.over_this_loop()
        assert Watchdog.over_this_loop() is first
        assert signal.getsignal(signal.SIGURG) is not signal.SIG_DFL
        first.release()
        assert signal.getsignal(signal.SIGURG) is not signal.SIG_DFL
        first.release()
        assert signal.getsignal(signal.SIGURG) is signal.SIG_DFL

    asyncio.run(main())


def test_a_signal_that_is_in_use_is_left_alone() -> None:
    def mine(number: int, frame: Any) -> None: ...

    async def main() -> None:
        guard = Watchdog.over_this_loop()
        assert signal.getsignal(signal.SIGURG) is mine
        guard.release()

    signal.signal(signal.SIGURG, mine)
    try:
        asyncio.run(main())
        assert signal.getsignal(signal.SIGURG) is mine
        assert signal.getsignal(signal.SIGUSR2) is signal.SIG_DFL
    finally:
        signal.signal(signal.SIGURG, signal.SIG_DFL)


def test_no_agent_catches_the_deadline_by_habit() -> None:
    assert not issubclass(TrialDeadline, Exception)
