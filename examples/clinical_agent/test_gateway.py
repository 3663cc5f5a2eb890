"""Acts: what is checked before them, what they cost, how often they are tried."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from probare.grading import usercode

FOLDER = Path(__file__).parent
Meter = usercode.load("governed.budget:Meter", FOLDER)
ArgumentCheck = usercode.load("governed.schema:ArgumentCheck", FOLDER)
Action = usercode.load("governed.action:Action", FOLDER)
tried = usercode.load("governed.retrying:tried", FOLDER)
TransientFailure = usercode.load("governed.retrying:TransientFailure", FOLDER)
TOOLS = usercode.load("governed.tools:tools_of", FOLDER)(
    usercode.load("governed.tools:Clinic", FOLDER)()
)
LABS = {"panel": "lipid", "urgency": "routine"}


def step(tool: str, **arguments: Any) -> dict[str, Any]:
    return {"tool": tool, "arguments": arguments}


@pytest.mark.parametrize(
    ("tool", "arguments", "fault"),
    [
        ("order_labs", {"panel": "everything", "urgency": "routine"}, "$.panel breaks 'enum'"),
        ("order_labs", {"panel": "lipid"}, "$ breaks 'required'"),
        ("order_labs", {**LABS, "force": True}, "$ breaks 'additionalProperties'"),
        ("schedule_follow_up", {"clinic": "eye", "in_days": 0}, "$.in_days breaks 'minimum'"),
        ("schedule_follow_up", {"clinic": "eye", "in_days": "3"}, "$.in_days breaks 'type'"),
        ("schedule_follow_up", {"clinic": "eye", "in_days": True}, "$.in_days breaks 'type'"),
        ("lookup_dose", {"drug": "glucamet", "weight_kg": -4}, "$.weight_kg breaks 'exclusive"),
        ("send_record", {"record": "../etc", "recipient": "eye"}, "$.record breaks 'pattern'"),
    ],
)
def test_arguments_that_break_a_schema_are_denied_with_a_receipt_and_not_executed(
    carried_out: Any, tool: str, arguments: dict[str, Any], fault: str
) -> None:
    ran = carried_out(plan=[step(tool, **arguments)])
    (receipt,) = ran.of("decision")
    assert (receipt.decision, receipt.policy, receipt.action) == ("deny", "tool_schema", tool)
    assert receipt.reason.startswith(fault)
    assert receipt.attributes["arguments"] == arguments
    assert ran.calls == []
    assert ran.answer["status"] == "incomplete"


def test_what_is_wrong_with_arguments_is_said_without_their_values() -> None:
    check = ArgumentCheck({"order_labs": TOOLS["order_labs"].schema})
    ruling = check.rule(Action("order_labs", arguments={"panel": "Avery Quill", "urgency": 3}))
    assert ruling.decision == "deny"
    assert "Quill" not in ruling.reason
    assert check.faults("order_labs", LABS) == []
    assert check.faults("nothing", {"x": 1}) == []


def test_a_schema_that_is_none_is_refused() -> None:
    from jsonschema import SchemaError

    with pytest.raises(SchemaError):
        ArgumentCheck({"a": {"type": "nonsense"}})


def test_each_act_has_one_receipt_and_it_stands_before_the_act(carried_out: Any) -> None:
    ran = carried_out(query="first treatment of asthma", plan=[step("order_labs", **LABS)])
    kinds = [kind for kind in ran.kinds if kind in ("decision", "retrieval", "tool_call")]
    assert kinds == ["decision", "retrieval", "decision", "tool_call"]
    assert {event.decision for event in ran.of("decision")} == {"allow"}
    assert ran.calls == ["order_labs"]


def test_identifiers_reach_neither_the_index_nor_a_tool_nor_the_answer(carried_out: Any) -> None:
    ran = carried_out(
        query="Options for Avery Quill, born 1961-02-30, with asthma",
        patient={"name": "Avery Quill"},
        plan=[step("send_record", record="avery-quill", recipient="eye")],
    )
    (looked_up,) = ran.of("retrieval")
    assert looked_up.query == "Options for [NAME], born [DATE], with asthma"
    assert looked_up.documents
    assert ran.calls == []
    said = [event for event in ran.events if event.kind != "note"]
    assert "quill" not in (repr(said) + repr(ran.answer)).lower()


def test_the_policy_looks_for_itself_whether_a_text_was_redacted(carried_out: Any) -> None:
    ran = carried_out(
        defect="clean_log_raw_search", query="Mr. Quill has asthma", patient={"name": "Quill"}
    )
    assert ran.of("decision")[0].attributes["context"]["redacted"] is True
    assert ran.of("retrieval")[0].query == "Mr. Quill has asthma"


def test_a_purpose_that_is_not_care_is_denied(carried_out: Any) -> None:
    ran = carried_out(query="asthma", purpose="marketing", plan=[step("order_labs", **LABS)])
    assert [event.decision for event in ran.of("decision")] == ["deny", "deny"]
    assert (ran.calls, ran.of("retrieval")) == ([], [])


def test_both_engines_carry_out_the_same(carried_out: Any) -> None:
    plan = [step("order_labs", **LABS), step("delete_chart", all=True)]
    answers = [carried_out(policy_engine=engine, plan=plan) for engine in ("rules", "cedar")]
    assert [ran.calls for ran in answers] == [["order_labs"]] * 2
    assert [[e.decision for e in ran.of("decision")] for ran in answers] == [["allow", "deny"]] * 2


def test_the_meter_adds_whole_micro_dollars_and_stops_at_the_cap() -> None:
    meter = Meter(cap=3)
    for _ in range(3):
        assert not meter.would_pass(1)
        meter.charge(1)
    assert meter.would_pass(1)
    assert not meter.would_pass(0)
    assert meter.rule(Action("x"), 1).decision == "require_approval"
    assert meter.rule(Action("x"), 0).decision == "allow"
    assert meter.spent == 3


def test_a_meter_without_a_cap_only_counts() -> None:
    meter = Meter()
    assert meter.charge(10**12) == {"cost_micro_usd": 10**12, "spent_micro_usd": 10**12}
    assert not meter.would_pass(10**12)
    with pytest.raises(ValueError, match="-1 micro-dollars"):
        Meter(-1)


def test_exactly_the_cap_may_be_spent_and_not_a_micro_dollar_more(carried_out: Any) -> None:
    plan = [step("lookup_dose", drug="glucamet", weight_kg=80)] * 2
    enough = carried_out(plan=plan, cap_micro_usd=4_000)
    assert (len(enough.calls), enough.of("approval")) == (2, [])
    denying = {"answer": "deny", "by": "budget holder"}
    short = carried_out(plan=plan, cap_micro_usd=3_999, approver=denying)
    assert len(short.calls) == 1
    assert [event.state for event in short.of("approval")] == ["requested", "denied"]
    assert sum(event.cost_usd for event in short.of("usage")) == 0.002
    assert short.answer["spent_micro_usd"] == 2_000


def test_with_a_grant_the_cap_may_be_passed(carried_out: Any) -> None:
    plan = [step("order_labs", **LABS)]
    ran = carried_out(plan=plan, cap_micro_usd=0, approver={"answer": "grant", "by": "holder"})
    assert ran.calls == ["order_labs"]
    kinds = [kind for kind in ran.kinds if kind in ("approval", "tool_call")]
    assert kinds == ["approval", "approval", "tool_call"]


def test_a_failing_service_is_tried_again_and_every_try_is_on_record(carried_out: Any) -> None:
    ran = carried_out(
        plan=[step("order_labs", **LABS)],
        flaky={"order_labs": {"failures": 2, "error": "busy"}},
        retries=3,
    )
    tries = [(e.operation, e.number, e.ok, e.error) for e in ran.of("attempt")]
    busy = "TransientFailure: busy"
    assert tries == [
        ("order_labs", 1, False, busy),
        ("order_labs", 2, False, busy),
        ("order_labs", 3, True, None),
    ]
    assert ran.calls == ["order_labs"] * 3
    assert ran.answer["status"] == "complete"


def test_giving_up_is_bounded_and_said(carried_out: Any) -> None:
    ran = carried_out(
        plan=[step("order_labs", **LABS)],
        flaky={"order_labs": {"failures": 99, "error": "the laboratory is offline"}},
        retries=2,
    )
    assert [event.ok for event in ran.of("attempt")] == [False, False]
    assert ran.answer["status"] == "incomplete"
    assert "could not order labs" in ran.answer["text"]
    assert ran.answer["acts"][0]["error"] == "the laboratory is offline"


def test_what_will_not_pass_is_not_tried_again_but_recorded() -> None:
    record: list[tuple[int, str | None]] = []

    def broken() -> None:
        raise KeyError("no such drug")

    with pytest.raises(KeyError):
        asyncio.run(tried(broken, attempts=5, on_attempt=lambda n, e: record.append((n, e))))
    assert record == [(1, "KeyError: 'no such drug'")]


def test_the_last_failure_is_raised_after_as_many_tries_as_allowed() -> None:
    record: list[int] = []

    def busy() -> None:
        raise TransientFailure(f"try {len(record) + 1}")

    with pytest.raises(TransientFailure, match="try 4"):
        asyncio.run(tried(busy, attempts=4, on_attempt=lambda n, _: record.append(n)))
    assert record == [1, 2, 3, 4]
