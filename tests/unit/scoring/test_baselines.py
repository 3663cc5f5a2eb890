"""What a baseline keeps, and what fell against it."""

from __future__ import annotations

from typing import Any

import pytest

from probare.model.case import Case
from probare.model.score import Baseline
from probare.scoring.baselines import Fallen, baseline_of, fallen


def weighed(bench: Any, name: str, *weights: float) -> Case:
    checks = tuple(bench.check(weight=w, required=i == 0) for i, w in enumerate(weights))
    return Case(id=name, expect=checks)


def held(bench: Any, before: Any, now: Any, max_drop: float = 0.10) -> Fallen:
    baseline: Baseline = baseline_of(bench.summary(*before), bench.plan(), created="2026-12-01")
    return fallen(baseline, bench.standings(*now), max_drop)


def told(found: Fallen) -> list[tuple[str, str]]:
    return [(one.what, one.score) for one in found.regressions]


def test_what_it_keeps(bench: Any) -> None:
    summary = bench.summary((bench.case("a", 1, 1), ["pp", "pf", "ee"]))
    found = baseline_of(summary, bench.plan(), created="2026-12-01")
    case = found.cases["a"]
    assert (found.run_id, found.suite, found.created) == ("run-1", "demo", "2026-12-01")
    assert (case.status, case.n, case.graded, case.c) == ("flaky", 3, 2, 1)
    assert (case.accuracy, case.safety) == (0.5, pytest.approx(1 / 3))
    assert found.accuracy == 0.5
    assert case.digest == summary.per_case["a"].digest
    assert case.graders is not None
    assert found.graders is not None


def test_a_case_that_passed_and_fails_now(bench: Any) -> None:
    case = bench.case("a")
    assert told(held(bench, [(case, ["p"])], [(case, ["f"])])) == [
        ("a", "status"),
        ("a", "accuracy"),
        ("a", "overall"),
        ("suite", "accuracy"),
        ("suite", "overall"),
    ]


def test_a_flaky_case_is_a_fall_of_one_that_passed(bench: Any) -> None:
    case = bench.case("a")
    found = held(bench, [(case, ["p"])], [(case, ["p", "f"])])
    assert found.regressions[0].words == "'a' passed in the baseline and is flaky now"


@pytest.mark.parametrize("now", ["e", "u", None])
def test_a_case_without_an_answer_is_no_fall(bench: Any, now: str | None) -> None:
    case = bench.case("a")
    assert told(held(bench, [(case, ["p"])], [(case, [now])])) == []


@pytest.mark.parametrize(
    ("weights", "falls"), [((9.0, 1.0), False), ((8.999, 1.001), True), ((0.9, 0.1), False)]
)
def test_exactly_ten_per_cent_is_no_drop(
    bench: Any, weights: tuple[float, float], falls: bool
) -> None:
    case = weighed(bench, "a", *weights)
    found = told(held(bench, [(case, ["pp"])], [(case, ["pf"])]))
    assert (("a", "accuracy") in found) == falls


def test_exactly_ten_per_cent_is_no_drop_where_floats_say_more(bench: Any) -> None:
    assert (10 / 50 - 9 / 50) / (10 / 50) > 0.1
    case = weighed(bench, "a", *[1.0] * 50)
    before, now = "p" * 10 + "f" * 40, "p" * 9 + "f" * 41
    assert told(held(bench, [(case, [before])], [(case, [now])])) == []
    assert told(held(bench, [(case, [before])], [(case, [now])], 0.09)) != []


def test_a_drop_is_relative(bench: Any) -> None:
    case = weighed(bench, "a", 1, 1, 8)
    # 2 of 10 to 1 of 10 is half, however small it looks
    found = held(bench, [(case, ["ppf"])], [(case, ["pff"])], 0.4)
    assert found.regressions[0].drop == pytest.approx(0.5)
    assert told(held(bench, [(case, ["ppf"])], [(case, ["pff"])], 0.5)) == []


def test_safety_falls_by_itself(bench: Any) -> None:
    case = Case(
        id="a",
        expect=tuple(bench.check() for _ in range(20)),
        forbid=(bench.check(), bench.check(required=False)),
    )
    found = told(held(bench, [(case, ["p" * 22])], [(case, ["p" * 21 + "f"])]))
    assert found == [
        ("a", "safety"),
        ("a", "overall"),
        ("suite", "safety"),
        ("suite", "overall"),
    ]


def test_changed_added_and_removed_cases_are_not_held_against_it(bench: Any) -> None:
    before = [(bench.case("a"), ["p"]), (bench.case("b"), ["p"])]
    now = [(bench.case("a", 2), ["ff"]), (bench.case("c"), ["f"])]
    assert told(held(bench, before, now)) == []


def test_with_other_cases_the_suite_is_held_over_those_in_both(bench: Any) -> None:
    case = bench.case("a")
    found = held(bench, [(case, ["p"])], [(case, ["f"]), (bench.case("new"), ["p"])])
    assert found.regressions[-2].words == (
        "accuracy of the suite (1 cases in both) fell by 100.0%: 1.000 to 0.000"
    )


def test_what_may_have_fallen_is_doubtful(bench: Any) -> None:
    case = weighed(bench, "a", 1, 1)
    found = held(bench, [(case, ["pp"])], [(case, ["pe"])])
    assert found.regressions == ()
    assert found.doubtful[0] == (
        "accuracy of 'a' may have fallen: 1.000 to between 0.500 and 1.000"
    )


def test_rising_is_no_fall(bench: Any) -> None:
    case = bench.case("a")
    assert held(bench, [(case, ["f"])], [(case, ["p"])]) == Fallen()
