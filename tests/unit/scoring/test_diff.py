"""Two runs compared: what is kept apart, which test, what it could have seen."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from probare.model.case import Case
from probare.model.score import Diff
from probare.scoring.baselines import baseline_of
from probare.scoring.diff import compare
from probare.scoring.sides import side_of_baseline, side_of_summary


def one_each(bench: Any, letters: str) -> Any:
    return [(bench.case(f"c{i}"), [letter]) for i, letter in enumerate(letters)]


def diff(bench: Any, before: Any, after: Any) -> Diff:
    return compare(side_of_summary(bench.summary(*before)), side_of_summary(bench.summary(*after)))


def test_five_falls_of_five_are_significant_and_four_are_out_of_reach(bench: Any) -> None:
    five = diff(bench, one_each(bench, "ppppp"), one_each(bench, "fffff"))
    assert five.answer == "regressed"
    assert five.p == pytest.approx(0.03125)
    assert five.test == "exact McNemar, one-sided"
    four = diff(bench, one_each(bench, "pppp"), one_each(bench, "ffff"))
    assert four.answer == "inconclusive"
    assert four.smallest_drop is None
    assert "out of reach" in four.words


def test_equal_runs_say_what_could_have_been_seen(bench: Any) -> None:
    found = diff(bench, one_each(bench, "p" * 20), one_each(bench, "p" * 20))
    assert found.answer == "no regression seen"
    assert found.smallest_drop == pytest.approx(5 / 20)
    assert found.words == (
        "0 fell and 0 rose of 20 cases compared; the smallest drop it could have seen is "
        "25.0 points"
    )


def test_rises_raise_the_smallest_drop(bench: Any) -> None:
    found = diff(bench, one_each(bench, "p" * 18 + "ff"), one_each(bench, "p" * 20))
    # 8 falls against 2 rises are p = 0.0547, 9 against 2 are 0.0327
    assert found.smallest_drop == pytest.approx((9 - 2) / 20)


def test_a_fall_that_may_be_chance_is_inconclusive(bench: Any) -> None:
    found = diff(bench, one_each(bench, "p" * 20), one_each(bench, "f" + "p" * 19))
    assert found.answer == "inconclusive"
    assert "may be chance" in found.words
    assert [case.case for case in found.fell] == ["c0"]


def test_cases_that_changed_came_or_went_are_kept_apart(bench: Any) -> None:
    """Field report B100."""
    before = [
        (bench.case("same"), ["p"]),
        (bench.case("changed", input=1), ["p"]),
        (bench.case("gone"), ["p"]),
    ]
    after = [
        (bench.case("same"), ["p"]),
        (bench.case("changed", input=2), ["f"]),
        (bench.case("new"), ["f"]),
    ]
    found = diff(bench, before, after)
    assert (found.changed, found.added, found.removed) == (("changed",), ("new",), ("gone",))
    assert (found.pairs, found.pass_rate_after, found.fell) == (1, 1.0, ())


def test_tags_and_descriptions_make_no_other_case(bench: Any) -> None:
    found = diff(bench, [(bench.case("a"), ["p"])], [(bench.case("a", tags=("x",)), ["p"])])
    assert (found.pairs, found.by_tag) == (1, {"x": (1.0, 1.0)})


def test_cases_without_an_answer_are_listed_not_dropped(bench: Any) -> None:
    found = diff(bench, one_each(bench, "pppu"), one_each(bench, "pe" + "pp"))
    assert found.undecided == ("c1", "c3")
    assert found.pairs == 2


def test_other_versions_of_graders_are_kept_apart(bench: Any) -> None:
    case = bench.case("a")
    found = compare(
        side_of_summary(bench.summary((case, ["p"]), version="1")),
        side_of_summary(bench.summary((case, ["f"]), version="2")),
    )
    assert (found.regraded, found.pairs, found.answer) == (("a",), 0, "inconclusive")
    assert found.p is None


def test_with_nothing_to_pair_it_is_inconclusive(bench: Any) -> None:
    found = diff(bench, one_each(bench, "p"), [(bench.case("other"), ["p"])])
    assert found.answer == "inconclusive"
    assert found.pass_rate_before is None


class TestSeveralTrials:
    """Paired differences, and each case by itself."""

    def test_many_small_falls_are_significant_together(self, bench: Any) -> None:
        before = [(bench.case(f"c{i}"), ["p"] * 4) for i in range(6)]
        after = [(bench.case(f"c{i}"), ["p", "p", "p", "f"]) for i in range(6)]
        found = diff(bench, before, after)
        assert found.answer == "regressed"
        assert found.p == pytest.approx(2.0**-6)
        assert found.significant == ()

    def test_one_case_can_be_significant_by_itself(self, bench: Any) -> None:
        before = [(bench.case(f"c{i}"), ["p"] * 10) for i in range(3)]
        after = [(bench.case("c0"), ["f"] * 10), *before[1:]]
        found = diff(bench, before, after)
        assert (found.answer, found.significant) == ("regressed", ("c0",))
        assert found.p == 0.5
        assert "by itself: c0" in found.words
        assert found.fell[0].p is not None
        assert found.fell[0].p < 0.001

    def test_every_case_falling_alike_is_no_error(self, bench: Any) -> None:
        before = [(bench.case(f"c{i}"), ["p", "p"]) for i in range(40)]
        after = [(bench.case(f"c{i}"), ["p", "f"]) for i in range(40)]
        found = diff(bench, before, after)
        assert (found.answer, found.p) == ("regressed", pytest.approx(2.0**-40))

    def test_the_smallest_drop_is_five_cases_falling_by_one_trial(self, bench: Any) -> None:
        runs = [(bench.case(f"c{i}"), ["p"] * 4) for i in range(10)]
        found = diff(bench, runs, runs)
        assert found.answer == "no regression seen"
        assert found.smallest_drop == pytest.approx(5 * 0.25 / 10)

    def test_rises_raise_it(self, bench: Any) -> None:
        before = [(bench.case(f"c{i}"), ["p"] * 4) for i in range(12)]
        before += [(bench.case(f"r{i}"), ["f"] * 4) for i in range(2)]
        after = before[:12] + [(bench.case(f"r{i}"), ["p"] + ["f"] * 3) for i in range(2)]
        found = diff(bench, before, after)
        # as with McNemar: nine falls of a trial against two rises of a trial
        assert found.smallest_drop == pytest.approx((9 - 2) * 0.25 / 14)

    def test_few_cases_of_many_trials_are_within_reach(self, bench: Any) -> None:
        runs = [(bench.case(f"c{i}"), ["p"] * 10) for i in range(2)]
        found = diff(bench, runs, runs)
        # Fisher at 0.05 / 2: 10 of 10 against 5 of 10 is 0.0163, against 6 of 10 is 0.0433
        assert found.smallest_drop == pytest.approx(0.5 / 2)

    def test_few_cases_of_few_trials_are_out_of_reach(self, bench: Any) -> None:
        runs = [(bench.case(f"c{i}"), ["p"] * 2) for i in range(3)]
        found = diff(bench, runs, runs)
        assert (found.answer, found.smallest_drop) == ("inconclusive", None)

    def test_too_many_for_exact_flips_take_the_t_test(self, bench: Any) -> None:
        before: list[Any] = []
        after: list[Any] = []
        for i in range(60):
            n = 11 + i % 13  # denominators that share little
            before.append((bench.case(f"c{i}"), ["p"] * n))
            after.append((bench.case(f"c{i}"), ["p"] * (n - i % 3) + ["f"] * (i % 3)))
        found = diff(bench, before, after)
        assert found.test.startswith("paired t, one-sided")
        assert found.answer == "regressed"
        assert found.smallest_drop is not None

    def test_trials_that_errored_are_no_falls(self, bench: Any) -> None:
        before = [(bench.case("a"), ["p", "f", "p", "f"])]
        after = [(bench.case("a"), ["p", "f", "e", "e"])]
        found = diff(bench, before, after)
        assert found.fell == ()
        assert found.pairs == 1

    def test_a_case_wide_failure_is_a_fall(self, bench: Any) -> None:
        case = Case(id="a", expect=(bench.check(), bench.check(grader=bench.WIDE)))
        found = compare(
            side_of_summary(bench.summary((case, ["p", "p"]), wide={"a": "p"})),
            side_of_summary(bench.summary((case, ["p", "p"]), wide={"a": "f"})),
        )
        assert [(c.before, c.after) for c in found.fell] == [((2, 2), (0, 2))]


def test_a_baseline_is_a_side_like_its_run(bench: Any) -> None:
    summary = bench.summary(*one_each(bench, "pfpe"))
    baseline = baseline_of(summary, bench.plan(), created="2026-12-01")
    theirs, ours = side_of_baseline(baseline), side_of_summary(summary)
    assert theirs.cases == {
        name: msgspec.structs.replace(case, tags=()) for name, case in ours.cases.items()
    }
