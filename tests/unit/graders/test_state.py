from __future__ import annotations

from typing import Any

import pytest
from msgspec import UNSET

from probare.errors import GraderError
from probare.graders.state import StateEquals
from probare.grading.judging import judge
from probare.grading.ready import make_ready
from probare.model.case import Case, Check
from probare.model.outcome import Outcome, Transcript
from probare.ports.grader import GradingSettings, TrialView

STATE = {"cart": {"items": [{"id": 1}], "open": True}, "note": None}


@pytest.mark.parametrize(
    ("args", "result"),
    [
        ({"value": STATE}, "pass"),
        ({"value": {"cart": {}}}, "fail"),
        ({"value": 1.0, "path": "cart.items[0].id"}, "pass"),
        ({"value": "1", "path": "cart.items[0].id"}, "fail"),
        ({"value": 1, "path": "cart.open"}, "fail"),
        ({"value": None, "path": "note"}, "pass"),
        ({"value": None, "path": "notes"}, "fail"),
    ],
)
def test_it_compares_as_json(ask: Any, args: dict[str, Any], result: str) -> None:
    assert ask(StateEquals, STATE, **args).result == result


def test_reasons_say_where(ask: Any) -> None:
    assert ask(StateEquals, STATE, value=2, path="cart.items[0].id").reason == (
        "state cart.items[0].id: expected 2, got 1"
    )
    assert "did you mean 'note'" in ask(StateEquals, STATE, value=2, path="notes").reason


def test_no_state_is_an_error_and_a_bad_path_is_refused(ask: Any) -> None:
    with pytest.raises(GraderError):
        ask(StateEquals, UNSET, value=None)
    with pytest.raises(ValueError, match="is not a path"):
        ask(StateEquals, STATE, value=None, path="a..b")


def test_a_state_that_nobody_saw_is_unknown() -> None:
    check = Check(grader="state_equals", args={"value": 1})
    ready = make_ready(check, "expect", {"state_equals": StateEquals}, GradingSettings())

    def result(observes: Any, trust: Any = "observed") -> str:
        transcript = Transcript(case="c", outcome=Outcome(output="x", state=1), observes=observes)
        trial = TrialView(
            case=Case(id="c"), transcript=transcript, trust=trust, settings=GradingSettings()
        )
        return judge(ready, trial).result

    assert result(()) == "unknown"
    assert result(("state",)) == "pass"
    assert result((), trust="claimed") == "pass"
