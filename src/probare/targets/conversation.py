"""A conversation, led by the harness: the user's side speaks, the agent answers, until it ends.

The user's messages and the agent's answers are recorded as observed, each with the number of its
turn (the attribute `turn`, from 1), so that a turn can be judged from the transcript alone. A last
note says how a conversation ended: `script` (all was said), `goal_reached`, `gave_up`, `max_turns`,
`agent`. A case that is none is one message and its answer, without that note.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Protocol

import msgspec
from msgspec import UNSET

from probare.errors import InfraError
from probare.grading.turns import ENDED, MARK, text_of
from probare.model.case import AgentStop, Case
from probare.model.event import EventBase, Message, Note, Source, ToolCall, Usage
from probare.model.outcome import SIMULATED
from probare.ports.chat import ChatModels, ChatReply
from probare.ports.target import TrialCall
from probare.targets.recorder import Recorder


class Exchange(msgspec.Struct, frozen=True):
    """What the user said, and the agent's answer to it; UNSET where it gave none."""

    user: str
    output: Any = UNSET


class Ended(msgspec.Struct, frozen=True):
    """The user's side ends the conversation; `why` is one word, `said` a parting message."""

    why: str
    said: str = ""


class UserSide(Protocol):
    """Who plays the user."""

    async def says(self, so_far: Sequence[Exchange]) -> str | Ended:
        """Return the user's next message, or that the conversation ends. Raises InfraError."""
        ...


class Script:
    """A user who says what is written, whatever the agent answers."""

    def __init__(self, turns: Sequence[str]) -> None:
        self._turns = turns

    async def says(self, so_far: Sequence[Exchange]) -> str | Ended:
        """Return the next line of the script."""
        done = len(so_far)
        return self._turns[done] if done < len(self._turns) else Ended("script")


Answering = Callable[[str, Sequence[Exchange], int], Awaitable[Any]]
"""Answers a message, given what was said before and the turn's number (from 1): returns the output,
UNSET where there is none, and has put it into the recorder."""


async def converse(case: Case, user: UserSide, answer: Answering, recorder: Recorder) -> None:
    """Lead a conversation to its end. Raises what either side raises."""
    recorder.observe("messages")
    own = {} if case.simulate is None else {SIMULATED: True}
    stop = AgentStop() if case.simulate is None else case.simulate.stop
    so_far: list[Exchange] = []
    while True:
        said = await user.says(so_far)
        if isinstance(said, Ended):
            break
        turn = len(so_far) + 1
        first = len(recorder.events)
        recorder.restart()
        recorder.append(
            Message, source="observed", role="user", content=said, attributes={MARK: turn, **own}
        )
        output = await answer(said, so_far, turn)
        so_far.append(Exchange(said, output))
        if case.simulate is not None and _ends(stop, output, recorder.events[first:]):
            said = Ended("agent")
            break
    if not case.converses:
        return
    parting = {"said": said.said} if said.said else {}
    recorder.append(
        Note,
        source="observed",
        text=f"the conversation ended: {said.why}",
        data={ENDED: said.why, "turns": len(so_far), **parting},
        attributes=own,
    )


def record_answer(
    recorder: Recorder,
    output: Any,
    turn: int,
    *,
    source: Source = "observed",
    attributes: Mapping[str, Any] = MappingProxyType({}),
) -> None:
    """Record the agent's answer to a turn."""
    recorder.append(
        Message,
        source=source,
        role="assistant",
        content=output,
        attributes={MARK: turn, **attributes},
    )


def record_usage(recorder: Recorder, reply: ChatReply, *, attributes: dict[str, Any]) -> None:
    """Record what a reply cost. A provider that tells nothing has used what nobody knows."""
    usage = reply.usage
    recorder.append(
        Usage,
        source="replayed" if reply.cached else "observed",
        input_tokens=None if usage is None else usage.input_tokens,
        output_tokens=None if usage is None else usage.output_tokens,
        cached_tokens=None if usage is None else usage.cached_tokens,
        cost_usd=None if usage is None else usage.cost_usd,
        model=reply.model,
        attributes=attributes,
    )


def models_for_user(chat: ChatModels | None) -> ChatModels:
    """Return the models that a simulated user is played by. Raises InfraError where there are
    none.
    """
    if chat is None:
        raise InfraError(
            "the case's user is simulated, and there are no chat models to be had",
            hint="pip install 'probare[models]'",
            retryable=False,
        )
    return chat


def trial_key(call: TrialCall) -> str:
    """Return what tells one trial of a run from all others."""
    return f"{call.seed}/{call.case.id}/{call.trial}"


def _ends(stop: AgentStop, output: Any, events: Sequence[EventBase]) -> bool:
    """Whether the agent ended the conversation: it answered nothing, called the tool that ends
    it, or said the words.
    """
    if output is UNSET:
        return True
    if any(isinstance(event, ToolCall) and event.name in stop.tools for event in events):
        return True
    text = str(text_of(output)).casefold()
    return any(words.casefold() in text for words in stop.texts)
