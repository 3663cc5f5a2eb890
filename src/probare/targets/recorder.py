"""The recorder: what happens in one trial, as it happens.

What the agent says of itself (`message`, `decision`, `note`, ...) is recorded as claimed. What
its wrapped callables were really passed and really returned is recorded as observed; wrapping
one is also the promise that the absence of such an event means something.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeVar, cast, overload

from probare.errors import TargetError
from probare.grading.traces import trace_hash
from probare.model.event import (
    Approval,
    Attempt,
    Decision,
    EventBase,
    Message,
    Note,
    StateChange,
    Usage,
)
from probare.targets import observing, tags, wrapping
from probare.targets.claims import checked, described
from probare.targets.tape import Tape
from probare.targets.values import a_type, safe

F = TypeVar("F", bound=Callable[..., Any])

CURRENT: ContextVar[Recorder | None] = ContextVar("probare_recorder", default=None)


def current() -> Recorder | None:
    """Return the recorder of the trial that this code runs in, or None outside of one."""
    return CURRENT.get()


class Recorder(Tape):
    """What an agent records with. Nothing that is recorded has to be JSON: what is not is kept
    as its repr, with a mark. What is changed after it was recorded stays as it was.
    """

    __slots__ = ()

    @overload
    def tool(self, function: F, name: str | None = None) -> F: ...
    @overload
    def tool(self, function: None = None, name: str | None = None) -> Callable[[F], F]: ...
    def tool(self, function: Any = None, name: str | None = None) -> Any:
        """Wrap a tool so that each call and result is observed; also a decorator.

        Sync, async and generator functions stay what they are. Recorded are the arguments that
        were passed, under their parameters' names, as they were at the time of the call.
        """
        self.observe("tools")
        if function is None:
            return partial(wrapping.tool, self, name=name)
        return wrapping.tool(self, function, name)

    @overload
    def retriever(self, function: F, name: str | None = None) -> F: ...
    @overload
    def retriever(self, function: None = None, name: str | None = None) -> Callable[[F], F]: ...
    def retriever(self, function: Any = None, name: str | None = None) -> Any:
        """Wrap a retriever so that its query and documents are observed; also a decorator.

        The query is the argument where there is one, else the mapping of all arguments.
        """
        self.observe("retrievals")
        if function is None:
            return partial(wrapping.retriever, self, name=name)
        return wrapping.retriever(self, function, name)

    def policy(self, function: F) -> F:
        """Wrap what decides (a policy engine, a schema check, a guard), so that its decisions
        are observed.

        `action`, `decision` (allow, deny, require_approval, or true and false), `policy`,
        `resource`, `reason` and `call_id` are read from its answer, else from the argument of
        that name; its other arguments (`arguments`, `context`, ...) become attributes.
        """
        self.observe("decisions")
        return cast("F", observing.policy(self, function))

    def approver(self, function: F) -> F:
        """Wrap what asks a person: the request is observed before the call, the answer after it.

        The answer is true or false, granted or denied, or a mapping with `state` (or `granted`,
        `approved`), `by` and `reason`; null, or an exception, is no answer. An `arguments` that
        it was passed is what the approval is for.
        """
        self.observe("approvals")
        return cast("F", observing.approver(self, function))

    def attempts(self, function: F) -> F:
        """Wrap the callable with which the agent writes down an attempt: `operation` (the tool's
        name), `number` from 1, `ok` and `error`, among its arguments or in its answer.
        """
        self.observe("attempts")
        return cast("F", observing.attempts(self, function))

    def metered(self, function: F) -> F:
        """Wrap a paid call: the `usage` of its answer (or the answer itself) is observed, with
        tokens, and `cost_usd` or `cost_micro_usd`. A call that tells no cost has an unknown one.
        """
        return cast("F", observing.metered(self, function))

    def detector(self, function: F, name: str | None = None) -> F:
        """Wrap what finds identifiers: what it was given and what it found is observed, as a
        note. Its input is no tool's argument, so identifiers may stand there.
        """
        return cast("F", observing.detector(self, function, name))

    def tagged(self, **attributes: Any) -> AbstractContextManager[None]:
        """Put attributes on all that is observed inside a `with`: which `strategy` is tried."""
        return tags.tagged(**attributes)

    def trace_hash(self) -> str:
        """Return the hash of what was recorded so far (`probare.grading.traces`)."""
        return trace_hash(self.events)

    def message(self, role: str, content: Any, **attributes: Any) -> None:
        """Record a message of the conversation."""
        if not isinstance(role, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TargetError(f"the agent recorded a message whose role is {a_type(role)}")
        if attributes:
            attributes = safe(attributes)
        self.append(Message, role=str.__str__(role), content=safe(content), attributes=attributes)

    def usage(
        self,
        *,
        input_tokens: int | None = None,
        output_tokens: int | None = None,
        cached_tokens: int | None = None,
        cost_usd: float | None = None,
        model: str | None = None,
    ) -> None:
        """Record tokens and money spent; cached tokens are inside `input_tokens`."""
        self.event(
            Usage(
                input_tokens=input_tokens,
                output_tokens=output_tokens,
                cached_tokens=cached_tokens,
                cost_usd=cost_usd,
                model=model,
            )
        )

    def state(self, value: Any) -> None:
        """Record the state of the world; the last one is the outcome's unless that sets it."""
        self.event(StateChange(state=value))

    def decision(
        self,
        action: str,
        decision: Literal["allow", "deny", "require_approval"],
        *,
        policy: str | None = None,
        resource: str | None = None,
        reason: str | None = None,
        call_id: str | None = None,
    ) -> None:
        """Record a policy receipt."""
        self.event(
            Decision(
                action=action,
                decision=decision,
                policy=policy,
                resource=resource,
                reason=reason,
                call_id=call_id,
            )
        )

    def approval(
        self,
        state: Literal["requested", "granted", "denied"],
        action: str,
        *,
        resource: str | None = None,
        reason: str | None = None,
        by: str | None = None,
        call_id: str | None = None,
    ) -> None:
        """Record that a person was asked to approve an action, or answered."""
        self.event(
            Approval(
                state=state,
                action=action,
                resource=resource,
                reason=reason,
                by=by,
                call_id=call_id,
            )
        )

    def attempt(
        self,
        operation: str,
        number: int,
        ok: bool,
        error: str | None = None,
        *,
        call_id: str | None = None,
    ) -> None:
        """Record one try of an operation, numbered from 1."""
        self.event(Attempt(operation=operation, number=number, ok=ok, error=error, call_id=call_id))

    def artifact(self, path: str | Path, *, media_type: str | None = None) -> None:
        """Record a file by its path in the workspace. Where it is there, the harness reads it:
        size and digest are observed.
        """
        event = described(path, self.workspace, media_type)
        self.put(checked(event), source="claimed" if event.sha256 is None else "observed")

    def note(self, text: str, data: Any = None) -> None:
        """Record a remark."""
        self.event(Note(text=text, data=data))

    def event(self, event: EventBase) -> None:
        """Record an event that the agent made: whatever it says, it is claimed, and timed here.

        Raises TargetError where a field is of the wrong type.
        """
        self.put(checked(event), source="claimed")
