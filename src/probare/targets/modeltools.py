"""Tools that a model may call, and those whose answers are canned.

The harness runs them itself, so that each call and each result is observed. Whatever goes wrong in
a call (a strange name, arguments that do not fit, an exception) is told to the model as the tool's
error, and recorded; an InfraError or LimitReached that a tool raises ends the trial as such.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from time import perf_counter
from typing import Any, Protocol, cast

import msgspec
from msgspec import UNSET

from probare.errors import TrialError, did_you_mean
from probare.model.event import ToolCall, ToolResult
from probare.ports.chat import ChatTool, ChatToolCall
from probare.targets import tags
from probare.targets.jsonfit import misfits
from probare.targets.modelprompt import as_text
from probare.targets.modelsettings import CannedResult, ToolSettings, named
from probare.targets.recorder import Recorder
from probare.targets.values import safe
from probare.targets.wrapping import said


class ToolFault(Exception):  # noqa: N818 - reads as what it is
    """A call went wrong; the model is told so."""


class Tool(Protocol):
    """One tool: what the model is told of it, and its answer to arguments."""

    @property
    def told(self) -> ChatTool:
        """What the model is told."""
        ...

    async def answer(self, arguments: dict[str, Any], recorder: Recorder) -> Any:
        """Return the result. Raises ToolFault, a TrialError, or what the tool itself raises."""
        ...


class Toolbox:
    """The tools of one target."""

    def __init__(self, tools: Sequence[Tool]) -> None:
        self._tools = {tool.told.name: tool for tool in tools}

    @property
    def told(self) -> tuple[ChatTool, ...]:
        """What the model is told of all tools."""
        return tuple(tool.told for tool in self._tools.values())

    async def call(self, asked: ChatToolCall, recorder: Recorder) -> str:
        """Run what the model asks for, record it, and return the text that the model is told."""
        call_id = asked.id or recorder.call_id()
        recorder.append(
            ToolCall,
            source="observed",
            name=asked.name,
            arguments=safe(asked.arguments),
            call_id=call_id,
            attributes=tags.current(),
        )
        start = perf_counter()
        result: Any = None
        error: str | None = None
        try:
            result = safe(await self._answer(asked, recorder))
        except ToolFault as fault:
            error = str(fault)
        except TrialError as ended:
            error = said(ended)
            raise
        except BaseException as raised:
            error = said(raised)
            if _from_outside(raised):
                raise
        finally:
            recorder.append(
                ToolResult,
                source="observed",
                name=asked.name,
                result=result,
                error=error,
                call_id=call_id,
                duration_ms=round((perf_counter() - start) * 1000, 3),
            )
        return as_text(result) if error is None else f"error: {error}"

    async def _answer(self, asked: ChatToolCall, recorder: Recorder) -> Any:
        tool = self._tools.get(asked.name)
        if tool is None:
            hint = did_you_mean(asked.name, self._tools)
            known = ", ".join(self._tools) or "none"
            raise ToolFault(f"there is no tool '{asked.name}'; {hint or f'there are: {known}'}")
        arguments: Any = asked.arguments
        if not isinstance(arguments, dict):
            raise ToolFault("the arguments are no JSON object")
        return await tool.answer(cast("dict[str, Any]", arguments), recorder)


class CannedTool:
    """A tool that answers what the suite says."""

    def __init__(self, settings: ToolSettings) -> None:
        self._schema = {"type": "object", **(settings.parameters or {})}
        self._results = settings.results
        self._else = CannedResult(arguments={}, result=settings.result, error=settings.error)
        self.told = ChatTool(
            name=named(settings),
            description=settings.description or "",
            parameters=self._schema,
        )

    async def answer(self, arguments: dict[str, Any], recorder: Recorder) -> Any:  # noqa: ARG002
        """Return the first canned result that fits."""
        wrong = misfits(arguments, self._schema)
        if wrong:
            raise ToolFault(f"the arguments do not fit: {'; '.join(wrong)}")
        chosen = next((r for r in self._results if _fits(r.arguments, arguments)), self._else)
        if chosen.error is not None:
            raise ToolFault(chosen.error)
        if chosen.result is UNSET:
            raise ToolFault("there is no canned result for these arguments")
        return chosen.result


def _from_outside(error: BaseException) -> bool:
    """Whether the harness ended the trial, rather than the tool raised the like itself."""
    if isinstance(error, asyncio.CancelledError):
        task = asyncio.current_task()
        return task is None or task.cancelling() > 0
    return isinstance(error, GeneratorExit)


def _fits(wanted: dict[str, Any], given: dict[str, Any]) -> bool:
    return all(name in given and _same(value, given[name]) for name, value in wanted.items())


def _same(one: Any, two: Any) -> bool:
    """Whether two JSON values are equal: 12 is 12.0, true is not 1, "12" is not 12."""
    return _plain(one) == _plain(two)


def _plain(value: Any) -> bytes:
    def walk(part: Any) -> Any:
        if isinstance(part, float) and part.is_integer():
            return int(part)
        if isinstance(part, dict):
            return {key: walk(item) for key, item in cast("dict[str, Any]", part).items()}
        if isinstance(part, list):
            return [walk(item) for item in cast("list[Any]", part)]
        return part

    return msgspec.json.encode(walk(value), order="deterministic")
