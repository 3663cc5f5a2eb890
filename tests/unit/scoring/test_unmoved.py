"""Checks, graders and cases that no broken agent makes fail."""

from __future__ import annotations

from probare.model.proof import CheckName
from probare.scoring.observed import CaseSeen
from probare.scoring.unmoved import unmoved

X = CheckName(list="expect", label="x", grader="contains")
Y = CheckName(list="forbid", label="y", grader="contains")
Z = CheckName(list="expect", label="z", grader="regex")


def seen(*checks: CheckName, failed: tuple[CheckName, ...] = ()) -> CaseSeen:
    return CaseSeen(
        status="failed" if failed else "passed",
        failed=dict.fromkeys(failed, "why"),
        passed=frozenset(checks) - frozenset(failed),
        checks=frozenset(checks),
        completed=True,
        error="",
    )


def test_checks_are_counted_by_case_and_graders_over_all() -> None:
    one = {"a": seen(X, Y, failed=(X,)), "b": seen(X, Z)}
    null = {"a": seen(X, Y, failed=(X,)), "b": seen(X, Z, failed=(Z,))}
    found = unmoved([(one, {"a": (X,)})], [null], null)
    assert (found.planned, found.never_failed, found.null_fails) == (4, 3, 1)
    assert found.checks == {"a": (Y,), "b": (X, Z)}
    assert (found.graders, found.cases) == (("regex",), ("b",))


def test_a_check_that_only_another_run_asked_counts_as_planned() -> None:
    crashed = {"a": seen()}
    found = unmoved([(crashed, {})], [{"a": seen(X)}, {"c": seen(Z)}], {})
    assert (found.planned, found.checks, found.cases) == (1, {"a": (X,)}, ("a",))


def test_two_defects_move_more_than_one() -> None:
    runs = [({"a": seen(X, Y)}, {"a": (X,)}), ({"a": seen(X, Y)}, {"a": (Y,)})]
    found = unmoved(runs, [], {})
    assert (found.never_failed, found.checks, found.graders) == (0, {}, ())
