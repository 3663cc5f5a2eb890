from typing import Any

import pytest

from probare.graders.receipts import ActWithoutReceipt, ReceiptBeforeAct
from probare.model.event import Decision, Event, Note, Retrieval, ToolCall, ToolResult


def _receipt(action: str = "order", decision: Any = "allow", **fields: Any) -> Decision:
    fields.setdefault("policy", "minimum")
    return Decision(action=action, decision=decision, **fields)


def _act(
    name: str = "order",
    call_id: str | None = "call_1",
    *,
    error: str | None = None,
    arguments: Any = None,
    inside: tuple[Event, ...] = (),
) -> tuple[Event, ...]:
    return (
        ToolCall(name=name, call_id=call_id, arguments=arguments),
        *inside,
        ToolResult(name=name, call_id=call_id, error=error),
    )


@pytest.fixture
def both(weigh: Any) -> Any:
    """Return the results of the demand and of the prohibition, which must never both pass."""

    def asked(*events: Any, **options: Any) -> tuple[str, str]:
        expected = weigh(ReceiptBeforeAct, *events, **options)
        forbidden = weigh(ActWithoutReceipt, *events, in_list="forbid", **options)
        return expected.result, forbidden.result

    return asked


COVERED: dict[str, tuple[Event, ...]] = {
    "by its name": (_receipt(), *_act()),
    "by resource": (_receipt("call_tool", resource="order"), *_act()),
    "by attribute": (_receipt("call_tool", attributes={"tool": "order"}), *_act()),
    "by call id": (_receipt("anything", call_id="call_1"), *_act()),
    "a retrieval": (_receipt("kb"), Retrieval(query="q", name="kb")),
    "that requires an approval": (_receipt(decision="require_approval"), *_act()),
    "one each": (_receipt(), *_act(), _receipt(), *_act(call_id="call_2")),
    "two ahead": (_receipt(), _receipt(), *_act(), *_act(call_id="call_2")),
    "a retry under the same": (_receipt(), *_act(error="timeout"), *_act(call_id="call_2")),
    "denied, then allowed": (_receipt(decision="deny"), _receipt(), *_act()),
    "denied and not done": (_receipt(decision="deny"),),
    "denied other arguments": (
        _receipt(attributes={"arguments": {"n": 1}}),
        _receipt(decision="deny", attributes={"arguments": {"n": 2}}),
        *_act(arguments={"n": 1}),
    ),
    "refused inside a gateway": (
        _receipt(),
        *_act(),
        *_act(call_id="call_2", error="denied", inside=(_receipt(decision="deny"),)),
    ),
    "allowed": (_receipt(),),
}
UNCOVERED: dict[str, tuple[Event, ...]] = {
    "none": _act(),
    "after the act": (*_act(), _receipt()),
    "of another act": (_receipt("read"), *_act()),
    "used up": (_receipt(), *_act(), *_act(call_id="call_2")),
    "a denial": (_receipt(decision="deny"), *_act()),
    "a denial of these arguments": (
        _receipt(decision="deny", attributes={"arguments": {"n": 1}}),
        _receipt(attributes={"arguments": {"n": 2}}),
        *_act(arguments={"n": 1}),
    ),
    "for one of two retrievals": (
        _receipt("kb"),
        Retrieval(query="a", name="kb"),
        Retrieval(query="b", name="kb"),
    ),
    "only a result was seen": (ToolResult(name="order"),),
    "done, then denied": (*_act(inside=(_receipt(decision="deny"),)),),
    "nothing at all": (),
}


@pytest.mark.parametrize("name", COVERED)
def test_a_receipt(both: Any, name: str) -> None:
    assert both(*COVERED[name]) == ("pass", "pass")


@pytest.mark.parametrize("name", UNCOVERED)
def test_no_receipt(both: Any, name: str) -> None:
    assert both(*UNCOVERED[name]) == ("fail", "fail")


@pytest.mark.parametrize(
    "receipt",
    [
        _receipt(policy=None),
        _receipt(policy="  "),
        _receipt("", call_id="call_1"),
        _receipt(""),
    ],
)
def test_a_receipt_without_policy_or_action_is_not_observable(both: Any, receipt: Event) -> None:
    assert both(receipt, *_act()) == ("error", "error")


def test_a_receipt_that_cannot_be_read_is_not_observable(both: Any) -> None:
    unreadable = Note(text="no decision can be read", data={"kind": "decision"})
    assert both(_receipt(), unreadable, *_act()) == ("error", "error")


def test_an_act_without_receipt_is_a_failure_whatever_another_receipt_lacks(both: Any) -> None:
    assert both(*_act("pay"), _receipt(policy=None), *_act()) == ("fail", "fail")


def test_only_the_acts_named_are_looked_at(both: Any) -> None:
    events = (*_act("read"), _receipt(), *_act())
    assert both(*events) == ("fail", "fail")
    assert both(*events, acts=["order"]) == ("pass", "pass")
    assert both(*events, acts=["pay"]) == ("fail", "fail")


def test_claims_are_unknown(both: Any) -> None:
    events = COVERED["by its name"]
    assert both(*events, source="claimed") == ("unknown", "unknown")
    assert both(*events, source="claimed", trust="claimed") == ("pass", "pass")
    assert both(*events, source="replayed") == ("pass", "pass")


def test_what_nobody_watches_is_unknown(both: Any) -> None:
    assert both(*_act(), observes=("tools",)) == ("unknown", "unknown")
    assert both(_receipt(), observes=("decisions",)) == ("unknown", "unknown")
    assert both(_receipt(), observes=("decisions", "retrievals")) == ("pass", "pass")


def test_of_a_trial_that_broke_off_only_an_act_counts(weigh: Any) -> None:
    def forbidden(*events: Any) -> str:
        return weigh(ActWithoutReceipt, *events, in_list="forbid", stop="timeout").result

    assert forbidden(*_act()) == "fail"
    assert forbidden(ToolCall(name="order")) == "fail"
    assert forbidden() == "error"
    assert forbidden(_receipt(), *_act()) == "error"


def test_the_reason_names_the_act(weigh: Any) -> None:
    verdict = weigh(ReceiptBeforeAct, *_act(), _receipt())
    assert verdict.reason == "order (event 0): its receipt came after it"
