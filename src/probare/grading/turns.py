"""Turns of a conversation, read from a trial's events alone.

A turn begins with a message of the user and ends before the next one. Where the harness led the
conversation, its own messages say which turn they belong to (the attribute `turn`, from 1); where
it did not (a recording), every message of the user that is evidence begins one. What the agent
only claims was said is no turn, unless its target declares `trust: claimed`.

An attempt that was tried again left its turns too: their events are kept beside those of the last
attempt, whose answers hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeGuard

import msgspec
from msgspec import UNSET

from probare.encoding import jsonbytes
from probare.encoding.narrow import mapping
from probare.errors import GraderError
from probare.grading.evidence import believed
from probare.model.event import Attempt, Event, EventBase, Message, Note
from probare.model.outcome import Outcome, agent_usage
from probare.ports.grader import TrialView

MARK = "turn"
ENDED = "conversation_ended"


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """One turn: what the user said, what the agent answered, and all that happened.

    `output` is the last answer, `text` its text; both are UNSET where the agent did not answer.
    `usage` is the agent's own, UNSET where none is recorded.
    """

    user: Any
    output: Any = UNSET
    text: Any = UNSET
    events: tuple[Event, ...] = ()
    usage: Any = UNSET


def turns_of(trial: TrialView) -> tuple[Turn, ...]:
    """Return the turns of a trial, in order; empty where it shows no conversation."""
    transcript = trial.whole or trial.transcript
    gathered: dict[int, list[Event]] = {}
    last: dict[int, list[Event]] = {}
    for events in _attempts(transcript.events):
        last = _turns(events, trial)
        for number, own in last.items():
            gathered.setdefault(number, []).extend(own)
    return tuple(_turn(own, last.get(n, []), trial) for n, own in sorted(gathered.items()))


def ended(trial: TrialView) -> Any:
    """Return how the conversation ended, in one word; UNSET where the harness led none."""
    transcript = trial.whole or trial.transcript
    for event in reversed(transcript.events):
        if isinstance(event, Note) and event.source != "claimed":
            word = mapping(event.data).get(ENDED)
            if isinstance(word, str):
                return word
    return UNSET


def of_turn(trial: TrialView, index: int) -> TrialView:
    """Return a trial seen as if one turn of it, counted from 0, were all of it.

    Raises GraderError where the turn was never reached.
    """
    found = turns_of(trial)
    if index >= len(found):
        had = "1 turn" if len(found) == 1 else f"{len(found)} turns"
        raise GraderError(f"turn {index + 1} was never reached: the conversation had {had}")
    turn = found[index]
    whole = trial.whole or trial.transcript
    own = msgspec.structs.replace(whole, events=turn.events, outcome=Outcome(output=turn.output))
    return msgspec.structs.replace(
        trial, transcript=own, whole=whole, duration_ms=None, first_token_ms=None
    )


def text_of(output: Any) -> Any:
    """Return the text of an output: the string itself, the `text` key of a mapping that has
    one as a string, else its compact JSON. UNSET stays UNSET.
    """
    if isinstance(output, str) or output is UNSET:
        return output
    text = mapping(output).get("text")
    return text if isinstance(text, str) else jsonbytes.encode(output).decode()


def _attempts(events: Sequence[Event]) -> list[list[Event]]:
    """Return the events of each attempt; the harness notes attempts only where there are some."""
    found: list[list[Event]] = [[]]
    for event in events:
        if isinstance(event, Attempt) and event.operation == "trial" and event.source != "claimed":
            found.append([])
        else:
            found[-1].append(event)
    return found[:-1] if len(found) > 1 else found


def _turns(events: Sequence[Event], trial: TrialView) -> dict[int, list[Event]]:
    """Return the events of each turn of one attempt, by its number from 1."""
    marked = any(_is_start(event) for event in events)
    found: dict[int, list[Event]] = {}
    number = 0
    answered = True
    for event in events:
        if _is_end(event):
            break
        if marked:
            number = _mark(event) if _is_start(event) else number
        elif isinstance(event, Message) and event.role == "user" and believed(event, trial):
            number += answered
            answered = False
        else:
            answered = True
        if number:
            found.setdefault(number, []).append(event)
    return found


def _turn(events: list[Event], last: list[Event], trial: TrialView) -> Turn:
    said = next((e.content for e in last or events if _is_user(e)), None)
    answers = [e for e in last if isinstance(e, Message) and e.role == "assistant"]
    if any(_is_start(event) for event in last):
        answers = [answer for answer in answers if _mark(answer)]
    output = next((a.content for a in reversed(answers) if believed(a, trial)), UNSET)
    output = UNSET if output is None else output
    usage = agent_usage(events)
    return Turn(
        user=said,
        output=output,
        text=text_of(output),
        events=tuple(events),
        usage=UNSET if usage is None else usage,
    )


def _is_user(event: EventBase) -> TypeGuard[Message]:
    return isinstance(event, Message) and event.role == "user"


def _is_start(event: EventBase) -> bool:
    return _is_user(event) and _mark(event) > 0


def _is_end(event: EventBase) -> bool:
    return isinstance(event, Note) and event.source != "claimed" and ENDED in mapping(event.data)


def _mark(event: EventBase) -> int:
    """Return the turn that the harness says a message belongs to; 0 where it says none."""
    number = event.attributes.get(MARK)
    if event.source == "claimed" or not isinstance(number, int) or isinstance(number, bool):
        return 0
    return max(number, 0)
