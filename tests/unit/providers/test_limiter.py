"""The gate to a model: closed until the moment named, then as wide as what was let through."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable

import pytest

from probare.errors import InfraError
from probare.providers.limiter import LONGEST_WAIT, Limiter


def on_a_loop(main: Callable[[], Awaitable[None]]) -> None:
    async def run() -> None:
        await main()

    asyncio.run(run())


def test_nothing_is_held_back_until_something_was_refused() -> None:
    async def main() -> None:
        limiter = Limiter("m")
        for _ in range(1000):
            await limiter.enter()
        assert limiter.window == math.inf

    on_a_loop(main)


def test_a_refusal_closes_the_gate_for_all_and_the_refused_goes_first() -> None:
    async def main() -> None:
        limiter = Limiter("m")
        order: list[str] = []

        async def enter(name: str, again: bool) -> None:
            await limiter.enter(again=again)
            order.append(name)
            limiter.accepted()

        round_ = await limiter.enter()
        assert limiter.refused(round_, 0.05) == 0.05
        waiting = [asyncio.create_task(enter("new", False))]
        await asyncio.sleep(0)
        waiting.append(asyncio.create_task(enter("refused", True)))
        await asyncio.sleep(0.01)
        assert order == []
        await asyncio.gather(*waiting)
        assert order == ["refused", "new"]

    on_a_loop(main)


def test_the_window_is_half_again_what_was_let_through() -> None:
    async def main() -> None:
        limiter = Limiter("m")
        rounds = [await limiter.enter() for _ in range(100)]
        for round_ in rounds[:20]:
            limiter.refused(round_, 0.01)
        for _ in range(80):
            limiter.accepted()
        await asyncio.sleep(0.03)
        assert limiter.window == 80 * 1.5 + 1

    on_a_loop(main)


def test_the_window_is_at_most_halved_at_once_and_grows_again() -> None:
    async def main() -> None:
        limiter = Limiter("m")
        rounds = [await limiter.enter() for _ in range(100)]
        for round_ in rounds:
            limiter.refused(round_, 0.01)
        await asyncio.sleep(0.03)
        assert limiter.window == 50
        for _ in range(10):
            await limiter.enter()
            limiter.accepted()
        assert limiter.window == pytest.approx(51)

    on_a_loop(main)


def test_no_more_are_under_way_than_the_window_lets_through() -> None:
    async def main() -> None:
        limiter = Limiter("m")
        limiter.window = 3
        under_way = most = 0

        async def ask() -> None:
            nonlocal under_way, most
            await limiter.enter()
            under_way += 1
            most = max(most, under_way)
            await asyncio.sleep(0)
            under_way -= 1
            limiter.left()

        await asyncio.gather(*[ask() for _ in range(30)])
        assert most == 3

    on_a_loop(main)


def test_one_who_is_cancelled_leaves_no_hole() -> None:
    async def main() -> None:
        limiter = Limiter("m")
        limiter.window = 1
        await limiter.enter()
        tasks = [asyncio.create_task(limiter.enter()) for _ in range(3)]
        await asyncio.sleep(0)
        tasks[0].cancel()
        limiter.left()  # lets the second through, which is cancelled in the same moment
        tasks[1].cancel()
        await asyncio.wait(tasks, timeout=1)
        assert tasks[2].done()
        assert not tasks[2].cancelled()

    on_a_loop(main)


def test_who_named_no_moment_is_left_alone_longer_each_time_nothing_comes() -> None:
    async def main() -> None:
        limiter = Limiter("m")
        pauses: list[float] = []
        for _ in range(3):
            round_ = await limiter.enter()
            pauses.append(limiter.refused(round_, None))
        assert pauses == [0.2, 0.4, 0.8]

    on_a_loop(main)


def test_a_later_moment_of_the_same_refusal_does_not_move_the_gate() -> None:
    async def main() -> None:
        now = 100.0
        limiter = Limiter("m", lambda: now)
        first, second, third = [await limiter.enter() for _ in range(3)]
        limiter.refused(first, 2.0)
        now = 100.5
        limiter.refused(second, 2.0)
        waiting = asyncio.create_task(limiter.enter())
        await asyncio.sleep(0)
        limiter.refused(third, 2000.0)
        with pytest.raises(InfraError, match=r"m: the provider wants no more requests for 2000 s"):
            await waiting
        with pytest.raises(InfraError) as caught:
            await limiter.enter()
        assert caught.value.retry_after == 2000.0 > LONGEST_WAIT

    on_a_loop(main)
