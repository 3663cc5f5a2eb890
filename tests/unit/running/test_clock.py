"""The clock of an attempt: time that others make a trial wait is not the trial's."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from probare.ports.clock import CLOCK, not_counted
from probare.running.clock import AttemptClock


class Timed:
    def __init__(self) -> None:
        self.began = time.perf_counter()
        self.deadline: float | None = None


def test_beginning_and_deadline_move_by_the_time_it_stood() -> None:
    timed = Timed()
    began = timed.began
    clock = AttemptClock(timed, 10.0)
    assert timed.deadline == began + 10.0
    clock.stop()
    clock.stop()
    assert timed.deadline is None
    time.sleep(0.02)
    clock.go_on()
    assert timed.deadline is None
    clock.go_on()
    assert timed.began - began >= 0.02
    assert timed.deadline == timed.began + 10.0


def test_after_the_end_nothing_moves() -> None:
    timed = Timed()
    clock = AttemptClock(timed, 10.0)
    clock.stop()
    clock.end()
    began = timed.began
    clock.go_on()
    clock.stop()
    clock.go_on()
    assert (timed.began, timed.deadline) == (began, None)


def test_without_a_trial_there_is_nothing_to_stop() -> None:
    with not_counted():
        assert CLOCK.get() is None


def test_threads_that_work_for_a_trial_stop_its_clock() -> None:
    timed = Timed()

    def work() -> None:
        with not_counted():
            assert timed.deadline is None

    async def main() -> None:
        CLOCK.set(AttemptClock(timed, 10.0))
        await asyncio.to_thread(work)
        assert timed.deadline is not None

    asyncio.run(main())


def test_a_trial_that_waits_for_a_limit_is_not_too_late(drive: Any) -> None:
    async def agent(call: Any, recorder: Any, threads: Any) -> None:
        with not_counted():
            await asyncio.sleep(0.5)
        recorder.output = "done"

    driven = drive(agent, cases=2, timeout=0.2)
    assert driven.stops() == {"c0": "completed", "c1": "completed"}
    assert all(end.duration_ms < 500 for end in driven.ended)


def test_after_the_wait_the_deadline_holds_again(drive: Any) -> None:
    async def agent(call: Any, recorder: Any, threads: Any) -> None:
        await threads.call(wait)
        await asyncio.sleep(60)

    def wait() -> None:
        with not_counted():
            time.sleep(0.3)

    assert drive(agent, cases=1, timeout=0.2).stops() == {"c0": "timeout"}
