"""What a run showed of its cases."""

from __future__ import annotations

from typing import Any

import msgspec

from probare.model.proof import CheckName
from probare.model.record import TrialError
from probare.scoring.observed import observe


def name(number: int = 1, in_list: Any = "expect", grader: str = "contains") -> CheckName:
    return CheckName(list=in_list, label=grader, grader=grader, number=number)


def test_checks_that_fail_in_any_trial_failed_and_the_others_passed(bench: Any) -> None:
    case = bench.case("a", expect=2, forbid=1)
    records = [bench.record(case, 0, "pfp"), bench.record(case, 1, "ppu")]
    seen = observe({"a": "flaky"}, records, [])["a"]
    assert (seen.status, seen.completed) == ("flaky", True)
    assert set(seen.failed) == {name(2)}
    assert seen.passed == {name(1), name(1, "forbid")}
    assert seen.checks == {name(1), name(2), name(1, "forbid")}
    assert seen.error == "contains: unknown: "


def test_a_check_that_passed_and_failed_is_not_passed(bench: Any) -> None:
    case = bench.case("a")
    seen = observe({"a": "flaky"}, [bench.record(case, 0, "p"), bench.record(case, 1, "f")], [])
    assert seen["a"].passed == frozenset()


def test_an_optional_check_tells_nothing(bench: Any) -> None:
    case = bench.case("a")
    case = msgspec.structs.replace(case, expect=(*case.expect, bench.check(required=False)))
    seen = observe({"a": "passed"}, [bench.record(case, 0, "pf")], [])["a"]
    assert (seen.failed, seen.checks) == ({}, {name(1)})


def test_checks_of_the_case_as_a_whole_count(bench: Any) -> None:
    case = bench.case("a")
    case = msgspec.structs.replace(case, expect=(*case.expect, bench.check(bench.WIDE)))
    records = [bench.record(case, 0, "p"), bench.record(case, 1, "p")]
    seen = observe({"a": "failed"}, records, [bench.wide_record(case, "f")])["a"]
    assert list(seen.failed) == [name(grader=bench.WIDE)]
    assert seen.passed == {name()}


def test_what_did_not_complete_or_run_says_why(bench: Any) -> None:
    case = bench.case("a")
    record = bench.record(case, 0, "!s")
    record = msgspec.structs.replace(record, error=TrialError("Timeout", "no answer"))
    seen = observe({"a": "errored", "b": "errored"}, [record], [])
    assert (seen["a"].completed, seen["a"].error) == (False, "Timeout: no answer")
    assert (seen["b"].completed, seen["b"].error) == (False, "nothing ran")
