"""What the agent did, read from events: tool calls and retrievals, and the receipts about them.

An act is *executed* once the tool's or retriever's callable is entered. Where what is wrapped is
a gateway that may still refuse (or a remote that tells of requests), a deny tied to the call
between the call and its failing result takes it back: that call was *refused*.

A receipt (a decision or an approval) is about an act where both have the same `call_id`, or where
its action, its resource or its attribute `tool` is the act's name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias, cast

import msgspec

from probare.encoding.narrow import mapping
from probare.errors import GraderError
from probare.graders import compare
from probare.model.event import (
    Approval,
    Attempt,
    Decision,
    Event,
    EventBase,
    Note,
    Retrieval,
    ToolCall,
    ToolResult,
)
from probare.ports.grader import TrialView

Receipt: TypeAlias = Decision | Approval
HARNESS_RETRY = "trial"


class Act(msgspec.Struct, frozen=True, kw_only=True):
    """A tool call or a retrieval. `at` and `end` are positions among the events; `end` is null
    where no result came. `retrieval` says which of the two it is.
    """

    name: str
    arguments: Any
    at: int
    end: int | None = None
    error: str | None = None
    call_id: str | None = None
    retrieval: bool = False
    attributes: dict[str, Any] = {}

    def __str__(self) -> str:
        return f"{self.name} (event {self.at})"


def events_of(seen: Any) -> Sequence[Event]:
    """Return the events looked at. Raises GraderError for what is no events."""
    if isinstance(seen, list | tuple):
        events = cast("Sequence[Any]", seen)
        if all(isinstance(event, EventBase) for event in events):
            return events
    raise GraderError("there are no events to look at", hint="leave `in` out, or $events")


def acts_in(events: Sequence[Event], names: Iterable[str] | None = None) -> list[Act]:
    """Return the acts among events, in order, those of `names` or all. A result without a call
    is an act too.
    """
    found: list[Act] = []
    waiting: dict[tuple[str, str | None], list[int]] = {}
    for at, event in enumerate(events):
        if isinstance(event, ToolCall):
            waiting.setdefault((event.name, event.call_id), []).append(len(found))
            found.append(_called(event, at))
        elif isinstance(event, ToolResult):
            index = _partner(waiting, event)
            if index is None:
                found.append(_answered(event, at))
            else:
                found[index] = msgspec.structs.replace(found[index], end=at, error=event.error)
        elif isinstance(event, Retrieval):
            found.append(_retrieved(event, at))
    wanted = None if names is None else frozenset(names)
    return [act for act in found if wanted is None or act.name in wanted]


def _partner(waiting: dict[tuple[str, str | None], list[int]], event: ToolResult) -> int | None:
    """Return the call that a result answers: of its id, else the last open one of its name."""
    open_calls = waiting.get((event.name, event.call_id))
    return open_calls.pop() if open_calls else None


def _called(event: ToolCall, at: int) -> Act:
    return Act(
        name=event.name,
        arguments=event.arguments,
        at=at,
        call_id=event.call_id,
        attributes=event.attributes,
    )


def _answered(event: ToolResult, at: int) -> Act:
    return Act(
        name=event.name,
        arguments=None,
        at=at,
        end=at,
        error=event.error,
        call_id=event.call_id,
        attributes=event.attributes,
    )


def _retrieved(event: Retrieval, at: int) -> Act:
    return Act(
        name=event.name,
        arguments=event.query,
        at=at,
        end=at,
        error=event.error,
        retrieval=True,
        attributes=event.attributes,
    )


def executed(events: Sequence[Event], names: Iterable[str] | None = None) -> list[Act]:
    """Return the acts that were executed: all but the refused ones."""
    return [act for act in acts_in(events, names) if not refused(act, events)]


def refused(act: Act, events: Sequence[Event]) -> bool:
    """Whether a deny tied to the call stands between it and its failing result; where no result
    came, one of the same `call_id` after it.
    """
    if act.retrieval or (act.end is not None and act.error is None):
        return False
    inside = events[act.at + 1 : act.end]
    return any(
        isinstance(event, Decision)
        and event.decision == "deny"
        and (is_about(event, act) if act.end is not None else _of_same_call(event, act))
        for event in inside
    )


def named_by(receipt: Receipt) -> set[str]:
    """Return the names that a receipt gives to what it is about."""
    names = (receipt.action, receipt.resource, receipt.attributes.get("tool"))
    return {name for name in names if isinstance(name, str) and name.strip()}


def is_about(receipt: Receipt, act: Act) -> bool:
    """Whether a receipt is about an act."""
    return _of_same_call(receipt, act) or act.name in named_by(receipt)


def _of_same_call(receipt: Receipt, act: Act) -> bool:
    return receipt.call_id is not None and receipt.call_id == act.call_id


def same_arguments(receipt: Receipt, act: Act) -> bool | None:
    """Whether a receipt is for the act's arguments; None where it names none."""
    bound, passed = receipt.attributes.get("arguments"), act.arguments
    if compare.kind_of(bound) != "object" or compare.kind_of(passed) != "object":
        return None
    return compare.same(bound, passed)


