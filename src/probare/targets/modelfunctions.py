"""Python functions beside the suite as tools of a model.

pydantic-ai's tools give the schema of a function (its signature and its docstring) and check the
arguments; the harness makes the call.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

from probare.errors import InputError, MissingExtra
from probare.grading import usercode
from probare.ports.chat import ChatTool
from probare.ports.target import Executor
from probare.targets.modelsettings import ToolSettings, named
from probare.targets.modeltools import CannedTool, Tool, Toolbox, ToolFault
from probare.targets.recorder import Recorder

_RECORDER = "recorder"


def load(settings: Sequence[str | ToolSettings], folder: Path, executor: Executor) -> Toolbox:
    """Return the tools, their functions imported. Raises InputError where one cannot be had."""
    tools: list[Tool] = []
    for each in settings:
        given = ToolSettings(python=each) if isinstance(each, str) else each
        made = CannedTool(given) if given.python is None else function(given, folder, executor)
        tools.append(made)
    return Toolbox(tools)


class FunctionTool:
    """A Python function, with the schema that pydantic-ai makes of its signature and docstring.

    A parameter `recorder` is the harness's: it takes the trial's Recorder, and is not told to
    the model.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        told: ChatTool,
        validate: Callable[[Any], dict[str, Any]],
        executor: Executor,
        *,
        with_recorder: bool,
    ) -> None:
        self._function = function
        self._validate = validate
        self._executor = executor
        self._with_recorder = with_recorder
        self.told = told

    async def answer(self, arguments: dict[str, Any], recorder: Recorder) -> Any:
        """Call the function with checked arguments: on a thread, or on the loop if it is async."""
        keywords = self._validate(arguments)
        if self._with_recorder:
            keywords[_RECORDER] = recorder
        if inspect.iscoroutinefunction(self._function):
            return await self._function(**keywords)
        value, error = await self._executor.call(lambda: _tried(self._function, keywords))
        if error is not None:
            raise error
        return await value if inspect.isawaitable(value) else value


def function(settings: ToolSettings, folder: Path, executor: Executor) -> FunctionTool:
    """Return the tool that a function beside the suite is."""
    try:
        from pydantic import ValidationError
        from pydantic_ai import Tool as PydanticTool
        from pydantic_ai.exceptions import UserError
    except ImportError:
        raise MissingExtra("pydantic-ai-slim", "models") from None
    reference = settings.python or ""
    found = usercode.load(reference, folder)
    parameters = _parameters(found, reference)
    with_recorder = any(each.name == _RECORDER for each in parameters)
    try:
        made: Any = PydanticTool(
            _without_recorder(found, parameters) if with_recorder else found,
            takes_ctx=False,
            name=named(settings),
            description=settings.description,
        )
    except (UserError, TypeError, NameError) as error:
        raise InputError(f"tool '{reference}' has no schema: {error}") from error
    schema = made.function_schema

    def validate(arguments: dict[str, Any]) -> dict[str, Any]:
        try:
            return dict(schema.validator.validate_python(arguments))
        except ValidationError as error:
            found = error.errors(include_url=False, include_context=False)
            wrong = "; ".join(f"{_place(each['loc'])}: {each['msg']}" for each in found[:5])
            raise ToolFault(f"the arguments do not fit: {wrong}") from None

    told = ChatTool(
        name=made.name,
        description=made.tool_def.description or "",
        parameters=made.tool_def.parameters_json_schema,
    )
    return FunctionTool(found, told, validate, executor, with_recorder=with_recorder)


def _parameters(found: Any, reference: str) -> list[inspect.Parameter]:
    if not inspect.isroutine(found) and not isinstance(found, functools.partial):
        raise InputError(f"tool '{reference}' is no function")
    try:
        parameters = list(inspect.signature(cast("Any", found)).parameters.values())
    except (TypeError, ValueError) as error:
        raise InputError(f"tool '{reference}' shows no signature: {error}") from error
    for each in parameters:
        if each.kind in (each.POSITIONAL_ONLY, each.VAR_POSITIONAL):
            raise InputError(
                f"tool '{reference}' takes '{each.name}' by place",
                hint="a model gives arguments by their names",
            )
    return parameters


def _without_recorder(
    found: Callable[..., Any], parameters: Sequence[inspect.Parameter]
) -> Callable[..., Any]:
    """Return a stand-in for a function, whose signature lacks the harness's own parameter."""

    def shown(**_: Any) -> Any: ...

    stand_in: Any = functools.update_wrapper(shown, found)
    del stand_in.__wrapped__
    kept = [each for each in parameters if each.name != _RECORDER]
    hints: dict[str, Any] = dict(inspect.get_annotations(found))
    hints.pop(_RECORDER, None)
    stand_in.__signature__ = inspect.signature(found).replace(parameters=kept)
    stand_in.__annotations__ = hints
    return stand_in


def _tried(
    function: Callable[..., Any], keywords: dict[str, Any]
) -> tuple[Any, BaseException | None]:
    """Return what a function returns, or what it raises, as values: not even SystemExit may end
    the thread.
    """
    try:
        return function(**keywords), None
    except BaseException as error:
        return None, error


def _place(steps: Sequence[str | int]) -> str:
    return ".".join(map(str, steps)) or "the arguments"
