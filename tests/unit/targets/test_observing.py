# Agents and tools are written without types, as users write them.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownParameterType=false, reportMissingParameterType=false
import asyncio
from dataclasses import dataclass
from typing import Any

import pytest

from probare.grading.traces import trace_hash
from probare.model.event import Approval, Attempt, Decision, Note, Retrieval, ToolCall, Usage
from probare.targets.recorder import Recorder


@dataclass
class Receipt:
    decision: str
    policy: str
    reason: str


def test_a_decision_is_what_the_engine_answered_about_what_it_was_asked() -> None:
    recorder = Recorder()

    @recorder.policy
    def decide(action, arguments, context=None, call_id=None):
        return Receipt("deny", "minimum", "no purpose")

    assert decide("lookup", {"q": 1}, call_id="c1") == Receipt("deny", "minimum", "no purpose")
    (event,) = recorder.events
    assert isinstance(event, Decision)
    assert event.source == "observed"
    assert (event.action, event.decision, event.policy) == ("lookup", "deny", "minimum")
    assert (event.reason, event.call_id) == ("no purpose", "c1")
    assert event.attributes == {"arguments": {"q": 1}}
    assert recorder.observes == ("decisions",)


def test_the_answer_goes_before_the_argument() -> None:
    recorder = Recorder()
    told = {"action": "lookup", "decision": "ALLOW", "policy": "p", "resource": "r"}
    recorder.policy(lambda action, resource: told)("renamed", "other")
    (event,) = recorder.events
    assert isinstance(event, Decision)
    assert (event.action, event.resource, event.decision) == ("lookup", "r", "allow")


def test_a_request_in_one_mapping_is_read_by_its_keys_and_a_receipt_sink_by_its_arguments() -> None:
    recorder = Recorder()
    recorder.policy(lambda request: True)({"action": "a", "context": {"role": "nurse"}})
    recorder.policy(lambda **receipt: None)(action="b", decision="deny", policy="p")
    first, second = recorder.events
    assert isinstance(first, Decision)
    assert isinstance(second, Decision)
    assert (first.action, first.decision) == ("a", "allow")
    assert first.attributes == {"context": {"role": "nurse"}}
    assert (second.action, second.decision, second.policy) == ("b", "deny", "p")


@pytest.mark.parametrize("answer", [None, "perhaps", {"decision": 3}, [1]])
def test_what_is_no_decision_becomes_a_note_that_names_what_is_missing(answer: Any) -> None:
    recorder = Recorder()
    recorder.policy(lambda action: answer)("a")
    (event,) = recorder.events
    assert isinstance(event, Note)
    assert (event.source, event.data["kind"]) == ("observed", "decision")


def test_a_policy_that_raises_gave_no_decision_and_raises_on() -> None:
    recorder = Recorder()

    @recorder.policy
    def broken(action):
        raise RuntimeError("no rules")

    with pytest.raises(RuntimeError, match="no rules"):
        broken("a")
    (event,) = recorder.events
    assert isinstance(event, Note)
    assert event.data["error"] == "RuntimeError: no rules"


def test_an_approval_is_requested_before_the_call_and_answered_after_it() -> None:
    recorder = Recorder()
    at_call: list[int] = []

    @recorder.approver
    async def ask(action, arguments, reason):
        at_call.append(len(recorder.events))
        return {"granted": True, "by": "Dr. Okafor"}

    asyncio.run(ask("prescribe", {"dose": 5}, reason="controlled"))
    requested, granted = recorder.events
    assert isinstance(requested, Approval)
    assert isinstance(granted, Approval)
    assert at_call == [1]
    assert (requested.state, requested.action, requested.by) == ("requested", "prescribe", None)
    assert (granted.state, granted.by, granted.reason) == ("granted", "Dr. Okafor", "controlled")
    assert requested.attributes == granted.attributes == {"arguments": {"dose": 5}}
    assert {requested.source, granted.source} == {"observed"}
    assert recorder.observes == ("approvals",)


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        (True, "granted"),
        (False, "denied"),
        ("approved", "granted"),
        ("Denied", "denied"),
        ({"state": "granted", "by": "x"}, "granted"),
        ({"approved": False}, "denied"),
    ],
)
def test_answers_of_an_approver(answer: Any, state: str) -> None:
    recorder = Recorder()
    recorder.approver(lambda action: answer)("a")
    event = recorder.events[-1]
    assert isinstance(event, Approval)
    assert event.state == state


def test_no_answer_leaves_the_request_open() -> None:
    recorder = Recorder()
    recorder.approver(lambda action: None)("a")
    assert [event.kind for event in recorder.events] == ["approval"]
    recorder.approver(lambda action: "later")("a")
    assert [event.kind for event in recorder.events[1:]] == ["approval", "note"]


