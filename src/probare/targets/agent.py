"""The user's agent: what it is, what it wants to be called with, and the call itself.

An agent is a function (sync, async, generator or async generator), or a class, or an object,
with a method `run` or `__call__`. A class is made once a run, with those of `config` and
`model` that its constructor names; its `set_up()` and `tear_down()`, sync or async, are called
before the first trial and after the last. In a conversation it is called once a turn, and may name
`message`, `history` and `turn` too.
"""

from __future__ import annotations

import asyncio
import copy
import functools
import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias, TypeVar, cast

import msgspec

from probare.errors import InputError, TargetError, did_you_mean
from probare.grading import usercode
from probare.model.case import Case
from probare.targets.faults import safe_message, trimmed
from probare.targets.recorder import Recorder
from probare.targets.values import a_type, copied

T = TypeVar("T")

Way: TypeAlias = Literal["plain", "coroutine", "async_generator"]


class Blocking(Protocol):
    """Runs blocking code where it stalls nobody."""

    async def __call__(self, function: Callable[[], T]) -> T:
        """Return what `function` returns."""
        ...


class Given(msgspec.Struct, frozen=True, kw_only=True):
    """What one trial has to offer to an agent.

    In a conversation, `message` is what the user says now, `history` the messages before it
    (role and content), `turn` its number, from 1.
    """

    case: Case
    recorder: Recorder
    trial: int = 0
    seed: int = 0
    config: dict[str, Any] = {}
    workspace: Path | None = None
    model: str | None = None
    message: str | None = None
    history: tuple[dict[str, Any], ...] = ()
    turn: int = 0


_OFFERED: dict[str, Callable[[Given], Any]] = {
    "input": lambda given: copied(given.case.input),
    "recorder": lambda given: given.recorder,
    "case": lambda given: copy.deepcopy(given.case),
    "trial": lambda given: given.trial,
    "seed": lambda given: given.seed,
    "config": lambda given: copied(given.config),
    "workspace": lambda given: given.workspace,
    "model": lambda given: given.model,
}
_IN_A_TURN: dict[str, Callable[[Given], Any]] = {
    **_OFFERED,
    "input": lambda given: given.message if given.case.input is None else copied(given.case.input),
    "message": lambda given: given.message,
    "history": lambda given: copied(given.history),
    "turn": lambda given: given.turn,
}
NAMES = tuple(_OFFERED)
_AT_SET_UP = ("config", "model")

_Offers = tuple[tuple[str, Callable[[Given], Any]], ...]


class Agent:
    """An agent made ready: `call` hands it those of a trial's offers that it names."""

    def __init__(self, function: Callable[..., Any], owner: Any = None) -> None:
        self.function = function
        self.owner = owner
        self.way: Way = _way(function)
        self._fault: InputError | None = None
        self._alone: tuple[_Offers, _Offers] = ((), ())
        try:
            self._alone = _wanted(function, _OFFERED, "input")
        except InputError as error:
            self._fault = error
        try:
            self._in_a_turn = _wanted(function, _IN_A_TURN, "message")
        except InputError as error:
            raise self._fault or error from None

    def call(self, given: Given) -> Any:
        """Call the agent; the answer may be a value, an awaitable or a generator.

        Raises TargetError where the agent asks for a conversation and the case is none, or the
        other way round.
        """
        talking = given.message is not None
        if not talking and self._fault is not None:
            raise TargetError(
                self._fault.message, hint="the case is no conversation: it has no turns"
            )
        positional, keywords = self._in_a_turn if talking else self._alone
        if talking and not self._hears(given):
            raise TargetError(
                "the agent takes no `message`, so it cannot hear the user",
                hint="name a parameter `message` (the case has an `input` beside it)",
            )
        args = [offer(given) for _, offer in positional]
        return self.function(*args, **{name: offer(given) for name, offer in keywords})

    def _hears(self, given: Given) -> bool:
        offers = {id(offer) for offers in self._in_a_turn for _, offer in offers}
        by_input = given.case.input is None and id(_IN_A_TURN["input"]) in offers
        return by_input or id(_IN_A_TURN["message"]) in offers


async def call_hook(agent: Agent, name: Literal["set_up", "tear_down"], blocking: Blocking) -> None:
    """Call the agent's own set-up or tear-down, if it has one.

    Raises InputError where its set-up fails, TargetError where its tear-down does.
    """
    hook = getattr(agent.owner, name, None)
    if not callable(hook):
        return
    try:
        if inspect.iscoroutinefunction(hook):
            await hook()
        else:
            fault = await blocking(lambda: _raised_by(hook))
            if fault is not None:
                raise fault
    except asyncio.CancelledError:
        raise
    except InputError:
        raise  # the agent says itself what it lacks, a key or a file, and what to do
    except BaseException as error:
        kind = InputError if name == "set_up" else TargetError
        raise kind(
            f"the target's {name} failed: {safe_message(error)}", hint=trimmed(error)
        ) from error


