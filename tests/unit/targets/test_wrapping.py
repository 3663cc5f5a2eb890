# Agents and tools are written without types, as users write them.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
import asyncio
import functools
import inspect
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from probare.model.event import Retrieval, ToolCall, ToolResult
from probare.targets.recorder import Recorder


def _pair(recorder: Recorder) -> tuple[ToolCall, ToolResult]:
    call, result = recorder.events
    assert isinstance(call, ToolCall)
    assert isinstance(result, ToolResult)
    assert call.source == result.source == "observed"
    assert call.call_id == result.call_id
    return call, result


def test_a_tool_is_observed_under_its_parameters_names() -> None:
    recorder = Recorder()

    @recorder.tool
    def refund(order: str, amount: float = 0.0, *lines: int, **more: Any) -> str:
        """Pay back."""
        return f"{order}:{amount}"

    assert refund("o1", 5, 6, 7, why="late") == "o1:5"
    call, result = _pair(recorder)
    assert call.name == "refund"
    assert call.arguments == {"order": "o1", "amount": 5, "lines": [6, 7], "why": "late"}
    assert result.result == "o1:5"
    assert result.error is None
    assert result.duration_ms is not None
    assert refund.__doc__ == "Pay back."


def test_defaults_were_not_passed_so_they_are_not_recorded() -> None:
    recorder = Recorder()
    recorder.tool(lambda a, b=2: a, name="t")(1)
    assert _pair(recorder)[0].arguments == {"a": 1}


def test_wrapping_alone_makes_absence_mean_something() -> None:
    recorder = Recorder()
    recorder.tool(print)
    assert recorder.observes == ("tools",)
    recorder.retriever(print)
    assert recorder.observes == ("tools", "retrievals")
    assert recorder.events == ()


def test_arguments_are_those_of_the_time_of_the_call() -> None:
    recorder = Recorder()

    @recorder.tool(name="sort")
    def sort(items: list[int]) -> list[int]:
        items.sort()
        return items

    mine = [2, 1]
    result = sort(mine)
    result.append(9)
    call, answer = _pair(recorder)
    assert call.arguments == {"items": [2, 1]}
    assert answer.result == [1, 2]


def test_an_error_is_recorded_and_raised_on() -> None:
    recorder = Recorder()

    @recorder.tool
    def fail() -> None:
        raise KeyError("gone")

    with pytest.raises(KeyError):
        fail()
    assert _pair(recorder)[1].error == "KeyError: 'gone'"


def test_wrong_arguments_are_recorded_too() -> None:
    recorder = Recorder()
    tool: Any = recorder.tool(lambda a: a, name="t")
    with pytest.raises(TypeError):
        tool(1, 2, b=3)
    call, result = _pair(recorder)
    assert call.arguments == {"args": [1, 2], "b": 3}
    assert result.error is not None


def test_builtins_methods_partials_and_objects_can_be_wrapped() -> None:
    class Shop:
        def buy(self, item: str) -> str:
            return item

        def __call__(self, item: str) -> str:
            return item

    def plain(a: int, b: int) -> int:
        return a + b

    shop = Shop()
    recorder = Recorder()
    assert recorder.tool(shop.buy)("x") == "x"
    assert recorder.tool(shop)("y") == "y"
    assert recorder.tool(functools.partial(plain, 1))(2) == 3
    assert recorder.tool(max)(1, 2) == 2
    calls = [e for e in recorder.events if isinstance(e, ToolCall)]
    assert [(c.name, c.arguments) for c in calls] == [
        ("buy", {"item": "x"}),
        ("Shop", {"item": "y"}),
        ("plain", {"b": 2}),
        ("max", {"args": [1, 2]}),
    ]


def test_a_coroutine_function_stays_one() -> None:
    recorder = Recorder()

    @recorder.tool
    async def look(q: str) -> str:
        await asyncio.sleep(0)
        return q.upper()

    assert inspect.iscoroutinefunction(look)
    assert asyncio.run(look("a")) == "A"
    call, result = _pair(recorder)
    assert (call.arguments, result.result) == ({"q": "a"}, "A")


def test_a_cancelled_tool_is_recorded_as_such() -> None:
    recorder = Recorder()

    @recorder.tool
    async def hang() -> None:
        await asyncio.sleep(60)

    async def main() -> None:
        task = asyncio.create_task(hang())
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert _pair(recorder)[1].error == "CancelledError: "


def test_a_plain_function_that_returns_an_awaitable_is_followed() -> None:
    recorder = Recorder()

    async def inner() -> int:
        return 5

    wrapped = recorder.tool(lambda: inner(), name="t")

    async def main() -> int:
        return await wrapped()

    assert asyncio.run(main()) == 5
    assert _pair(recorder)[1].result == 5


def test_a_generator_is_recorded_at_its_call_and_its_end() -> None:
    recorder = Recorder()

    @recorder.tool
    def rows(n: int) -> Iterator[int]:
        yield from range(n)

    items = rows(3)
    assert len(recorder.events) == 1
    assert list(items) == [0, 1, 2]
    assert _pair(recorder)[1].result == [0, 1, 2]


def test_a_generator_left_early_keeps_what_was_taken() -> None:
    recorder = Recorder()
    closed: list[bool] = []

    @recorder.tool
    def rows() -> Iterator[int]:
        try:
            yield from range(10)
        finally:
            closed.append(True)

    items: Any = rows()
    next(items)
    items.close()
    assert closed == [True]
    assert _pair(recorder)[1].result == [0]


def test_an_async_generator_is_followed() -> None:
    recorder = Recorder()

    @recorder.tool
    async def rows() -> AsyncIterator[int]:
        yield 1
        raise ValueError("broken")

    async def main() -> None:
        items = rows()
        assert await anext(items) == 1
        with pytest.raises(ValueError, match="broken"):
            await anext(items)

    asyncio.run(main())
    result = _pair(recorder)[1]
    assert (result.result, result.error) == ([1], "ValueError: broken")


def test_concurrent_calls_keep_their_ids() -> None:
    recorder = Recorder()

    @recorder.tool
    async def slow(n: int) -> int:
        await asyncio.sleep(0.01 * (2 - n))
        return n

    async def main() -> None:
        await asyncio.gather(slow(0), slow(1))

    asyncio.run(main())
    calls = {e.call_id: e.arguments["n"] for e in recorder.events if isinstance(e, ToolCall)}
    results = {e.call_id: e.result for e in recorder.events if isinstance(e, ToolResult)}
    assert calls == results
    assert len(calls) == 2


def test_a_retrieval_stands_from_its_start_and_is_completed() -> None:
    recorder = Recorder()
    seen: list[Any] = []

    @recorder.retriever
    def search(query: str, k: int = 3) -> list[str]:
        seen.extend(recorder.events)
        return ["doc"]

    search("who")
    search("who", k=1)
    before = seen[0]
    first, second = recorder.events
    assert isinstance(first, Retrieval)
    assert isinstance(second, Retrieval)
    assert (before.query, before.documents) == ("who", None)
    assert (first.name, first.query, first.documents) == ("search", "who", ["doc"])
    assert first.source == "observed"
    assert first.duration_ms is not None
    assert second.query == {"query": "who", "k": 1}


def test_a_failed_retrieval_keeps_its_query() -> None:
    recorder = Recorder()

    @recorder.retriever(name="kb")
    def search(query: str) -> None:
        raise OSError("down")

    with pytest.raises(OSError, match="down"):
        search("who")
    (event,) = recorder.events
    assert isinstance(event, Retrieval)
    assert (event.name, event.query, event.error) == ("kb", "who", "OSError: down")