def test_an_approver_cannot_be_made_to_say_who_by_the_one_who_asks() -> None:
    recorder = Recorder()
    recorder.approver(lambda action, by: True)("a", by="Dr. Okafor")
    event = recorder.events[-1]
    assert isinstance(event, Approval)
    assert (event.state, event.by) == ("granted", None)


def test_an_attempt_is_observed_as_it_was_written_down() -> None:
    recorder = Recorder()
    log: list[dict[str, Any]] = []
    write = recorder.attempts(log.append)
    write({"operation": "fetch", "number": 1, "ok": False, "error": "timeout"})
    recorder.attempts(lambda operation, number, ok, error=None: None)("fetch", 2, True)
    first, second = recorder.events
    assert isinstance(first, Attempt)
    assert isinstance(second, Attempt)
    assert (first.number, first.ok, first.error, first.source) == (1, False, "timeout", "observed")
    assert (second.operation, second.number, second.ok) == ("fetch", 2, True)
    assert len(log) == 1


@pytest.mark.parametrize(
    "written",
    [
        {"operation": "fetch", "ok": True},
        {"operation": "fetch", "number": True, "ok": True},
        {"operation": "fetch", "number": 1},
        {"number": 1, "ok": True},
    ],
)
def test_an_attempt_without_number_or_outcome_is_a_note(written: dict[str, Any]) -> None:
    recorder = Recorder()
    recorder.attempts(lambda entry: None)(written)
    (event,) = recorder.events
    assert isinstance(event, Note)
    assert event.data["kind"] == "attempt"


def test_what_could_not_be_written_down_is_no_attempt() -> None:
    recorder = Recorder()

    @recorder.attempts
    def full(operation, number, ok):
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        full("a", 1, True)
    assert recorder.events == ()


def test_usage_is_read_from_the_answer_of_a_paid_call() -> None:
    recorder = Recorder()
    recorder.metered(lambda: {"usage": {"input_tokens": 3, "cost_usd": 0.25}, "model": "m"})()
    recorder.metered(lambda: {"cost_micro_usd": 30_000})()
    recorder.metered(lambda: "text")()
    first, second, third = recorder.events
    assert isinstance(first, Usage)
    assert isinstance(second, Usage)
    assert isinstance(third, Usage)
    assert (first.input_tokens, first.cost_usd, first.model) == (3, 0.25, "m")
    assert second.cost_usd == 0.03
    assert third.cost_usd is None
    assert {event.source for event in recorder.events} == {"observed"}


def test_a_paid_call_that_raises_has_an_unknown_cost() -> None:
    recorder = Recorder()
    with pytest.raises(ZeroDivisionError):
        recorder.metered(lambda: 1 / 0)()
    (event,) = recorder.events
    assert isinstance(event, Usage)
    assert event.cost_usd is None


def test_a_detector_is_observed_as_a_note() -> None:
    recorder = Recorder()
    recorder.detector(lambda text: [{"start": 0, "end": 3}], name="phi")("Ann is here")
    (event,) = recorder.events
    assert isinstance(event, Note)
    assert event.text == "detected"
    found = [{"start": 0, "end": 3}]
    assert event.data == {"name": "phi", "given": {"text": "Ann is here"}, "found": found}


def test_tags_stand_on_all_that_is_observed_inside_and_on_nothing_else() -> None:
    recorder = Recorder()
    tool = recorder.tool(lambda: 1, name="t")
    fetch = recorder.retriever(lambda query: [], name="r")
    decide = recorder.policy(lambda action: False)

    async def inside() -> None:
        with recorder.tagged(strategy="direct_tool_call"):
            decide("t")
            await asyncio.to_thread(tool)
            with recorder.tagged(round=2):
                fetch("q")
        tool()

    asyncio.run(inside())
    tagged = [event.attributes for event in recorder.events if event.attributes]
    assert tagged[:2] == [{"strategy": "direct_tool_call"}] * 2
    assert tagged[-1] == {"strategy": "direct_tool_call", "round": 2}
    last = [event for event in recorder.events if isinstance(event, ToolCall)][-1]
    assert last.attributes == {}
    assert any(isinstance(event, Retrieval) for event in recorder.events)


def test_the_trace_hash_is_that_of_the_events_so_far() -> None:
    recorder = Recorder()
    recorder.note("one")
    before = recorder.trace_hash()
    assert before == trace_hash(recorder.events)
    recorder.note("two")
    assert recorder.trace_hash() != before
