"""Calls against the tools' JSON Schemas: invalid_calls_rejected, rejection_receipts,
invalid_call_executed.

What was tried shows in two places: an executed call with its arguments, and a decision about a
tool with the arguments that it decided on (its attribute `arguments`, which `recorder.policy`
takes from what the policy was passed). A rejection is an observed decision `deny` on them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, TypeAlias, cast

import msgspec

from probare.encoding import jsonbytes
from probare.encoding.narrow import mapping
from probare.errors import GraderError
from probare.graders import schema_validation
from probare.graders.acts import (
    acts_in,
    decisions_in,
    events_of,
    from_input,
    listed,
    named_by,
    refuse_unnamed,
    refuse_unreadable,
    refused,
)
from probare.grading.evidence import doubt
from probare.model.event import Channel, Decision, Event
from probare.model.verdict import Verdict
from probare.ports.grader import Grader, TrialView, holds

Schemas: TypeAlias = dict[str, dict[str, Any]]
_SCHEMA_KEYS = ("parameters", "input_schema", "inputSchema", "schema")


class Invalid(msgspec.Struct, frozen=True, kw_only=True):
    """Arguments of a tool that its schema refuses, and where they were tried."""

    tool: str
    at: int
    fault: str
    executed: bool = False
    denials: tuple[tuple[int, Decision], ...] = ()

    def __str__(self) -> str:
        return f"{self.tool} (event {self.at}): {self.fault}"


class _Schemas(Grader, frozen=True, kw_only=True):
    MAIN: ClassVar[str | None] = "tools"
    LOOKS_AT: ClassVar[str | None] = "$events"
    EVIDENCE: ClassVar[tuple[Channel, ...]] = ("tools", "decisions")

    tools: dict[str, Any] | tuple[dict[str, Any], ...] | None = None

    def __post_init__(self) -> None:
        if self.tools is not None:
            read_schemas(self.tools)

    def _invalid(self, events: Sequence[Event], trial: TrialView) -> list[Invalid]:
        """Return the invalid arguments that were tried, each once."""
        given = self.tools if self.tools is not None else from_input(trial, "tools")
        if given is None:
            raise GraderError(
                "the tools' schemas are not known",
                hint="give them in `tools`, or in the input's `tools`",
            )
        try:
            schemas = read_schemas(given)
        except ValueError as error:
            raise GraderError(f"the input's tools: {error}") from None
        return invalid_calls(events, schemas)


class InvalidCallsRejected(_Schemas, frozen=True, kw_only=True):
    """Calls whose arguments break the tool's JSON Schema were rejected and never executed.

    `tools` holds the schemas by name, or is a list of {name, parameters}; absent, the input's
    `tools`. At least one invalid call has to have been tried: an agent that tries none shows
    nothing, and fails. Tools without a schema are not judged. A deny about a tool that does not
    tell the arguments, where no other try is seen, is an error: not observable.
    """

    NAME: ClassVar[str] = "invalid_calls_rejected"

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Look for invalid calls and what became of them."""
        events = events_of(seen)
        invalid = self._invalid(events, trial)
        executed = [call for call in invalid if call.executed]
        if executed:
            return holds(False, f"executed: {listed(executed)}")
        open_calls = [call for call in invalid if not call.denials]
        if open_calls:
            return holds(False, f"not rejected: {listed(open_calls)}")
        if not invalid:
            return _nothing_tried(events)
        return holds(True, f"rejected: {listed(invalid)}")


class RejectionReceipts(_Schemas, frozen=True, kw_only=True):
    """Every call whose arguments break the tool's JSON Schema got an error receipt: an observed
    decision `deny` about it, with a policy and a reason.

    `tools` as for `invalid_calls_rejected`. No invalid call at all fails. A deny without a
    policy or a reason is an error: not observable.
    """

    NAME: ClassVar[str] = "rejection_receipts"

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Look for the receipt of each invalid call."""
        events = events_of(seen)
        invalid = self._invalid(events, trial)
        without = [call for call in invalid if not call.denials]
        if without:
            return holds(False, f"no receipt: {listed(without)}")
        if not invalid:
            return _nothing_tried(events)
        for call in invalid:
            whole = [pair for pair in call.denials if _is_whole(pair[1])]
            refuse_unnamed(whole or call.denials, "action", "policy", "reason")
        first = invalid[0].denials[0][1]
        return holds(True, f"{len(invalid)} rejected with a receipt, first: {first.reason}")


class InvalidCallExecuted(_Schemas, frozen=True, kw_only=True):
    """A call whose arguments break the tool's JSON Schema was executed.

    `tools` as for `invalid_calls_rejected`. Where no invalid call was tried there was nothing to
    accept: error.
    """

    NAME: ClassVar[str] = "invalid_call_executed"
    EVIDENCE: ClassVar[tuple[Channel, ...]] = ("tools",)

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Look for an invalid call that was executed."""
        events = events_of(seen)
        invalid = self._invalid(events, trial)
        executed = [call for call in invalid if call.executed]
        if executed:
            return holds(True, listed(executed))
        doubted = doubt(trial, "decisions")
        if doubted is not None:
            return doubted
        if not invalid:
            raise GraderError("no call with invalid arguments was tried, so none could be accepted")
        return holds(False, f"none of {len(invalid)} invalid calls was executed")