def decisions_in(events: Sequence[Event]) -> list[tuple[int, Decision]]:
    """Return the decisions with their positions."""
    return [(at, event) for at, event in enumerate(events) if isinstance(event, Decision)]


def approvals_in(events: Sequence[Event]) -> list[tuple[int, Approval]]:
    """Return the approvals with their positions."""
    return [(at, event) for at, event in enumerate(events) if isinstance(event, Approval)]


def attempts_in(events: Sequence[Event]) -> list[tuple[int, Attempt]]:
    """Return the agent's attempts with their positions, without the harness's own retries."""
    return [
        (at, event)
        for at, event in enumerate(events)
        if isinstance(event, Attempt) and event.operation != HARNESS_RETRY
    ]


def refuse_unreadable(events: Sequence[Event], kind: str) -> None:
    """Raise GraderError where an event of this kind came without what it has to say."""
    for at, event in enumerate(events):
        if isinstance(event, Note) and mapping(event.data).get("kind") == kind:
            raise GraderError(f"not observable: event {at}: {event.text}")


def refuse_unnamed(receipts: Iterable[tuple[int, Receipt]], *fields: str) -> None:
    """Raise GraderError where a receipt lacks one of the fields."""
    for at, receipt in receipts:
        for field in fields:
            if not (getattr(receipt, field) or "").strip():
                raise GraderError(
                    f"not observable: the {receipt.kind} of event {at} has no {field}"
                )


def completed(trial: TrialView) -> bool:
    """Whether the trial ran to its end, so that what is absent is absent."""
    return trial.stop == "completed"


def refuse_absence(trial: TrialView, what: str) -> None:
    """Raise GraderError where the trial broke off: that something is absent shows nothing."""
    if not completed(trial):
        raise GraderError(f"not observable: the trial broke off ({trial.stop}), {what} or not")


def from_input(trial: TrialView, *keys: str) -> Any:
    """Return what the case's input has under the first of these keys, or None."""
    given = mapping(trial.case.input)
    return next((given[key] for key in keys if given.get(key) is not None), None)


def names_from_input(trial: TrialView, *keys: str) -> tuple[str, ...] | None:
    """Return the names (one or several) that the case's input has under a key, or None. Raises
    GraderError where there is something else.
    """
    found = from_input(trial, *keys)
    if found is None:
        return None
    names = [found] if isinstance(found, str) else found
    try:
        return msgspec.convert(names, tuple[str, ...])
    except msgspec.ValidationError:
        raise GraderError(f"the input's {' or '.join(keys)} should be a list of names") from None


def listed(items: Sequence[Any], most: int = 3) -> str:
    """Return items as text, the first few of them."""
    more = f" and {len(items) - most} more" if len(items) > most else ""
    return f"{'; '.join(map(str, items[:most]))}{more}"
