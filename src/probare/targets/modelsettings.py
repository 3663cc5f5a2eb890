"""Settings of a `model` target: which model, what it is told, which tools it has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta

from probare.model.case import Case
from probare.model.suite import TargetSpec
from probare.ports.chat import name_fault
from probare.ports.target import SettingFault
from probare.targets import modelprompt
from probare.targets.jsonfit import schema_fault

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")
_FUNCTION = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*\Z")
_MOST_TOLD = 5
_Text = Annotated[str, Meta(min_length=1)]


class FewShot(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A message that stands before the case's own, such as an example."""

    role: Literal["user", "assistant"]
    content: _Text


class CannedResult(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """What a tool answers to a call with these `arguments` (others may stand beside them): a
    `result`, or an `error`.
    """

    arguments: dict[str, Any]
    result: Any = UNSET
    error: _Text | None = None


class ToolSettings(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """A tool: a Python function beside the suite (`python: module:function`), or canned answers.

    A function's name, description and parameters are its own unless they are given. Of canned
    `results` the first whose arguments fit answers, else `result` or `error`.
    """

    python: str | None = None
    name: str | None = None
    description: str | None = None
    parameters: dict[str, Any] | None = None
    results: list[CannedResult] = []
    result: Any = UNSET
    error: _Text | None = None


class ModelSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`model`: a chat model, `provider:name`.

    `prompt` makes the user's message of a case (by default its whole input), `system` the
    instructions; both are templates, or files (.md, .txt) of such. `messages` stand before the
    user's. `tools` are functions (`module:function`) or canned. `output` is a JSON Schema that
    the answer should keep to. `seed` is sent as it is, `trial` sends each trial's own. A model
    that still asks for tools in its `max_steps`-th reply to a message has reached a limit.
    """

    model: _Text
    prompt: _Text | None = None
    system: _Text | None = None
    messages: list[FewShot] = []
    tools: list[str | ToolSettings] = []
    temperature: Annotated[float, Meta(ge=0, le=2)] | None = None
    max_tokens: Annotated[int, Meta(ge=1)] | None = None
    seed: int | Literal["trial"] | None = None
    max_steps: Annotated[int, Meta(ge=1, le=1000)] = 10
    output: dict[str, Any] | None = None


def faults(
    spec: TargetSpec, settings: ModelSettings, cases: Iterable[Case]
) -> Iterator[SettingFault]:
    """Yield what is wrong with the settings, and with the prompts for these cases."""
    wrong = name_fault(settings.model)
    if wrong and not spec.missing:
        yield SettingFault(("model",), wrong)
    if settings.output is not None:
        wrong = schema_fault(settings.output)
        if wrong:
            yield SettingFault(("output",), wrong)
    yield from _tool_faults(settings.tools)
    asked = [case for case in cases if case.runner != "code"]
    for steps, text in texts_of(settings):
        try:
            template = modelprompt.parse(text)
        except ValueError as error:
            yield SettingFault(steps, str(error))
            continue
        for message in modelprompt.missing(template, "config", spec.config):
            yield SettingFault(steps, message)
        of_prompt = steps == ("prompt",)
        these = [case for case in asked if not (of_prompt and case.converses)]
        yield from _case_faults(steps, template, these)


def texts_of(settings: ModelSettings) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield the templates among settings, with the steps to them."""
    if settings.prompt is not None:
        yield ("prompt",), settings.prompt
    if settings.system is not None:
        yield ("system",), settings.system
    for index, message in enumerate(settings.messages):
        yield ("messages", index, "content"), message.content


def _case_faults(
    steps: tuple[str | int, ...], template: modelprompt.Template, cases: Iterable[Case]
) -> Iterator[SettingFault]:
    told: dict[str, int] = {}
    for case in cases:
        for message in modelprompt.missing(template, "input", case.input):
            told[message] = told.get(message, 0) + 1
            if told[message] <= _MOST_TOLD:
                yield SettingFault(steps, f"case '{case.id}': {message}")
    for message, count in told.items():
        if count > _MOST_TOLD:
            yield SettingFault(steps, f"{message} (and so for {count - _MOST_TOLD} more cases)")


def _tool_faults(tools: Iterable[str | ToolSettings]) -> Iterator[SettingFault]:
    seen: set[str] = set()
    for index, tool in enumerate(tools):
        given = ToolSettings(python=tool) if isinstance(tool, str) else tool
        found = _python_faults(given) if given.python is not None else _canned_faults(given)
        for steps, message, hint in found:
            within = () if isinstance(tool, str) else steps
            yield SettingFault(("tools", index, *within), message, hint)
        name = named(given)
        if name in seen:
            yield SettingFault(("tools", index), f"there is a tool '{name}' already")
        elif name and not _NAME.match(name):
            hint = "letters, digits, _ and -, at most 64"
            yield SettingFault(("tools", index), f"'{name}' is no name of a tool", hint)
        seen.add(name)


def named(tool: ToolSettings) -> str:
    """Return the name that a model knows a tool by."""
    return tool.name or (tool.python or "").rpartition(":")[2].rpartition(".")[2]


_Found = tuple[tuple[str | int, ...], str, str]


def _python_faults(tool: ToolSettings) -> Iterator[_Found]:
    if _FUNCTION.match(tool.python or "") is None:
        message = f"'{tool.python}' names no function"
        yield ("python",), message, "write module:function; a tool with canned answers has a name"
    for key, given in (
        ("parameters", tool.parameters is not None),
        ("results", bool(tool.results)),
        ("result", tool.result is not UNSET),
        ("error", tool.error is not None),
    ):
        if given:
            yield (key,), f"a Python function has no {key} here", "its signature says them"


def _canned_faults(tool: ToolSettings) -> Iterator[_Found]:
    if tool.name is None:
        yield (), "the tool has neither a name nor `python: module:function`", ""
    if tool.parameters is not None:
        wrong = schema_fault(tool.parameters)
        if not wrong and tool.parameters.get("type", "object") != "object":
            wrong = "the arguments of a tool are an object"
        if wrong:
            yield ("parameters",), wrong, ""
    if tool.result is UNSET and tool.error is None and not tool.results:
        yield (), "the tool answers nothing", "give it result, error or results"
    if tool.result is not UNSET and tool.error is not None:
        yield ("error",), "result and error both stand here", "keep one of them"
    for index, each in enumerate(tool.results):
        if (each.result is UNSET) == (each.error is None):
            yield ("results", index), "should have a result or an error, one of them", ""
