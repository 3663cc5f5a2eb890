"""tool_called, tool_calls."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probare.errors import GraderError
from probare.graders.tools import GRADERS, ToolCalled, ToolCalls, calls_in
from probare.grading.judging import judge
from probare.grading.ready import make_ready
from probare.model.case import Case, Check
from probare.model.event import Event, Message, Source, ToolCall, ToolResult
from probare.model.outcome import Outcome, Stop, Transcript
from probare.model.verdict import CheckVerdict, Verdict
from probare.ports.grader import Grader, GradingSettings, TrialView

SETTINGS = GradingSettings()
BY_NAME = {kind.NAME: kind for kind in GRADERS}


def call(name: str, arguments: Any = None, source: Source = "observed") -> ToolCall:
    return ToolCall(name=name, arguments=arguments, source=source)


def view(*events: Event, stop: Stop = "completed", watched: bool = True) -> TrialView:
    transcript = Transcript(
        case="c",
        events=events,
        outcome=Outcome(output="done"),
        observes=("tools",) if watched else (),
    )
    return TrialView(case=Case(id="c"), transcript=transcript, stop=stop, settings=SETTINGS)


def grade(kind: type[Grader], args: dict[str, Any], *events: Event) -> Verdict:
    return msgspec.convert(args, kind).grade(events, view(*events))


def called(*events: Event, **args: Any) -> Verdict:
    return grade(ToolCalled, {"name": "refund", **args}, *events)


def calls(gold: list[Any], *events: Event, **args: Any) -> Verdict:
    return grade(ToolCalls, {"calls": gold, **args}, *events)


def gold(name: str, **args: Any) -> dict[str, Any]:
    return {"name": name, "args": args}


def test_a_call_is_seen_among_other_events() -> None:
    events = (
        Message(role="user", content="refund please"),
        call("refund", {"order": "W1"}),
        ToolResult(name="refund", error="down"),
    )
    verdict = called(*events)
    assert verdict.result == "pass"
    assert verdict.reason == "refund was called once"


def test_no_call_says_what_was_called_instead() -> None:
    assert called(call("refunds"), call("pay")).reason == (
        "refund was called never; called: refunds, pay (did you mean 'refunds'?)"
    )
    assert called().reason == "refund was called never; called: nothing"


@pytest.mark.parametrize(
    ("times", "count", "result"),
    [
        (None, 1, "pass"),
        (None, 3, "pass"),
        (0, 0, "pass"),
        (0, 1, "fail"),
        (2, 2, "pass"),
        (2, 3, "fail"),
        ({"min": 2}, 1, "fail"),
        ({"min": 2}, 5, "pass"),
        ({"max": 1}, 0, "pass"),
        ({"max": 1}, 2, "fail"),
        ({"min": 1, "max": 2}, 2, "pass"),
    ],
)
def test_times(times: Any, count: int, result: str) -> None:
    args = {} if times is None else {"times": times}
    assert called(*[call("refund")] * count, **args).result == result


@pytest.mark.parametrize("times", [-1, True, "2", 1.5, {}, {"min": 0}, {"min": 3, "max": 2}])
def test_times_that_mean_nothing_are_refused(times: Any) -> None:
    with pytest.raises(msgspec.ValidationError):
        called(times=times)


def test_given_arguments_must_be_there_and_others_may() -> None:
    made = call("refund", {"order": "W1", "amount": 20.0})
    assert called(made, args={"amount": 20}).result == "pass"
    wrong = called(made, args={"amount": "20"})
    assert wrong.result == "fail"
    assert "argument 'amount': expected '20', got 20.0" in wrong.reason
    assert called(call("refund", "not-json"), args={}).result == "fail"
    assert called(call("refund", "not-json")).result == "pass"


def test_only_calls_that_fit_are_counted() -> None:
    events = [call("refund", {"amount": n}) for n in (1, 1, 2)]
    assert called(*events, args={"amount": 1}, times=2).result == "pass"
    assert called(*events, args={"amount": 1}, times={"max": 1}).result == "fail"


@pytest.mark.parametrize("seen", ["text", {"events": []}, [1], None, [{"kind": "tool_call"}]])
def test_what_is_no_events_is_an_error(seen: Any) -> None:
    with pytest.raises(GraderError, match="no events"):
        calls_in(seen)


A, B = gold("a", x=1), gold("b", y=2)
CALL_A, CALL_B = call("a", {"x": 1}), call("b", {"y": 2})


@pytest.mark.parametrize(
    ("mode", "made", "result", "score"),
    [
        ("strict", "ab", "pass", 1.0),
        ("strict", "ba", "fail", 0.5),
        ("strict", "abb", "fail", 2 / 3),
        ("strict", "", "fail", 0.0),
        ("unordered", "ba", "pass", 1.0),
        ("unordered", "aa", "fail", 0.5),
        ("unordered", "abx", "fail", 2 / 3),
        ("subset", "b", "pass", 1.0),
        ("subset", "", "pass", 1.0),
        ("subset", "bb", "fail", 0.5),
        ("subset", "bx", "fail", 0.5),
        ("superset", "xbay", "pass", 1.0),
        ("superset", "bb", "fail", 0.5),
        ("superset", "", "fail", 0.0),
    ],
)
def test_modes(mode: str, made: str, result: str, score: float) -> None:
    known = {"a": CALL_A, "b": CALL_B}
    events = [known.get(name) or call(name) for name in made]
    verdict = calls([A, B], *events, mode=mode)
    assert (verdict.result, verdict.score) == (result, pytest.approx(score))


def test_an_extra_harmful_call_is_no_success() -> None:
    verdict = calls([A], CALL_A, call("delete_all", {"table": "users"}), mode="unordered")
    assert verdict.result == "fail"
    assert 'not asked for: delete_all({"table":"users"})' in verdict.reason


def test_a_missing_call_names_the_nearest() -> None:
    near, far = call("b", {"y": 9, "z": 1}), call("b", {"y": 9, "z": 9})
    verdict = calls([gold("b", y=2, z=1)], far, near, mode="superset")
    assert "[argument 'y': expected 2, got 9]" in verdict.reason
    assert "[no such call is left]" in calls([A], mode="unordered").reason
    assert "[called in another order]" in calls([A, B], CALL_B, CALL_A).reason


@pytest.mark.parametrize("mode", ["strict", "unordered", "subset"])
def test_no_gold_calls_mean_no_calls(mode: str) -> None:
    assert calls([], mode=mode).result == "pass"
    assert calls([], CALL_A, mode=mode).result == "fail"
    read_only = calls([], call("get_user"), mode=mode, only=["update", "cancel"])
    assert read_only.result == "pass"
    assert calls([], call("cancel"), mode=mode, only=["update", "cancel"]).result == "fail"


def test_ignored_tools_are_not_looked_at() -> None:
    assert calls([A], call("think"), CALL_A, ignore=["think"]).result == "pass"


def test_a_name_alone_compares_no_arguments() -> None:
    assert calls(["a", {"name": "b"}], CALL_A, CALL_B).result == "pass"
    assert calls([gold("a")], CALL_A).result == "fail"


def test_argument_modes_reach_the_rule() -> None:
    extra = call("a", {"x": 1, "note": "n"})
    results = {m: calls([A], extra, args=m).result for m in ("exact", "superset", "ignore")}
    assert results == {"exact": "fail", "superset": "pass", "ignore": "pass"}
    assert calls([gold("a", x=1.0)], CALL_A).result == "pass"
    assert calls([gold("a", x=1.0)], CALL_A, strict_types=True).result == "fail"


MEANINGLESS: list[tuple[dict[str, Any], str]] = [
    ({"calls": [], "mode": "superset"}, "hold of everything"),
    ({"calls": ["a"], "only": ["b"]}, "left out"),
    ({"calls": ["a"], "ignore": ["a"]}, "left out"),
    ({"calls": ["a"], "only": []}, "`only` is empty"),
    ({"calls": ["a"], "only": ["a"], "ignore": ["b"]}, "not both"),
    ({"calls": [{"name": "a", "arguments": {}}]}, "unknown field"),
    ({"calls": ["a"], "mode": "any"}, "Invalid enum value"),
    ({"calls": "a"}, "Expected `array`"),
]


@pytest.mark.parametrize(("args", "message"), MEANINGLESS)
def test_arguments_that_mean_nothing_are_refused(args: dict[str, Any], message: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=message):
        msgspec.convert(args, ToolCalls)


NAMED = st.lists(st.sampled_from(["a", "b", "c"]), max_size=5)


@settings(max_examples=50, deadline=None)
@given(NAMED, NAMED, st.sampled_from(["unordered", "subset", "superset"]), st.integers())
def test_order_changes_neither_result_nor_score(
    wanted: list[str], made: list[str], mode: str, seed: int
) -> None:
    if mode == "superset" and not wanted:
        return
    first = calls(list(wanted), *map(call, made), mode=mode)
    random.Random(seed).shuffle(wanted)
    random.Random(seed).shuffle(made)
    second = calls(list(wanted), *map(call, made), mode=mode)
    assert (first.result, first.score) == (second.result, second.score)
    assert (first.score == 1.0) == (first.result == "pass")


def asked(check: Check, trial: TrialView, *, forbid: bool = False) -> CheckVerdict:
    return judge(make_ready(check, "forbid" if forbid else "expect", BY_NAME, SETTINGS), trial)


REFUND = Check(grader="tool_called", args={"name": "refund"})


def test_claimed_calls_are_no_evidence() -> None:
    claimed = view(call("refund", source="claimed"))
    assert asked(REFUND, claimed).result == "unknown"
    assert asked(REFUND, claimed, forbid=True).result == "unknown"
    trusted = msgspec.structs.replace(claimed, trust="claimed")
    assert asked(REFUND, trusted).result == "pass"


def test_unwatched_tools_show_nothing() -> None:
    assert asked(REFUND, view(watched=False), forbid=True).result == "unknown"
    assert asked(REFUND, view(), forbid=True).result == "pass"


def test_a_forbidden_call_before_a_crash_is_a_failure() -> None:
    assert asked(REFUND, view(call("refund"), stop="timeout"), forbid=True).result == "fail"
    assert asked(REFUND, view(stop="timeout"), forbid=True).result == "error"
