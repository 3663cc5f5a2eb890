import asyncio
import sys
from typing import Any

import pytest

from probare.errors import TargetError
from probare.model.event import ErrorEvent
from probare.model.outcome import Outcome
from probare.targets.containing import Containment


async def _exits() -> None:
    await asyncio.sleep(0)
    sys.exit(0)


async def _interrupts() -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("tool", "said"), [(_exits, "called exit(0)"), (_interrupts, "KeyboardInterrupt")]
)
def test_a_task_of_the_agent_cannot_end_the_run(attempt: Any, tool: Any, said: str) -> None:
    async def agent() -> str:
        await asyncio.gather(tool(), asyncio.sleep(0))
        return "never"

    got = attempt(agent)
    assert isinstance(got.error, TargetError)
    assert said in got.error.message
    assert len(got.only(ErrorEvent)) == 1


def test_a_task_nobody_awaits_cannot_end_the_run_either(attempt: Any) -> None:
    async def agent() -> str:
        task = asyncio.create_task(_exits())
        await asyncio.wait([task])
        assert isinstance(task.exception(), TargetError)
        return "fine"

    assert attempt(agent).outcome == Outcome(output="fine")


def test_a_task_cancelled_before_its_start_is_a_cancelled_task(attempt: Any) -> None:
    async def agent() -> bool:
        task = asyncio.create_task(_exits(), name="mine")
        task.cancel()
        await asyncio.wait([task])
        return task.cancelled() and task.get_name() == "mine"

    assert attempt(agent).outcome == Outcome(output=True)


def test_tasks_of_others_are_left_alone_and_the_factory_comes_back() -> None:
    made: list[str] = []

    def before(loop: asyncio.AbstractEventLoop, coro: Any, **more: Any) -> Any:
        made.append(type(coro).__name__)
        return asyncio.Task(coro, loop=loop, **more)

    async def work() -> int:
        return 5

    async def main() -> None:
        loop = asyncio.get_running_loop()
        loop.set_task_factory(before)
        containment = Containment(loop)
        assert await asyncio.create_task(work()) == 5
        containment.end()
        assert loop.get_task_factory() is before
        assert made == ["coroutine"]

    asyncio.run(main())
