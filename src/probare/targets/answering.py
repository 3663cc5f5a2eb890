"""The call of an agent, and what its answer comes to."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, TypeVar, cast

import msgspec
from msgspec import UNSET

from probare.errors import LimitReached, TargetError, TrialError
from probare.model.event import EventBase
from probare.model.outcome import Outcome
from probare.targets import faults, limits
from probare.targets.agent import Agent, Blocking, Given
from probare.targets.claims import artifact_paths
from probare.targets.recorder import Recorder
from probare.targets.tape import MAX_EVENTS
from probare.targets.values import a_type, to_json

T = TypeVar("T")


async def perform(agent: Agent, given: Given, blocking: Blocking) -> None:
    """Call the agent and put its outcome into the recorder.

    Raises TargetError where the answer is none, LimitReached where it is too long, and what
    the agent raises (of a plain function: as a TrialError already).
    """
    recorder = given.recorder
    if agent.way == "plain":
        answer = await blocking(lambda: _called(agent, given))
        if isinstance(answer, TrialError):
            raise answer
    else:
        answer = agent.call(given)
    if inspect.isawaitable(answer):
        answer = await answer
    if isinstance(answer, AsyncIterator):
        answer = await _joined_async(cast("AsyncIterator[Any]", answer), recorder)
    elif isinstance(answer, Iterator):
        pieces = cast("Iterator[Any]", answer)
        answer = await blocking(lambda: _guarded(lambda: _joined(pieces, recorder), recorder))
        if isinstance(answer, TrialError):
            raise answer
    settle(answer, recorder)


async def perform_in_own_loop(agent: Agent, given: Given, blocking: Blocking) -> None:
    """The same, with the whole of the agent on a thread: a coroutine gets a loop of its own."""

    async def here(function: Callable[[], T]) -> T:
        return function()

    def run() -> None:
        asyncio.run(perform(agent, given, here))

    fault = await blocking(lambda: _guarded(run, given.recorder))
    if isinstance(fault, TrialError):
        raise fault


def settle(answer: Any, recorder: Recorder) -> None:
    """Make the outcome of what an agent returned, and put it into the recorder."""
    outcome = _outcome(answer, recorder)
    if recorder.max_output is not None:
        cut = limits.fitted(outcome.output, recorder.max_output)
        if cut is not UNSET:
            recorder.finish(msgspec.structs.replace(outcome, output=cut, truncated=True))
            raise limits.too_long(recorder.max_output)
    recorder.finish(outcome)
    if outcome.truncated:
        raise TargetError("the agent says itself that its answer is cut off")
    if recorder.overflowed:
        raise LimitReached(
            f"the agent recorded more than {MAX_EVENTS:,} events",
            hint="does it loop? else record less",
        )


def _outcome(answer: Any, recorder: Recorder) -> Outcome:
    if answer is None or _is_empty(answer):
        if recorder.joined is UNSET and not recorder.events:
            raise TargetError(
                "the agent returned nothing and recorded nothing",
                hint="return the answer; where null is the answer, return Outcome(output=None)",
            )
        return _NOTHING_SET
    if not isinstance(answer, Outcome):
        return Outcome(output=to_json(answer))
    return Outcome(
        output=_part(answer.output, "returned as output"),
        state=_part(answer.state, "returned as state"),
        recorded=_part(answer.recorded, "returned as recorded"),
        artifacts=artifact_paths(answer.artifacts),
        truncated=bool(answer.truncated),
    )


_NOTHING_SET = Outcome()


def _is_empty(answer: Any) -> bool:
    if not isinstance(answer, Outcome) or answer.artifacts:
        return False
    return answer.output is UNSET and answer.state is UNSET and answer.recorded is UNSET


def _part(value: Any, what: str) -> Any:
    return UNSET if value is UNSET else to_json(value, what)


def _called(agent: Agent, given: Given) -> Any:
    """Call a plain function on this thread, and join its pieces here if it is a generator."""

    def call() -> Any:
        answer = agent.call(given)
        if isinstance(answer, Iterator):
            return _joined(cast("Iterator[Any]", answer), given.recorder)
        return answer

    return _guarded(call, given.recorder)


def _guarded(function: Callable[[], Any], recorder: Recorder) -> Any:
    """Return what a function returns, or, as a value, the TrialError of what it raises."""
    try:
        return function()
    except BaseException as error:
        return faults.of_agent(error, recorder)


def _joined(pieces: Iterator[Any], recorder: Recorder) -> Any:
    """Take the pieces of a generator; return its outcome, or what it returned at its end."""
    outcome: Outcome | None = None
    try:
        while not recorder.closed:
            try:
                piece = next(pieces)
            except StopIteration as end:
                return outcome if outcome is not None else end.value
            outcome = _take(piece, recorder, outcome)
    finally:
        close = getattr(pieces, "close", None)
        if close is not None:
            with contextlib.suppress(Exception):
                close()
    return outcome


async def _joined_async(pieces: AsyncIterator[Any], recorder: Recorder) -> Any:
    outcome: Outcome | None = None
    try:
        async for piece in pieces:
            outcome = _take(piece, recorder, outcome)
    finally:
        close = getattr(pieces, "aclose", None)
        if close is not None:
            with contextlib.suppress(Exception):
                await close()
    return outcome


def _take(piece: Any, recorder: Recorder, outcome: Outcome | None) -> Outcome | None:
    if isinstance(piece, str):
        recorder.piece(piece)
    elif isinstance(piece, EventBase):
        recorder.event(piece)
    elif isinstance(piece, Outcome):
        return piece
    else:
        raise TargetError(
            f"the agent yielded {a_type(piece)}",
            hint="yield pieces of text, events, or one Outcome",
        )
    return outcome
