from typing import Any

import pytest

from probare.graders.tool_schema import (
    InvalidCallExecuted,
    InvalidCallsRejected,
    RejectionReceipts,
    read_schemas,
)
from probare.model.event import Decision, Event, Note, ToolCall, ToolResult

DOSE = {
    "type": "object",
    "properties": {"mg": {"type": "integer", "minimum": 1}},
    "required": ["mg"],
    "additionalProperties": False,
}
GIVEN = {"tools": {"dose": DOSE}}
BAD, GOOD = {"mg": "ten"}, {"mg": 10}


def _deny(arguments: Any = BAD, decision: Any = "deny", **fields: Any) -> Decision:
    fields = {"action": "dose", "policy": "tool_schema", "reason": "mg is no integer", **fields}
    return Decision(decision=decision, attributes={"arguments": arguments}, **fields)


def _ran(arguments: Any = BAD, error: str | None = None) -> tuple[Event, ...]:
    return (
        ToolCall(name="dose", arguments=arguments, call_id="call_1"),
        ToolResult(name="dose", error=error, call_id="call_1"),
    )


@pytest.fixture
def three(weigh: Any) -> Any:
    """Return the results of rejected, receipts and the prohibition of execution."""

    def asked(*events: Any, **options: Any) -> tuple[str, str, str]:
        options.setdefault("given", GIVEN)
        return (
            weigh(InvalidCallsRejected, *events, **options).result,
            weigh(RejectionReceipts, *events, **options).result,
            weigh(InvalidCallExecuted, *events, in_list="forbid", **options).result,
        )

    return asked


def test_rejected_with_a_receipt_and_never_executed(three: Any) -> None:
    assert three(_deny()) == ("pass", "pass", "pass")


def test_a_call_corrected_afterwards_may_be_executed(three: Any) -> None:
    assert three(_deny(), *_ran(GOOD)) == ("pass", "pass", "pass")


def test_another_policy_may_have_allowed_the_tool_before(three: Any) -> None:
    assert three(_deny(decision="allow", policy="roles"), _deny()) == ("pass", "pass", "pass")


def test_refused_inside_the_gateway(three: Any) -> None:
    call, result = _ran(error="rejected")
    inside = Decision(action="dose", decision="deny", policy="tool_schema", reason="no integer")
    assert three(call, inside, result) == ("pass", "pass", "pass")


def test_executed_is_a_failure_whatever_the_receipt_says(three: Any) -> None:
    assert three(*_ran()) == ("fail", "fail", "fail")
    assert three(*_ran(error="TypeError: mg")) == ("fail", "fail", "fail")
    assert three(_deny(), *_ran()) == ("fail", "pass", "fail")
    assert three(*_ran(None)) == ("fail", "fail", "fail")


def test_one_of_two_invalid_calls_executed(three: Any) -> None:
    assert three(_deny(), *_ran({"mg": 0})) == ("fail", "fail", "fail")


def test_allowed_and_not_executed_is_no_rejection(three: Any) -> None:
    assert three(_deny(decision="allow")) == ("fail", "fail", "pass")


def test_no_invalid_call_shows_nothing(three: Any) -> None:
    assert three() == ("fail", "fail", "error")
    assert three(*_ran(GOOD)) == ("fail", "fail", "error")
    assert three(ToolCall(name="other", arguments=BAD)) == ("fail", "fail", "error")


@pytest.mark.parametrize("lacking", [{"policy": None}, {"reason": None}, {"reason": " "}])
def test_a_receipt_without_policy_or_reason_is_not_observable(
    three: Any, lacking: dict[str, Any]
) -> None:
    assert three(_deny(**lacking)) == ("pass", "error", "pass")
    assert three(_deny(**lacking), _deny()) == ("pass", "pass", "pass")


def test_a_denial_that_does_not_tell_the_arguments_is_not_observable(three: Any) -> None:
    bare = Decision(action="dose", decision="deny", policy="p", reason="bad")
    assert three(bare) == ("error", "error", "error")
    unreadable = Note(text="?", data={"kind": "decision"})
    assert three(unreadable) == ("error", "error", "error")


def test_claims_and_what_nobody_watches_are_unknown(three: Any) -> None:
    assert three(_deny(), *_ran(GOOD), source="claimed") == ("unknown",) * 3
    assert three(_deny(), *_ran(GOOD), source="claimed", trust="claimed") == ("pass",) * 3
    assert three(_deny(), observes=("decisions",)) == ("unknown",) * 3
    assert three(*_ran(), observes=("tools",)) == ("unknown", "unknown", "fail")
    assert three(observes=("tools",)) == ("unknown", "unknown", "unknown")


def test_of_a_trial_that_broke_off_only_an_execution_counts(weigh: Any) -> None:
    def forbidden(*events: Any) -> str:
        options: Any = {"in_list": "forbid", "stop": "target_error", "given": GIVEN}
        return weigh(InvalidCallExecuted, *events, **options).result

    assert forbidden(ToolCall(name="dose", arguments=BAD)) == "fail"
    assert forbidden(_deny()) == "error"


def test_schemas_as_an_argument_go_before_the_input(three: Any) -> None:
    assert three(_deny(), tools={"dose": {"type": "object"}}) == ("fail", "fail", "error")


def test_unknown_or_broken_schemas_of_the_input_are_errors(three: Any) -> None:
    none: Any = {}
    broken: list[Any] = [{"tools": none}, {"tools": {"dose": {"type": 7}}}, {"tools": "dose"}]
    for given in [None, none, *broken]:
        assert three(_deny(), given=given) == ("error", "error", "error")


@pytest.mark.parametrize(
    "tools",
    [
        {"dose": DOSE},
        {"dose": {"description": "d", "parameters": DOSE}},
        [{"name": "dose", "parameters": DOSE}],
        [{"name": "dose", "description": "d", "input_schema": DOSE}],
        [{"name": "dose", "inputSchema": DOSE}],
    ],
)
def test_forms_of_schemas(tools: Any) -> None:
    assert read_schemas(tools) == {"dose": DOSE}


@pytest.mark.parametrize(
    ("tools", "said"),
    [
        ([], "no tool with a schema"),
        ([{"parameters": DOSE}], "`name`"),
        ([{"name": "a", "parameters": DOSE}, {"name": "a", "parameters": DOSE}], "`name`"),
        ([{"name": "a"}], "no schema"),
        ({"a": {"type": "objekt"}}, "not a JSON Schema"),
    ],
)
def test_what_is_no_schema_is_refused(tools: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        InvalidCallsRejected(tools=tools)
