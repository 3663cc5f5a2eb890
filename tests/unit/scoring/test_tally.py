"""Counting records: once each, only those planned, and in little memory."""

from __future__ import annotations

import tracemalloc
from typing import Any

import pytest

from probare.errors import RunDirectoryError
from probare.model.case import Case
from probare.scoring.tally import Tally


def test_a_trial_counts_once(bench: Any) -> None:
    """Field report B67: the same result written twice must not count twice."""
    case = bench.case("a")
    tally = bench.tally((case, ["p", None]))
    with pytest.raises(RunDirectoryError, match="trial 0 of 'a' is recorded twice"):
        tally.add(bench.record(case, 0, "p"))
    assert tally.cases["a"].passed == 1


def test_case_wide_verdicts_count_once(bench: Any) -> None:
    case = Case(id="a", expect=(bench.check(), bench.check(grader=bench.WIDE)))
    tally = bench.tally((case, ["p", "p"]), wide={"a": "p"})
    with pytest.raises(RunDirectoryError, match="recorded twice"):
        tally.add_case(bench.wide_record(case, "p"))


@pytest.mark.parametrize("number", [-1, 2, 99])
def test_a_trial_that_was_not_planned_is_refused(bench: Any, number: int) -> None:
    case = bench.case("a")
    tally = bench.tally((case, ["p", "p"]))
    with pytest.raises(RunDirectoryError, match="2 were planned"):
        tally.add(bench.record(case, number, "p"))


def test_records_of_an_unknown_case_are_refused(bench: Any) -> None:
    tally = bench.tally((bench.case("a"), ["p"]))
    with pytest.raises(RunDirectoryError, match="'b' is recorded but not planned"):
        tally.add(bench.record(bench.case("b"), 0, "p"))
    with pytest.raises(RunDirectoryError, match="'b', not planned"):
        tally.add_case(bench.wide_record(bench.case("b", 0), ""))


def test_a_planned_case_that_the_suite_lacks_is_refused(bench: Any) -> None:
    with pytest.raises(RunDirectoryError, match="not in the suite: b"):
        Tally([bench.case("a")], {"a": 1, "b": 1})


def test_only_planned_cases_are_tallied(bench: Any) -> None:
    tally = Tally([bench.case("a"), bench.case("b")], {"b": 1})
    assert list(tally.cases) == ["b"]


def test_optional_checks_agree_with_the_status_or_not(bench: Any) -> None:
    optional = bench.check(label="gold", required=False)
    case = Case(id="a", expect=(bench.check(), optional))
    tally = bench.tally((case, ["pp", "pf", "fp", "ff", "pe", "ep"]))
    found = tally.optional["gold"]
    assert (found.passed, found.failed, found.other) == (3, 2, 1)
    assert (found.agree, found.disagree) == (2, 2)


def test_memory_is_small_a_case_and_flat_in_trials(bench: Any) -> None:
    cases = [bench.case(f"c{i}", 1, 1) for i in range(500)]
    records = [bench.record(case, n, "pf") for case in cases for n in range(20)]
    planned = dict.fromkeys([case.id for case in cases], 20)
    tracemalloc.start()
    try:
        tally = Tally(cases, planned)
        for record in records:
            tally.add(record)
        used = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert used / len(cases) < 400
