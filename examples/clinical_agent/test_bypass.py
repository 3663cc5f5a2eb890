"""Ways around the policy: each is tried in earnest, and each is denied with a receipt."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from probare.grading import usercode

FOLDER = Path(__file__).parent
Toolbox = usercode.load("governed.toolbox:Toolbox", FOLDER)
NotPermitted = usercode.load("governed.toolbox:NotPermitted", FOLDER)
NoSuchTool = usercode.load("governed.toolbox:NoSuchTool", FOLDER)
Ruling = usercode.load("governed.action:Ruling", FOLDER)
STRATEGIES = usercode.load("governed.bypass:STRATEGIES", FOLDER)
Clinic = usercode.load("governed.tools:Clinic", FOLDER)
tools_of = usercode.load("governed.tools:tools_of", FOLDER)
LABS = {"panel": "lipid", "urgency": "routine"}
CALL = {"tool": "order_labs", "arguments": LABS}


def closed() -> tuple[Any, Any]:
    """Return a clinic, and its toolbox with a guard that lets nothing through."""
    clinic = Clinic()
    return clinic, Toolbox(tools_of(clinic), lambda *_: Ruling("deny", "p", "no permit"))


@pytest.mark.parametrize("engine", ["rules", "cedar"])
@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
def test_each_way_around_is_denied_with_a_receipt(
    carried_out: Any, engine: str, strategy: str
) -> None:
    ran = carried_out(strategies=[strategy], bypass=CALL, policy_engine=engine)
    (receipt,) = ran.of("decision")
    assert (receipt.decision, receipt.resource) == ("deny", "order_labs")
    assert receipt.attributes["strategy"] == strategy
    assert receipt.reason
    assert ran.calls == []
    assert ran.answer["status"] == "complete"


@pytest.mark.parametrize(
    ("strategy", "defect"),
    [
        ("omit_context", "bypass_omit_context"),
        ("rename_action", "bypass_rename_action"),
        ("direct_tool_call", "bypass_direct_call"),
    ],
)
def test_each_way_is_real_where_its_door_is_open(
    carried_out: Any, strategy: str, defect: str
) -> None:
    ran = carried_out(defect=defect, strategies=sorted(STRATEGIES), bypass=CALL)
    assert ran.calls == ["order_labs"]
    assert ran.of("tool_call")[0].attributes["strategy"] == strategy
    assert ran.answer["status"] == "incomplete"


def test_a_permit_is_for_one_call_with_its_arguments() -> None:
    clinic, toolbox = closed()
    permit = toolbox.permit("order_labs", LABS)
    with pytest.raises(NotPermitted):
        toolbox.call("order_labs", {**LABS, "urgency": "urgent"}, permit)
    with pytest.raises(NotPermitted):
        toolbox.call("schedule_follow_up", {"clinic": "eye", "in_days": 3}, permit)
    assert toolbox.call("order_labs", LABS, permit)["order"] == "lab-1"
    with pytest.raises(NotPermitted):
        toolbox.call("order_labs", LABS, permit)
    assert len(clinic.orders) == 1


def test_a_made_up_permit_is_none() -> None:
    clinic, toolbox = closed()
    real = toolbox.permit("order_labs", LABS)
    forged = type(real)("0" * 32, real.tool, real.arguments)
    with pytest.raises(NotPermitted):
        toolbox.call("order_labs", LABS, forged)
    _, other = closed()
    with pytest.raises(NotPermitted):
        other.call("order_labs", LABS, real)
    assert clinic.orders == []


def test_a_name_has_to_be_the_tools_own() -> None:
    _, toolbox = closed()
    for name in ("order_labs_v2", "Order_Labs", "ｏrder_labs", ""):
        assert toolbox.find(name) is None
        with pytest.raises(NoSuchTool):
            toolbox.call(name, LABS)


def test_a_call_that_fails_can_be_tried_again_with_the_same_permit() -> None:
    _, toolbox = closed()
    bad = {"drug": "unheard-of", "weight_kg": 80}
    permit = toolbox.permit("lookup_dose", bad)
    for _ in range(2):
        with pytest.raises(KeyError):
            toolbox.call("lookup_dose", bad, permit)
