"""Events: what happened in a trial, in order.

Field names are the last parts of OpenTelemetry's GenAI attributes where one exists
(`gen_ai.tool.call.id` is `call_id`, `gen_ai.usage.input_tokens` is `input_tokens`).
On disk each event is an object whose `kind` names its type.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, cast

import msgspec

Source: TypeAlias = Literal["observed", "claimed", "replayed"]
Channel: TypeAlias = Literal[
    "messages", "tools", "retrievals", "decisions", "approvals", "attempts", "artifacts", "state"
]


class EventBase(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind"):
    """What every event has.

    `seq` counts from 0 within a trial; `at_ms` is milliseconds since the trial began, null where
    the clock is unknown. `source` says who saw it: the harness (`observed`), the agent or a
    remote speaking of itself (`claimed`), or a recording (`replayed`).
    """

    seq: int = 0
    at_ms: float | None = None
    source: Source = "claimed"
    attributes: dict[str, Any] = {}

    @property
    def kind(self) -> str:
        """The event's kind, as on disk."""
        return cast("str", self.__struct_config__.tag)


class Message(EventBase, frozen=True, tag="message"):
    """A message of the conversation. `first_token_ms` is set where it was streamed."""

    role: str
    content: Any


class ToolCall(EventBase, frozen=True, tag="tool_call"):
    """The agent called a tool with these arguments (as passed, not as printed)."""

    name: str
    arguments: Any = None
    call_id: str | None = None


class ToolResult(EventBase, frozen=True, tag="tool_result"):
    """A tool answered, or failed with `error`. `duration_ms` is null where unknown."""

    name: str
    result: Any = None
    error: str | None = None
    call_id: str | None = None
    duration_ms: float | None = None


class Retrieval(EventBase, frozen=True, tag="retrieval"):
    """A retriever was given `query` and returned `documents`."""

    query: Any
    documents: Any = None
    name: str = "retriever"
    error: str | None = None
    duration_ms: float | None = None


class Decision(EventBase, frozen=True, tag="decision"):
    """A policy receipt: whether an action on a resource is allowed, by which policy, and why."""

    action: str
    decision: Literal["allow", "deny", "require_approval"]
    policy: str | None = None
    resource: str | None = None
    reason: str | None = None
    call_id: str | None = None


class Approval(EventBase, frozen=True, tag="approval"):
    """A person was asked to approve an action, or answered."""

    state: Literal["requested", "granted", "denied"]
    action: str
    resource: str | None = None
    reason: str | None = None
    by: str | None = None
    call_id: str | None = None


class Attempt(EventBase, frozen=True, tag="attempt"):
    """One try of an operation, numbered from 1."""

    operation: str
    number: int
    ok: bool
    error: str | None = None
    call_id: str | None = None


class Usage(EventBase, frozen=True, tag="usage"):
    """Tokens and money spent. Cached tokens are inside `input_tokens`, counted once.

    `cost_usd` is null where the price is unknown, never 0 for want of a price.
    """

    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    cost_usd: float | None = None
    model: str | None = None


class Artifact(EventBase, frozen=True, tag="artifact"):
    """A file the agent produced, relative to its workspace."""

    path: str
    sha256: str | None = None
    size: int | None = None
    media_type: str | None = None


class StateChange(EventBase, frozen=True, tag="state"):
    """The state of the world after a change."""

    state: Any


class ErrorEvent(EventBase, frozen=True, tag="error"):
    """Something failed; `traceback` is the agent's own, without the harness's frames."""

    type: str
    message: str
    traceback: str | None = None


class Note(EventBase, frozen=True, tag="note"):
    """A remark: logs, what the agent printed, anything worth keeping."""

    text: str
    data: Any = None


Event: TypeAlias = (
    Message
    | ToolCall
    | ToolResult
    | Retrieval
    | Decision
    | Approval
    | Attempt
    | Usage
    | Artifact
    | StateChange
    | ErrorEvent
    | Note
)

EVENT_TYPES: dict[str, type[EventBase]] = {
    cast("str", t.__struct_config__.tag): t
    for t in (
        Message,
        ToolCall,
        ToolResult,
        Retrieval,
        Decision,
        Approval,
        Attempt,
        Usage,
        Artifact,
        StateChange,
        ErrorEvent,
        Note,
    )
}
