"""The approval gate: it waits, it keeps what waits, and it goes on from there."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from probare.grading import usercode
from probare.model.event import Approval, ToolCall
from probare.targets.recorder import Recorder

FOLDER = Path(__file__).parent
Gate = usercode.load("governed.approval:Gate", FOLDER)
Answer = usercode.load("governed.approval:Answer", FOLDER)
Request = usercode.load("governed.approval:Request", FOLDER)
Scripted = usercode.load("governed.approval:Scripted", FOLDER)
pending = usercode.load("governed.approval:pending", FOLDER)
resume = usercode.load("governed.resuming:resume", FOLDER)
NothingPending = usercode.load("governed.approval:NothingPending", FOLDER)
AnswerMismatch = usercode.load("governed.approval:AnswerMismatch", FOLDER)
Paused = usercode.load("governed.approval:Paused", FOLDER)
request_of = usercode.load("governed.request:request_of", FOLDER)
Runtime = usercode.load("governed.runtime:Runtime", FOLDER)

CHANGE = {"tool": "change_dose", "arguments": {"drug": "glucamet", "dose_mg": 1000}}
SEND = {"tool": "send_record", "arguments": {"record": "visit-note", "recipient": "eye"}}
LOOK = {"tool": "lookup_dose", "arguments": {"drug": "glucamet", "weight_kg": 80}}
ASKED = Request("send_record", "send_record", {"record": "a"}, "it leaves the house")


def left_waiting(folder: Path, **config: Any) -> Recorder:
    """Run a request whose approver never answers, until its time is over."""
    recorder = Recorder(workspace=folder)
    config = {"approver": {"answer": "never"}, **config}

    async def run() -> None:
        running = asyncio.ensure_future(Runtime(request_of(config), recorder, folder).run())
        while not any(event.kind == "approval" for event in recorder.events):
            await asyncio.sleep(0)
        await asyncio.sleep(0.01)
        assert not running.done()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    asyncio.run(run())
    return recorder


def resumed(folder: Path, state: str = "granted") -> tuple[dict[str, Any], Recorder]:
    recorder = Recorder(workspace=folder)
    return asyncio.run(resume(folder, Answer(state, "dr on call"), recorder)), recorder


def called(recorder: Recorder) -> list[str]:
    return [event.name for event in recorder.events if isinstance(event, ToolCall)]


def test_nothing_happens_until_the_answer_is_there() -> None:
    steps: list[str] = []

    async def slow(request: Any) -> Any:
        steps.append("asked")
        await asyncio.sleep(0.01)
        steps.append("answered")
        return Answer("granted", "somebody")

    async def run() -> None:
        waiting = asyncio.ensure_future(Gate(slow).ask(ASKED))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert not waiting.done()
        assert (await waiting).state == "granted"

    asyncio.run(run())
    assert steps == ["asked", "answered"]


def test_an_act_waits_for_its_grant_and_then_happens(carried_out: Any) -> None:
    approver = {"answer": "grant", "after_ms": 5, "by": "dr on call"}
    ran = carried_out(plan=[CHANGE], approver=approver, approvers=["dr on call"])
    kinds = [k for k in ran.kinds if k in ("decision", "approval", "tool_call")]
    assert kinds == ["decision", "approval", "approval", "tool_call"]
    assert [event.state for event in ran.of("approval")] == ["requested", "granted"]
    assert ran.of("approval")[1].by == "dr on call"


def test_a_denial_is_final(carried_out: Any) -> None:
    ran = carried_out(plan=[SEND, LOOK], approver={"answer": "deny", "by": "dr on call"})
    assert ran.calls == ["lookup_dose"]
    assert ran.answer["acts"][0]["status"] == "not approved"
    assert ran.answer["status"] == "incomplete"


def test_a_grant_by_someone_who_may_not_give_it_is_none(carried_out: Any) -> None:
    approver = {"answer": "grant", "by": "the intern"}
    ran = carried_out(plan=[SEND], approver=approver, approvers=["dr on call"])
    assert ran.calls == []
    assert ran.of("approval")[1].state == "denied"


def test_a_grant_by_nobody_is_none(carried_out: Any) -> None:
    assert carried_out(plan=[SEND], approver={"answer": "grant", "by": ""}).calls == []


def test_the_request_can_ask_for_more_approval_than_the_policy(carried_out: Any) -> None:
    ran = carried_out(
        plan=[LOOK], requires_approval=["lookup_dose"], approver={"answer": "deny", "by": "x"}
    )
    assert (ran.calls, ran.of("decision")[0].policy) == ([], "request/requires-approval")


def test_the_answer_can_differ_by_act(carried_out: Any) -> None:
    script = {"answer": "grant", "by": "dr on call", "answers": {"send_record": "deny"}}
    assert carried_out(plan=[SEND, CHANGE], approver=script).calls == ["change_dose"]


def test_a_script_that_cannot_be_is_refused() -> None:
    for script in ({"answer": "maybe"}, {"answers": {"send_record": "perhaps"}}):
        with pytest.raises(ValueError, match="cannot answer"):
            Scripted(**script)


def test_what_waits_is_kept_before_anyone_answers_and_goes_with_the_answer(
    tmp_path: Path, carried_out: Any
) -> None:
    left_waiting(tmp_path, plan=[LOOK, SEND])
    asked, progress = pending(tmp_path / "state")
    assert (asked.action, asked.arguments) == ("send_record", SEND["arguments"])
    assert progress["position"] == 1
    carried_out(plan=[SEND], approver={"answer": "grant", "by": "dr on call"})
    with pytest.raises(NothingPending):
        pending(tmp_path / "state")


def test_a_paused_request_goes_on_after_a_later_grant(tmp_path: Path) -> None:
    first = left_waiting(tmp_path, query="asthma", plan=[LOOK, SEND, LOOK], summary="visit.md")
    assert called(first) == ["lookup_dose"]
    answer, second = resumed(tmp_path)
    assert called(second) == ["send_record", "lookup_dose", "write_summary"]
    assert [act["act"] for act in answer["acts"]] == [
        "retrieve",
        "lookup_dose",
        "send_record",
        "lookup_dose",
        "write_summary",
    ]
    assert answer["status"] == "complete"
    assert answer["spent_micro_usd"] == 2_000 + 8_000 + 2_000 + 1_000
    assert [e.state for e in second.events if isinstance(e, Approval)] == ["requested", "granted"]
    assert (tmp_path / "artifacts" / "manifest.json").is_file()
    with pytest.raises(NothingPending):
        resumed(tmp_path)


def test_a_paused_request_goes_on_without_the_act_after_a_later_denial(tmp_path: Path) -> None:
    left_waiting(tmp_path, plan=[SEND, LOOK])
    answer, recorder = resumed(tmp_path, "denied")
    assert called(recorder) == ["lookup_dose"]
    assert answer["acts"][0]["status"] == "not approved"


def test_one_answer_is_for_one_act(tmp_path: Path) -> None:
    left_waiting(tmp_path, plan=[SEND, CHANGE])
    with pytest.raises(Paused, match="change_dose"):
        resumed(tmp_path)
    assert pending(tmp_path / "state")[0].action == "change_dose"
    answer, recorder = resumed(tmp_path)
    assert called(recorder) == ["change_dose"]
    assert [act["status"] for act in answer["acts"]] == ["done", "done"]


def test_the_policy_is_asked_anew_when_a_request_is_taken_up(tmp_path: Path) -> None:
    left_waiting(tmp_path, plan=[SEND])
    kept = tmp_path / "state" / "pending.json"
    changed = json.loads(kept.read_text(encoding="utf-8"))
    changed["progress"]["request"]["purpose"] = "marketing"
    kept.write_text(json.dumps(changed), encoding="utf-8")
    answer, recorder = resumed(tmp_path)
    assert (called(recorder), answer["acts"][0]["status"]) == ([], "denied")


def test_a_pending_request_that_was_changed_is_refused(tmp_path: Path) -> None:
    left_waiting(tmp_path, plan=[SEND])
    kept = tmp_path / "state" / "pending.json"
    kept.write_text(kept.read_text(encoding="utf-8").replace("visit-note", "whole-chart", 1))
    with pytest.raises(AnswerMismatch):
        resumed(tmp_path)


def test_what_is_kept_names_no_patient(tmp_path: Path) -> None:
    plan = [{"tool": "send_record", "arguments": {"record": "a", "recipient": "eye"}}, SEND]
    query = "Avery Quill, born 1961-02-30, has asthma"
    left_waiting(tmp_path, query=query, patient={"name": "Avery Quill"}, plan=plan)
    kept = (tmp_path / "state" / "pending.json").read_text(encoding="utf-8").lower()
    assert "quill" not in kept
    assert "1961" not in kept
