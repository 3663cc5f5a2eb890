"""DESIGN section 5, word for word, over every small combination."""

from __future__ import annotations

import itertools
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probare.model.outcome import Stop
from probare.model.record import TrialStatus
from probare.model.statuses import case_status, trial_status
from probare.model.verdict import HUMAN_REVIEW, CheckVerdict, Result, people_verdict

STOPS: tuple[Stop, ...] = get_args(Stop)
RESULTS: tuple[Result, ...] = get_args(Result)
TRIALS: tuple[TrialStatus, ...] = get_args(TrialStatus)


def verdict(result: Result, *, required: bool = True) -> CheckVerdict:
    return CheckVerdict(
        label="l", grader="g", grader_version="1", list="expect", result=result, required=required
    )


@pytest.mark.parametrize("stop", STOPS)
def test_every_trial_of_up_to_three_required_checks(stop: Stop) -> None:
    for count in range(4):
        for results in itertools.product(RESULTS, repeat=count):
            if "fail" in results:
                expected = "failed"
            elif stop != "completed" or "error" in results or "skipped" in results:
                expected = "errored"
            elif "unknown" in results:
                expected = "needs_review"
            elif not results:
                expected = "ungraded"
            else:
                expected = "passed"
            assert trial_status(stop, map(verdict, results)) == expected, (stop, results)


@given(
    st.sampled_from(STOPS),
    st.lists(st.tuples(st.sampled_from(RESULTS), st.booleans()), max_size=5),
)
@settings(max_examples=60, deadline=None)
def test_only_pass_is_pass(stop: Stop, checks: list[tuple[Result, bool]]) -> None:
    status = trial_status(stop, [verdict(result, required=needed) for result, needed in checks])
    required = [result for result, needed in checks if needed]
    assert (status == "passed") == (
        stop == "completed" and bool(required) and all(result == "pass" for result in required)
    )


@pytest.mark.parametrize("result", RESULTS)
def test_optional_checks_never_decide(result: Result) -> None:
    optional = verdict(result, required=False)
    assert trial_status("completed", [optional]) == "ungraded"
    assert trial_status("completed", [optional, verdict("pass")]) == "passed"


def test_every_case_of_up_to_three_trials() -> None:
    for count in range(1, 4):
        for trials in itertools.product(TRIALS, repeat=count):
            found = set(trials)
            if {"passed", "failed"} <= found:
                expected = "flaky"
            else:
                order = ("failed", "errored", "needs_review", "ungraded", "passed")
                expected = next(word for word in order if word in found)
            assert case_status(trials) == expected, trials


@pytest.mark.parametrize(
    ("trials", "wide", "expected"),
    [
        (["passed", "passed"], "pass", "passed"),
        (["passed", "passed"], "fail", "failed"),
        (["passed", "passed"], "error", "errored"),
        (["passed", "passed"], "skipped", "errored"),
        (["passed", "passed"], "unknown", "needs_review"),
        (["ungraded", "ungraded"], "pass", "passed"),
        (["ungraded", "ungraded"], "fail", "failed"),
        (["passed", "failed"], "fail", "flaky"),
        (["failed", "failed"], "pass", "failed"),
        (["errored", "passed"], "pass", "errored"),
        (["errored", "errored"], "fail", "failed"),
        (["needs_review", "passed"], "error", "errored"),
    ],
)
def test_case_wide_checks(trials: list[TrialStatus], wide: Result, expected: str) -> None:
    assert case_status(trials, [verdict(wide)]) == expected
    unheard = case_status(trials, [verdict(wide, required=False)])
    assert unheard == case_status(trials)


def test_a_case_of_which_nothing_was_seen_is_errored() -> None:
    """Field report B58: no events, no trials, and "completed" all the same."""
    assert case_status([]) == "errored"


@given(st.lists(st.sampled_from(TRIALS), max_size=5), st.lists(st.sampled_from(RESULTS)))
@settings(max_examples=60, deadline=None)
def test_a_case_passes_only_where_everything_passed(
    trials: list[TrialStatus], wide: list[Result]
) -> None:
    if case_status(trials, map(verdict, wide)) == "passed":
        assert trials
        assert set(wide) <= {"pass"}
        assert set(trials) <= ({"passed", "ungraded"} if wide else {"passed"})


def said(result: Any, *, required: bool = True) -> CheckVerdict:
    return CheckVerdict(
        label="answer",
        grader=HUMAN_REVIEW,
        grader_version="1",
        list="expect",
        result=result,
        required=required,
    )


@pytest.mark.parametrize(
    ("checks", "people", "status"),
    [
        ((), "pass", "passed"),
        ((), "fail", "failed"),
        ((), "unknown", "needs_review"),
        (("unknown",), "pass", "passed"),
        (("unknown", "pass"), "pass", "passed"),
        (("unknown",), "fail", "failed"),
        (("unknown",), "unknown", "needs_review"),
        (("pass",), "fail", "failed"),
        (("fail",), "pass", "failed"),
        (("fail", "unknown"), "pass", "failed"),
        (("error",), "pass", "errored"),
        (("skipped", "unknown"), "pass", "errored"),
    ],
)
def test_people_settle_what_is_unknown_and_undo_nothing(
    checks: tuple[Any, ...], people: Any, status: str
) -> None:
    verdicts = [*map(verdict, checks), said(people)]
    assert trial_status("completed", verdicts) == status


def test_people_do_not_make_a_crash_a_pass() -> None:
    assert trial_status("target_error", [said("pass")]) == "errored"


def test_only_the_last_verdict_is_what_people_said() -> None:
    assert people_verdict([said("pass"), verdict("unknown")]) is None
    assert people_verdict([]) is None
    assert trial_status("completed", [said("pass"), verdict("unknown")]) == "needs_review"
