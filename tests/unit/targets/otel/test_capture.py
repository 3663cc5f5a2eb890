"""Spans of agents in this process, through the python target."""

# Agents are written without types, as users write them.
# pyright: reportUnknownParameterType=false, reportMissingParameterType=false
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
from __future__ import annotations

import asyncio
import contextvars
import threading
from pathlib import Path
from typing import Any

import pytest

from probare.errors import TargetError
from probare.model.case import Case
from probare.model.event import Note, ToolCall, ToolResult
from probare.model.suite import TargetSpec
from probare.targets.otel.capture import hooked
from probare.targets.python import PYTHON, PythonSettings
from probare.targets.recorder import Recorder

pytest.importorskip("opentelemetry.sdk.trace")

from opentelemetry import baggage, trace

TRACER = trace.get_tracer("pydantic-ai")


def _tool(city: str) -> str:
    with TRACER.start_as_current_span("execute_tool look") as span:
        span.set_attribute("gen_ai.operation.name", "execute_tool")
        span.set_attribute("gen_ai.tool.name", "look")
        span.set_attribute("gen_ai.tool.call.arguments", f'{{"city": "{city}"}}')
        span.set_attribute("gen_ai.tool.call.result", "sunny")
    return "sunny"


def _calls(tried: Any) -> list[Any]:
    return [event.arguments for event in tried.only(ToolCall)]


@pytest.fixture
def traced(services: Any, tried: Any, call: Any) -> Any:
    """Run attempts of an agent with `capture: otel`, all at once."""

    def run(agent: Any, *inputs: str, isolation: Any = None, **fields: Any) -> Any:
        async def main() -> Any:
            spec = TargetSpec(name="t", kind="python", isolation=isolation)
            target = PYTHON.build(spec, PythonSettings(python=agent, capture="otel"))
            await target.open(services())
            cases = [Case(id=text, input=text) for text in inputs or ("Paris",)]
            try:
                return await asyncio.gather(*(tried(target, call(c, **fields)) for c in cases))
            finally:
                await target.close()

        found = asyncio.run(main())
        return found if inputs else found[0]

    return run


def _sync(input: Any) -> Any:  # noqa: A002
    return _tool(input)


async def _async(input: Any) -> Any:  # noqa: A002
    await asyncio.sleep(0.01)
    return await asyncio.create_task(asyncio.to_thread(_tool, input))


@pytest.mark.parametrize("agent", [_sync, _async])
@pytest.mark.parametrize("isolation", [None, "thread"])
def test_each_trial_has_its_own_spans(traced: Any, agent: Any, isolation: Any) -> None:
    names = [f"city {number}" for number in range(6)]
    for name, got in zip(names, traced(agent, *names, isolation=isolation), strict=True):
        assert got.error is None
        assert _calls(got) == [{"city": name}]
        (result,) = got.only(ToolResult)
        assert (result.result, result.source) == ("sunny", "claimed")
        assert got.observes == ()


def test_without_capture_nothing_is_taken(attempt: Any) -> None:
    assert attempt(lambda _: _tool("Paris")).events == ()


def test_the_trial_is_in_the_context(traced: Any) -> None:
    seen = {}

    def agent(_: Any) -> Any:
        seen.update(baggage.get_all())
        seen["trace"] = format(trace.get_current_span().get_span_context().trace_id, "032x")
        return "x"

    got = traced(agent)
    link = got.only(Note)[-1].data
    assert seen["trace"] == link["trace_id"] == seen["probare.trace"]
    assert (seen["probare.case"], seen["probare.trial"]) == ("Paris", "0")


def test_a_thread_that_is_handed_the_context_belongs_to_the_trial(traced: Any) -> None:
    def agent(_: Any) -> Any:
        context = contextvars.copy_context()
        thread = threading.Thread(target=lambda: context.run(_tool, "inside"))
        thread.start()
        thread.join()
        return "x"

    assert _calls(traced(agent)) == [{"city": "inside"}]


def test_a_thread_without_the_context_is_nobodys_and_leaves_a_gap(traced: Any) -> None:
    def agent(_: Any) -> Any:
        thread = threading.Thread(target=_tool, args=("astray",))
        thread.start()
        thread.join()
        return "x"

    got = traced(agent)
    if not _calls(got):  # Python 3.14 may hand the context on by itself
        kinds = [note.data.get("kind") for note in got.only(Note) if note.data]
        assert "incomplete" in kinds


def test_what_was_observed_is_not_told_again(traced: Any) -> None:
    def agent(input: Any, recorder: Recorder) -> Any:  # noqa: A002
        wrapped = recorder.tool(lambda city: city, name="look")
        with TRACER.start_as_current_span("execute_tool look") as span:
            span.set_attribute("gen_ai.operation.name", "execute_tool")
            span.set_attribute("gen_ai.tool.name", "look")
            wrapped(input)
        return _tool("past the wrapper")

    got = traced(agent)
    calls = got.only(ToolCall)
    assert [(call.source, call.arguments) for call in calls] == [
        ("observed", {"city": "Paris"}),
        ("claimed", {"city": "past the wrapper"}),
    ]


def test_spans_of_an_agent_that_failed_are_kept(traced: Any) -> None:
    def agent(_: Any) -> Any:
        _tool("before")
        raise RuntimeError("no")

    got = traced(agent)
    assert isinstance(got.error, TargetError)
    assert _calls(got) == [{"city": "before"}]


def test_a_tool_that_still_runs_at_the_deadline_was_called(traced: Any) -> None:
    async def agent(_: Any) -> Any:
        with TRACER.start_as_current_span("execute_tool slow") as span:
            span.set_attribute("gen_ai.operation.name", "execute_tool")
            span.set_attribute("gen_ai.tool.name", "slow")
            await asyncio.sleep(30)

    got = traced(agent, timeout=0.2)
    assert isinstance(got.error, TimeoutError)
    assert [call.name for call in got.only(ToolCall)] == ["slow"]


def test_a_process_of_its_own(traced: Any, agent_file: Any, tmp_path: Path) -> None:
    agent_file(
        """
        from opentelemetry import trace
        def run(input, recorder):
            recorder.note("before")
            tracer = trace.get_tracer("pydantic-ai")
            with tracer.start_as_current_span("execute_tool look") as span:
                span.set_attribute("gen_ai.operation.name", "execute_tool")
                span.set_attribute("gen_ai.tool.name", "look")
                span.set_attribute("gen_ai.tool.call.arguments", '{"city": "Paris"}')
            recorder.note("after")
            return "x"
        """
    )
    got = traced("agent:run", isolation="process")
    assert got.error is None
    assert [event.kind for event in got.events[:4]] == ["note", "tool_call", "tool_result", "note"]
    assert _calls(got) == [{"city": "Paris"}]


def test_one_capture_for_a_provider() -> None:
    assert hooked() is hooked()
