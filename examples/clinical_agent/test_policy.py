"""The policy engine, in rules and in Cedar: the same questions, the same answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from probare.grading import usercode

FOLDER = Path(__file__).parent
Action = usercode.load("governed.action:Action", FOLDER)
Ruling = usercode.load("governed.action:Ruling", FOLDER)
strictest = usercode.load("governed.action:strictest", FOLDER)
load = usercode.load("governed.policy:load", FOLDER)
parsed = usercode.load("governed.policy:parsed", FOLDER)
PolicyInvalid = usercode.load("governed.policy:PolicyInvalid", FOLDER)
CedarPolicy = usercode.load("governed.cedar:CedarPolicy", FOLDER)

FULL = {"purpose": "treatment", "gateway": True, "redacted": True}
ENGINES = ["rules", "cedar"]
both = pytest.mark.parametrize("engine", ENGINES)


def ruled(engine: str, name: str, context: dict[str, Any] | None = None) -> Any:
    policy = load("healthcare_minimum", engine)
    return policy.decide(Action(name, name, {}, FULL if context is None else context))


@both
@pytest.mark.parametrize(
    ("name", "decision"),
    [
        ("retrieve", "allow"),
        ("lookup_dose", "allow"),
        ("order_labs", "allow"),
        ("schedule_follow_up", "allow"),
        ("write_summary", "allow"),
        ("send_record", "require_approval"),
        ("change_dose", "require_approval"),
    ],
)
def test_what_is_asked_rightly_is_ruled_on_by_its_risk(
    engine: str, name: str, decision: str
) -> None:
    ruling = ruled(engine, name)
    assert ruling.decision == decision
    assert ruling.policy.startswith("healthcare_minimum/")
    assert ruling.reason


@both
@pytest.mark.parametrize(
    "name", ["order_labs_v2", "Order_Labs", "order_labs ", "", "delete_chart", "*"]
)
def test_a_name_that_no_rule_knows_is_denied(engine: str, name: str) -> None:
    ruling = ruled(engine, name)
    assert (ruling.decision, ruling.policy) == ("deny", "healthcare_minimum/default")


@both
@pytest.mark.parametrize("name", ["retrieve", "order_labs", "send_record", "write_summary"])
@pytest.mark.parametrize("missing", [*FULL, None])
def test_a_context_that_lacks_something_is_denied(
    engine: str, name: str, missing: str | None
) -> None:
    context = {} if missing is None else {k: v for k, v in FULL.items() if k != missing}
    assert ruled(engine, name, context).decision == "deny"


@both
@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"redacted": False}, "nothing-unredacted"),
        ({"gateway": False}, "acts-through-the-gateway"),
        ({"purpose": "marketing"}, "care-purposes-only"),
    ],
)
def test_a_deny_wins_over_everything(engine: str, change: dict[str, Any], rule: str) -> None:
    for name in ("retrieve", "order_labs"):
        ruling = ruled(engine, name, FULL | change)
        assert (ruling.decision, ruling.policy) == ("deny", f"healthcare_minimum/{rule}")
    assert ruled(engine, "send_record", FULL | change).decision == "deny"


@both
@pytest.mark.parametrize("change", [{"redacted": 1}, {"redacted": "yes"}, {"purpose": None}])
def test_a_value_of_another_type_is_no_way_in(engine: str, change: dict[str, Any]) -> None:
    assert ruled(engine, "order_labs", FULL | change).decision == "deny"


@both
def test_an_approval_in_the_context_is_not_taken_from_the_caller(engine: str) -> None:
    ruling = ruled(engine, "send_record", FULL | {"approved": True})
    assert ruling.decision == "require_approval"


def test_an_evaluation_error_in_cedar_is_a_deny_and_says_so() -> None:
    policy = CedarPolicy("p", "permit (principal, action, resource) when { context.age > 3 };")
    ruling = policy.decide(Action("look", "x", {}, {"age": "four"}))
    assert (ruling.decision, ruling.policy) == ("deny", "p/error")
    assert "evaluation error" in ruling.reason


def test_an_error_in_one_policy_denies_what_another_permits() -> None:
    policy = CedarPolicy(
        "p",
        "permit (principal, action, resource);"
        "forbid (principal, action, resource) when { context.missing };",
    )
    assert policy.decide(Action("look", "x", {}, {})).decision == "deny"


def test_cedar_without_a_policy_that_decides_is_a_deny() -> None:
    ruling = CedarPolicy("p", "").decide(Action("look", "x", {}, FULL))
    assert (ruling.decision, ruling.policy) == ("deny", "p/default")


def test_a_context_that_cedar_cannot_read_is_a_deny() -> None:
    ruling = ruled("cedar", "order_labs", FULL | {"weight": 0.5})
    assert ruling.decision == "deny"


@pytest.mark.parametrize(
    ("name", "engine", "said"),
    [
        ("healthcare_maximum", "rules", "no policy 'healthcare_maximum'"),
        ("healthcare_maximum", "cedar", "no policy 'healthcare_maximum'"),
        ("../../etc/passwd", "rules", "no policy"),
        ("healthcare_minimum", "prolog", "no policy engine 'prolog'"),
    ],
)
def test_a_policy_that_nobody_knows_is_refused(name: str, engine: str, said: str) -> None:
    with pytest.raises(PolicyInvalid, match=said):
        load(name, engine)


@pytest.mark.parametrize(
    "text",
    [
        "rules: [{id: a, effect: permit, actions: [x], reason: r}]",
        "rules: [{id: a, effect: allow, actions: [x], reason: r, unless: {}}]",
        "rules: [{id: a, effect: allow}]",
        "nothing: here",
        "rules: [",
    ],
)
def test_rules_that_cannot_be_understood_are_refused(text: str) -> None:
    with pytest.raises(PolicyInvalid):
        parsed("p", text)
    with pytest.raises(PolicyInvalid):
        CedarPolicy("p", text)


def test_the_strictest_ruling_counts_and_reasons_for_approval_are_joined() -> None:
    allow = Ruling("allow", "a", "fine")
    first, second = (Ruling("require_approval", name, f"by {name}") for name in "bc")
    deny = Ruling("deny", "d", "no")
    assert strictest([allow, deny, first]) == deny
    assert strictest([allow]) == allow
    assert strictest([first, allow, second]) == Ruling("require_approval", "b + c", "by b; by c")
