"""`@grader`: a function made into a grader, for scripts and for plug-ins.

    from probare import grader

    @grader
    def polite(text: str, *, strict: bool = False) -> bool:
        "The text says please."
        return "please" in (text if strict else text.lower())

What comes back is the Grader class itself, to be handed to `run(graders=[polite])` or named in
the entry point group `probare.graders`. Nothing is registered anywhere.
"""

from __future__ import annotations

import copy
import inspect
import re
import types
import typing
from collections.abc import Callable
from functools import partial
from typing import Any, cast, overload

import msgspec

from probare.graders import answers
from probare.grading import placeholders
from probare.grading.ready import COMBINATORS
from probare.model.case import Check
from probare.model.event import Channel
from probare.model.verdict import Verdict
from probare.ports.grader import Grader, TrialView

_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")
_TAKEN = frozenset({*COMBINATORS, *Check.__struct_encode_fields__} - {"grader"})
_ATTRIBUTES = frozenset(name for name in dir(Grader) if not name.startswith("__"))


@overload
def grader(function: Callable[..., Any], /) -> type[Grader]: ...
@overload
def grader(
    name: str | None = None,
    /,
    *,
    version: str = "1",
    looks_at: str = "$text",
    evidence: tuple[Channel, ...] = (),
    blocking: bool = True,
) -> Callable[[Callable[..., Any]], type[Grader]]: ...
def grader(
    name: str | Callable[..., Any] | None = None,
    /,
    *,
    version: str = "1",
    looks_at: str = "$text",
    evidence: tuple[Channel, ...] = (),
    blocking: bool = True,
) -> Any:
    """Make a grader of a function.

    The function's first parameter is what the check looks at; one named `trial` is given the
    trial (where that is the first, the grader looks at the trial alone); the others are the
    check's arguments, with their types and defaults, and the first of them is what a bare
    argument fills. Its docstring is its page in the catalogue, `FUNCTION` the function itself.
    It may return what the grader `python` takes: true or false, a score, (answer, reason), a
    Verdict.

    `name` is what suites write (the function's own name); raise `version` when a verdict can
    change; `looks_at` is the default of `in`; with `evidence` the answer is unknown where
    events of these channels are only claimed. `blocking=False` is for functions that take
    microseconds: all others are called on a thread. Raises TypeError or ValueError for a
    function that cannot be one.
    """

    def make(function: Callable[..., Any]) -> type[Grader]:
        own_name = cast("str", getattr(function, "__name__", ""))
        return _made(
            function,
            name if isinstance(name, str) else own_name,
            version=version,
            looks_at=looks_at,
            evidence=evidence,
            blocking=blocking,
        )

    return make(name) if callable(name) else make


def _made(
    function: Callable[..., Any],
    name: str,
    *,
    version: str,
    looks_at: str,
    evidence: tuple[Channel, ...],
    blocking: bool,
) -> type[Grader]:
    _check_name(name)
    if placeholders.parse(looks_at) is None:
        raise ValueError(f"looks_at should be a placeholder such as $text, is '{looks_at}'")
    parameters = list(inspect.signature(function).parameters.values())
    _check_parameters(name, parameters)
    over_trial = parameters[0].name == "trial"
    arguments = [p for p in parameters[0 if over_trial else 1 :] if p.name != "trial"]
    takes_trial = any(parameter.name == "trial" for parameter in parameters)
    hints = _hints(function, arguments, name)

    def grade(self: Any, seen: Any, trial: TrialView) -> Verdict:
        given = {p.name: getattr(self, p.name) for p in arguments}
        if takes_trial:
            given["trial"] = trial
        return answers.ask(function, () if over_trial else (seen,), given, name)

    kind = msgspec.defstruct(
        getattr(function, "__name__", name),
        [_field(parameter, hints.get(parameter.name, Any)) for parameter in arguments],
        bases=(Grader,),
        namespace={
            "__doc__": inspect.getdoc(function) or f"The function {name} says whether it holds.",
            "__qualname__": getattr(function, "__qualname__", name),
            "NAME": name,
            "VERSION": version,
            "MAIN": arguments[0].name if arguments else None,
            "LOOKS_AT": None if over_trial else looks_at,
            "EVIDENCE": tuple(evidence),
            "BLOCKING": blocking or inspect.iscoroutinefunction(function),
            "FUNCTION": staticmethod(function),
            "grade": grade,
        },
        module=function.__module__,
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
    )
    return cast("type[Grader]", kind)


def _check_name(name: str) -> None:
    if not _NAME.match(name):
        raise ValueError(f"'{name}' is no name for a grader: write it like `polite_reply`")
    if name in _TAKEN:
        raise ValueError(f"a grader cannot be named '{name}': the word has a meaning in checks")


def _check_parameters(name: str, parameters: list[inspect.Parameter]) -> None:
    if not parameters:
        raise TypeError(f"{name}: the function takes no parameter for what is looked at")
    first = parameters[0]
    if first.kind is first.KEYWORD_ONLY and first.name != "trial":
        raise TypeError(f"{name}: the first parameter takes what is looked at, by position")
    for parameter in parameters:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise TypeError(f"{name}: a grader's arguments have names: no *{parameter.name}")
    for parameter in parameters[1:]:
        if parameter.kind is parameter.POSITIONAL_ONLY:
            raise TypeError(f"{name}: parameter '{parameter.name}' cannot be given by name")
        if parameter.name in _ATTRIBUTES:
            raise TypeError(f"{name}: a parameter cannot be named '{parameter.name}'")


def _hints(
    function: Callable[..., Any], arguments: list[inspect.Parameter], name: str
) -> dict[str, Any]:
    """Return the types of the arguments alone; what else is annotated need not be importable."""
    given = {p.name: p.annotation for p in arguments if p.annotation is not p.empty}
    holder: Any = types.SimpleNamespace(__annotations__=given)
    names: dict[str, Any] = getattr(inspect.unwrap(function), "__globals__", {})
    try:
        return typing.get_type_hints(holder, names, include_extras=True)
    except NameError as error:
        raise TypeError(
            f"{name}: a parameter's type cannot be found: {error} "
            "(types of a grader's arguments are looked up at module level)"
        ) from None


def _field(parameter: inspect.Parameter, kind: Any) -> tuple[str, Any] | tuple[str, Any, Any]:
    default: Any = parameter.default
    if default is parameter.empty:
        return parameter.name, kind
    if isinstance(default, list | dict | set | bytearray):
        fresh: Any = msgspec.field(default_factory=partial(copy.deepcopy, cast("Any", default)))
        return parameter.name, kind, fresh
    return parameter.name, kind, default
