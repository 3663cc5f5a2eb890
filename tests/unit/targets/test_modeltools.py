"""Tools that a model may call: canned answers, and everything that can go wrong in a call."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from probare.errors import InfraError
from probare.model.event import ToolCall, ToolResult
from probare.ports.chat import ChatTool, ChatToolCall
from probare.targets.modelsettings import CannedResult, ToolSettings
from probare.targets.modeltools import CannedTool, Toolbox
from probare.targets.recorder import Recorder


class Broken:
    """A tool that raises what it is told."""

    told = ChatTool(name="broken")

    def __init__(self, error: BaseException) -> None:
        self._error = error

    async def answer(self, arguments: dict[str, Any], recorder: Recorder) -> Any:
        raise self._error


def called(tool: Any, arguments: Any, name: str | None = None) -> tuple[str, Recorder]:
    recorder = Recorder()
    asked = ChatToolCall(id="7", name=name or tool.told.name, arguments=arguments)
    return asyncio.run(Toolbox([tool]).call(asked, recorder)), recorder


def canned(**given: Any) -> CannedTool:
    return CannedTool(ToolSettings(name="look", **given))


def test_call_and_result_are_observed_under_the_models_own_id() -> None:
    text, recorder = called(canned(result={"sky": "blue"}), {"city": "Oslo"})
    assert text == '{"sky":"blue"}'
    call, result = recorder.events
    assert isinstance(call, ToolCall)
    assert isinstance(result, ToolResult)
    assert (call.name, call.arguments, call.call_id) == ("look", {"city": "Oslo"}, "7")
    assert (result.result, result.error, result.call_id) == ({"sky": "blue"}, None, "7")
    assert {call.source, result.source} == {"observed"}
    assert result.duration_ms is not None


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"id": 1}, "one"),
        ({"id": 1.0, "more": True}, "one"),
        ({"id": True}, "other"),
        ({"id": "1"}, "other"),
        ({"id": 2}, "error: gone"),
        ({"tags": ["a", {"b": 1.0}]}, "listed"),
        ({}, "other"),
    ],
)
def test_canned_results_go_by_arguments(arguments: dict[str, Any], text: str) -> None:
    results = [
        CannedResult(arguments={"id": 1}, result="one"),
        CannedResult(arguments={"id": 2}, error="gone"),
        CannedResult(arguments={"tags": ["a", {"b": 1}]}, result="listed"),
    ]
    assert called(canned(results=results, result="other"), arguments)[0] == text


def test_no_canned_result_is_an_error_and_null_is_a_result() -> None:
    results = [CannedResult(arguments={"id": 1}, result=None)]
    assert called(canned(results=results), {"id": 1})[0] == "null"
    text, recorder = called(canned(results=results), {"id": 3})
    assert text == "error: there is no canned result for these arguments"
    assert recorder.events[-1].error == text.removeprefix("error: ")  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("look", {"city": 5}, "the arguments do not fit: at $.city: 5 is not of type 'string'"),
        ("look", {}, "the arguments do not fit: at $: 'city' is a required property"),
        ("look", '{"city": "Os', "the arguments are no JSON object"),
        ("look", ["Oslo"], "the arguments are no JSON object"),
        ("lok", {"city": "Oslo"}, "there is no tool 'lok'; did you mean 'look'?"),
        ("fly", {}, "there is no tool 'fly'; there are: look"),
    ],
)
def test_bad_calls_are_answered_as_errors_and_recorded_as_they_came(
    name: str, arguments: Any, told: str
) -> None:
    schema = {"properties": {"city": {"type": "string"}}, "required": ["city"]}
    text, recorder = called(canned(parameters=schema, result=1), arguments, name)
    assert text == f"error: {told}"
    call, result = recorder.events
    assert isinstance(call, ToolCall)
    assert isinstance(result, ToolResult)
    assert (call.name, call.arguments) == (name, arguments)
    assert result.error == told


@pytest.mark.parametrize(
    "error", [ValueError("down"), SystemExit(3), KeyboardInterrupt(), asyncio.CancelledError()]
)
def test_what_a_tool_raises_is_told_to_the_model_and_ends_nothing(error: BaseException) -> None:
    text, recorder = called(Broken(error), {})
    assert text.startswith(f"error: {type(error).__name__}")
    assert isinstance(recorder.events[-1], ToolResult)


def test_an_infrastructure_fault_of_a_tool_ends_the_trial_as_one_and_is_recorded() -> None:
    recorder = Recorder()
    box = Toolbox([Broken(InfraError("the database is away"))])
    with pytest.raises(InfraError, match="the database is away"):
        asyncio.run(box.call(ChatToolCall(id="", name="broken", arguments={}), recorder))
    call, result = recorder.events
    assert isinstance(call, ToolCall)
    assert isinstance(result, ToolResult)
    assert call.call_id == result.call_id == "call_1"
    assert result.error == "InfraError: the database is away"


def test_a_cancelled_trial_ends_its_tool() -> None:
    class Slow:
        told = ChatTool(name="slow")

        async def answer(self, arguments: dict[str, Any], recorder: Recorder) -> Any:
            await asyncio.sleep(60)

    async def main() -> Recorder:
        recorder = Recorder()
        asked = ChatToolCall(id="1", name="slow", arguments={})
        task = asyncio.create_task(Toolbox([Slow()]).call(asked, recorder))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return recorder

    assert [event.kind for event in asyncio.run(main()).events] == ["tool_call", "tool_result"]