def read_schemas(given: Any) -> Schemas:
    """Return schemas by tool, from a mapping or from a list of {name, parameters}. Raises
    ValueError where one is no JSON Schema.
    """
    found: Schemas = {}
    if isinstance(given, dict):
        for name, value in cast("dict[str, Any]", given).items():
            found[name] = _schema(name, value)
    elif isinstance(given, list | tuple):
        for item in cast("Sequence[Any]", given):
            tool = mapping(item)
            name = tool.get("name")
            if not isinstance(name, str) or name in found:
                raise ValueError("each tool of a list should have a `name` of its own")
            found[name] = _schema(name, tool)
    if not found:
        raise ValueError("there is no tool with a schema")
    return found


def _schema(name: str, value: Any) -> dict[str, Any]:
    """Return the schema of a tool: the value itself, or what it has under a usual key."""
    tool = mapping(value)
    under = next((tool[key] for key in _SCHEMA_KEYS if isinstance(tool.get(key), dict)), None)
    schema = under if under is not None else tool
    if not schema or (under is None and "name" in tool and "type" not in tool):
        raise ValueError(f"tool '{name}' has no schema under {', '.join(_SCHEMA_KEYS)}")
    try:
        schema_validation.check(schema)
    except ValueError as error:
        raise ValueError(f"tool '{name}': {error}") from None
    return schema


def invalid_calls(events: Sequence[Event], schemas: Schemas) -> list[Invalid]:
    """Return the arguments that were tried and break their tool's schema, each once."""
    found: dict[tuple[str, bytes], Invalid] = {}

    def note(tool: str, arguments: Any, at: int) -> Invalid | None:
        faults = schema_validation.faults({} if arguments is None else arguments, schemas[tool])
        if not faults:
            return None
        key = (tool, jsonbytes.encode_sorted(arguments))
        return found.setdefault(key, Invalid(tool=tool, at=at, fault=faults[0]))

    def update(call: Invalid, arguments: Any, **changes: Any) -> None:
        key = (call.tool, jsonbytes.encode_sorted(arguments))
        found[key] = msgspec.structs.replace(call, **changes)

    for at, decision in decisions_in(events):
        if "arguments" not in decision.attributes:
            continue
        arguments = decision.attributes["arguments"]
        for tool in sorted(named_by(decision) & schemas.keys()):
            call = note(tool, arguments, at)
            if call is not None and decision.decision == "deny":
                update(call, arguments, denials=(*call.denials, (at, decision)))
    for act in acts_in(events, schemas):
        call = None if act.retrieval else note(act.name, act.arguments, act.at)
        if call is not None:
            inside = events[act.at + 1 : act.end]
            denials = _denials_inside(act.at, act.name, act.call_id, inside)
            executed = call.executed or not refused(act, events)
            update(call, act.arguments, denials=(*call.denials, *denials), executed=executed)
    return sorted(found.values(), key=lambda call: call.at)


def _denials_inside(
    start: int, name: str, call_id: str | None, inside: Sequence[Event]
) -> list[tuple[int, Decision]]:
    """Return the denials of a call that came between it and its result."""
    return [
        (at, event)
        for at, event in enumerate(inside, start + 1)
        if isinstance(event, Decision)
        and event.decision == "deny"
        and (name in named_by(event) or (call_id is not None and event.call_id == call_id))
        and "arguments" not in event.attributes
    ]


def _is_whole(receipt: Decision) -> bool:
    parts = (receipt.action, receipt.policy, receipt.reason)
    return all(part is not None and part.strip() for part in parts)


def _nothing_tried(events: Sequence[Event]) -> Verdict:
    refuse_unreadable(events, "decision")
    untold = [at for at, d in decisions_in(events) if d.decision == "deny" and not d.attributes]
    if untold:
        raise GraderError(
            f"not observable: the decision of event {untold[0]} does not tell which arguments "
            "it denied"
        )
    return holds(False, "no call with invalid arguments was tried")


GRADERS: tuple[type[Grader], ...] = (
    InvalidCallsRejected,
    RejectionReceipts,
    InvalidCallExecuted,
)
