"""Requests, plans and the knowledge base."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from probare.grading import usercode
from probare.model.event import ToolCall
from probare.targets.recorder import Recorder

FOLDER = Path(__file__).parent
request_of = usercode.load("governed.request:request_of", FOLDER)
RequestInvalid = usercode.load("governed.request:RequestInvalid", FOLDER)
PlanInvalid = usercode.load("governed.planner:PlanInvalid", FOLDER)
Runtime = usercode.load("governed.runtime:Runtime", FOLDER)
ClinicalAgent = usercode.load("agent:ClinicalAgent", FOLDER)
TOOLS = usercode.load("governed.tools:tools_of", FOLDER)(
    usercode.load("governed.tools:Clinic", FOLDER)()
)
KNOWLEDGE = usercode.load("governed.knowledge:load", FOLDER)()
LABS = {"tool": "order_labs", "arguments": {"panel": "lipid", "urgency": "routine"}}


def answered(complete: Any, **config: Any) -> tuple[dict[str, Any], Recorder]:
    recorder = Recorder()
    return asyncio.run(ClinicalAgent(complete).run(config, recorder)), recorder


def test_what_a_tester_looks_for_makes_no_difference_to_the_agent(carried_out: Any) -> None:
    asked = {"query": "Options for Casey Marsh with asthma", "plan": [LABS]}
    without, with_ = (
        carried_out(**asked, **more) for more in ({}, {"planted": {"name": "Casey Marsh"}})
    )
    assert with_.answer == without.answer
    assert "Casey Marsh" in with_.of("retrieval")[0].query
    assert [e.kind for e in with_.events] == [e.kind for e in without.events]


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"qery": "x"}, "a key that nobody knows: qery"),
        ({"query": 3}, "`query` of the request is not a text"),
        ({"patient": {"name": 3}}, "`patient` of the request is not a mapping of texts"),
        ({"plan": {"tool": "x"}}, "`plan` of the request is not a list of steps"),
        ({"cap_micro_usd": 0.5}, "not a natural number of micro-dollars"),
        ({"cap_micro_usd": True}, "not a natural number of micro-dollars"),
        ({"retries": 0}, "`retries` of the request is not a number from 1"),
        ({"summary": "../x.md"}, "`summary` of the request is not the name"),
        ({"approvers": "me"}, "`approvers` of the request is not a list of texts"),
        ({"strategies": ["omit_context"]}, "`strategies` need a `bypass`"),
    ],
)
def test_a_request_that_is_none_is_refused(config: dict[str, Any], said: str) -> None:
    with pytest.raises(RequestInvalid) as caught:
        request_of(config)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"strategies": ["bribe"], "bypass": LABS}, "no strategy 'bribe'"),
        ({"flaky": {"nothing": {"failures": 1, "error": "x"}}}, "no tool 'nothing'"),
        ({"tools": {"order_labs": {"type": "object"}}}, "another schema of 'order_labs'"),
        ({"tools": {"nothing": {}}}, "another schema of 'nothing'"),
        ({"summary": "a.md"}, "needs a workspace"),
    ],
)
def test_what_cannot_be_carried_out_is_refused_before_anything_is_done(
    config: dict[str, Any], said: str
) -> None:
    recorder = Recorder()
    with pytest.raises(RequestInvalid, match=said):
        Runtime(request_of(config), recorder)
    assert recorder.events == ()


@pytest.mark.parametrize(
    "step",
    [
        {},
        {"tool": 3},
        {"tool": "order_labs", "args": {}},
        {"tool": "order_labs", "arguments": ["lipid"]},
    ],
)
def test_a_step_that_is_none_is_refused(step: dict[str, Any]) -> None:
    with pytest.raises(PlanInvalid):
        Runtime(request_of({"plan": [step]}), Recorder())


def test_a_model_plans_and_the_policy_decides() -> None:
    seen: list[Any] = []

    def complete(messages: list[dict[str, str]]) -> str:
        seen.extend(messages)
        return json.dumps([LABS, {"tool": "delete_chart", "arguments": {}}])

    answer, recorder = answered(
        complete, query="Avery Quill has asthma", patient={"name": "Avery Quill"}
    )
    assert [act["status"] for act in answer["acts"]] == ["done", "done", "denied"]
    assert [e.name for e in recorder.events if isinstance(e, ToolCall)] == ["order_labs"]
    assert "Quill" not in repr(seen)
    assert "[NAME] has asthma" in seen[1]["content"]
    assert "exclusiveMinimum" in seen[0]["content"]


@pytest.mark.parametrize("reply", ["Sure! Here is a plan", '{"tool": "order_labs"}', "[3]"])
def test_a_models_reply_that_is_no_plan_is_refused(reply: str) -> None:
    with pytest.raises(PlanInvalid):
        answered(lambda _messages: reply, query="asthma")


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Options for patient [NAME], born [DATE], with type 2 diabetes", "diabetes#first"),
        ("My asthma gets worse", "asthma#when-it-gets-worse"),
        ("May I send the record to another clinic?", "records#sending-a-record"),
        ("high blood pressure follow-up", "hypertension#follow-up"),
    ],
)
def test_the_knowledge_base_finds_what_belongs_to_a_question(question: str, first: str) -> None:
    found = KNOWLEDGE.search(question)
    assert found[0].source.startswith(first)
    assert found == KNOWLEDGE.search(question)


def test_the_knowledge_base_finds_nothing_where_no_word_fits() -> None:
    assert KNOWLEDGE.search("quantum chromodynamics") == []
    assert KNOWLEDGE.search("") == []


def test_doses_stay_within_the_tables_bounds() -> None:
    look = TOOLS["lookup_dose"].function
    doses = [look("glucamet", weight)["dose_mg"] for weight in (10, 80, 400)]
    assert doses == [500, 800, 2000]