def _raised_by(hook: Callable[[], Any]) -> BaseException | None:
    try:
        hook()
    except BaseException as error:
        return error
    return None


def find(named: Any, folder: Path | None) -> Any:
    """Return the object that `module:name` names, or the object itself where it is one.

    Raises InputError where it cannot be had, also where its module exits.
    """
    if not isinstance(named, str):
        return named
    try:
        return usercode.load(named, folder)
    except (SystemExit, KeyboardInterrupt) as error:
        raise InputError(
            f"module '{named.partition(':')[0]}' cannot be imported: it raised "
            f"{type(error).__name__}",
            hint='put what the module does as a program under `if __name__ == "__main__":`',
        ) from error


def prepare(found: Any, *, config: dict[str, Any], model: str | None) -> Agent:
    """Make an agent ready. Raises InputError where it is none, or wants what is not offered."""
    function, owner = found, None
    if isinstance(found, type):
        function = owner = _made(cast("type[Any]", found), config, model)
    elif not _is_function(found):
        owner = found
    if owner is not None:
        run = getattr(owner, "run", None)
        function = run if callable(run) else owner
    if not callable(function):
        raise InputError(
            f"the target is {a_type(found)}, which is no agent",
            hint="name a function, or a class with a method `run`",
        )
    return Agent(function, owner)


def _is_function(found: Any) -> bool:
    return inspect.isroutine(found) or isinstance(found, functools.partial)


def _made(kind: type[Any], config: dict[str, Any], model: str | None) -> Any:
    offered = {"config": copied(config), "model": model}
    parameters = _parameters(kind)
    known = [p for p in parameters if p.name in offered]
    strange = [p.name for p in parameters if _required(p) and p.name not in offered]
    if strange:
        raise _cannot_give(f"the constructor of {kind.__name__}", strange, _AT_SET_UP)
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        keywords = offered
    else:
        keywords = {p.name: offered[p.name] for p in known}
    try:
        return kind(**keywords)
    except (Exception, SystemExit) as error:
        raise InputError(
            f"{kind.__name__} cannot be made: {safe_message(error)}",
            hint="the class of a target is made once, before the first trial",
        ) from error


def _way(function: Callable[..., Any]) -> Way:
    inner: Any = function
    while isinstance(inner, functools.partial):
        inner = cast("Any", inner).func
    if not inspect.isroutine(inner) and not isinstance(inner, type):
        inner = inner.__call__
    if inspect.isasyncgenfunction(inner):
        return "async_generator"
    return "coroutine" if inspect.iscoroutinefunction(inner) else "plain"


def _wanted(
    function: Callable[..., Any], offered: dict[str, Callable[[Given], Any]], main: str
) -> tuple[_Offers, _Offers]:
    """Return what to pass by place and what by name.

    A parameter named like an offer gets it, `**kwargs` gets all that are not named, and where
    neither the main offer nor `input` is named, the one parameter of another name gets the main
    one: the one that has no default, or the only one there is.
    """
    parameters = _parameters(function)
    if parameters is _UNKNOWN:
        return ((main, offered[main]),), ()
    plain = [p for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    names = {p.name: p.name for p in plain if p.name in offered}
    strange = [p.name for p in plain if _required(p) and p.name not in offered]
    if len(plain) == 1 and plain[0].name not in offered:
        strange = [plain[0].name]
    if not names.keys() & {main, "input"} and len(strange) == 1:
        names[strange[0]] = main
    elif strange:
        raise _cannot_give("the agent", strange, NAMES)
    by_place = [p for p in plain if p.kind is p.POSITIONAL_ONLY]
    positional = [(p.name, offered[names[p.name]]) for p in by_place if p.name in names]
    if any(p.name not in names for p in by_place[: len(positional)]):
        raise _cannot_give("the agent", [p.name for p in by_place if p.name not in names], NAMES)
    placed = {p.name for p in by_place}
    keywords = [(p, offered[name]) for p, name in names.items() if p not in placed]
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        given = set(names.values())
        keywords += [(name, offer) for name, offer in offered.items() if name not in given]
    elif not plain and any(p.kind is p.VAR_POSITIONAL for p in parameters):
        positional = [(main, offered[main])]
    return tuple(positional), tuple(keywords)


_UNKNOWN: list[inspect.Parameter] = []


def _parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return _UNKNOWN


def _required(parameter: inspect.Parameter) -> bool:
    if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
        return False
    return parameter.default is parameter.empty


def _cannot_give(who: str, strange: Sequence[str], offered: Sequence[str]) -> InputError:
    names = ", ".join(f"'{name}'" for name in strange)
    near = did_you_mean(strange[0], offered)
    return InputError(
        f"{who} asks for {names}, which no trial offers",
        hint=(f"{near}; " if near else "") + f"there are {', '.join(offered)}",
    )
