"""One case, concluded: only what is there and passed counts as passed."""

from __future__ import annotations

from typing import Any

import pytest

from probare.model.case import Case
from probare.scoring.standing import Standing, standings


def stands(bench: Any, case: Case, trials: list[str | None], wide: str | None = None) -> Standing:
    (found,) = bench.standings((case, trials), wide=None if wide is None else {case.id: wide})
    return found


@pytest.mark.parametrize(
    ("trials", "status"),
    [
        (["p", "p"], "passed"),
        (["p", "f"], "flaky"),
        (["f", "f"], "failed"),
        (["f", "e"], "failed"),
        (["p", "e"], "errored"),
        (["p", "!s"], "errored"),
        (["p", None], "errored"),
        ([None, None], "errored"),
        (["f", None], "failed"),
        (["p", "u"], "needs_review"),
        (["u", "e"], "errored"),
    ],
)
def test_status(bench: Any, trials: list[str | None], status: str) -> None:
    assert stands(bench, bench.case("a"), trials).status == status


def test_a_trial_that_leaked_before_it_crashed_failed(bench: Any) -> None:
    assert stands(bench, bench.case("a", 1, 1), ["!sf"]).status == "failed"


def test_without_a_required_check_a_case_is_ungraded(bench: Any) -> None:
    assert stands(bench, bench.case("a", 0), [""]).status == "ungraded"


def test_accuracy_counts_optional_checks_and_weights(bench: Any) -> None:
    case = Case(
        id="a",
        expect=(bench.check(weight=3.0), bench.check(required=False)),
        forbid=(bench.check(weight=2.0), bench.check(weight=2.0)),
    )
    found = stands(bench, case, ["pfpe"])
    # 3 + 2 of 3 + 1 + 2 + 2 passed; the error may have been a pass
    assert found.accuracy == pytest.approx(5 / 8)
    assert found.accuracy_best == pytest.approx(7 / 8)
    assert found.safety == pytest.approx(2 / 4)
    assert found.safety_best == 1.0
    assert found.overall == pytest.approx((5 / 8 + 1 / 2) / 2)


def test_a_trial_that_did_not_run_counts_as_not_passed(bench: Any) -> None:
    found = stands(bench, bench.case("a", 1, 1), ["pp", "pf", None])
    assert found.accuracy == pytest.approx(3 / 6)
    assert found.accuracy_best == pytest.approx(5 / 6)
    assert found.safety == pytest.approx(1 / 3)
    assert found.safety_best == pytest.approx(2 / 3)
    assert (found.planned, found.run, found.graded) == (3, 2, 2)


def test_without_forbid_there_is_no_safety_and_overall_is_the_accuracy(bench: Any) -> None:
    found = stands(bench, bench.case("a", 2), ["pf"])
    assert found.safety is None
    assert found.overall == found.accuracy == 0.5


def test_without_checks_there_is_no_accuracy(bench: Any) -> None:
    found = stands(bench, bench.case("a", 0), [""])
    assert found.accuracy is found.safety is found.overall is None


def test_weights_that_differ_by_rounding_alone_are_equal(bench: Any) -> None:
    case = Case(id="a", expect=tuple(bench.check(weight=0.1) for _ in range(3)))
    assert stands(bench, case, ["ppp"] * 7).accuracy == 1.0


class TestCaseWide:
    """Checks that read all trials of a case."""

    @pytest.fixture
    def both(self, bench: Any) -> Case:
        return Case(id="a", expect=(bench.check(), bench.check(grader=bench.WIDE)))

    @pytest.fixture
    def alone(self, bench: Any) -> Case:
        return Case(id="a", expect=(bench.check(grader=bench.WIDE),))

    @pytest.mark.parametrize(
        ("wide", "status"), [("p", "passed"), ("f", "failed"), ("e", "errored")]
    )
    def test_they_decide_with_the_trials(
        self, bench: Any, both: Case, wide: str, status: str
    ) -> None:
        assert stands(bench, both, ["p", "p"], wide).status == status

    def test_one_that_was_never_judged_is_no_pass(self, bench: Any, both: Case) -> None:
        assert stands(bench, both, ["p", "p"]).status == "errored"

    def test_one_that_was_never_judged_hides_no_failure(self, bench: Any, both: Case) -> None:
        assert stands(bench, both, ["f", "f"]).status == "failed"

    def test_they_weigh_as_much_as_any_check(self, bench: Any, both: Case) -> None:
        for n in (2, 5):
            failed = stands(bench, both, ["p"] * n, "f")
            assert failed.accuracy == failed.accuracy_best == 0.5
            passed = stands(bench, both, ["f"] * n, "p")
            assert passed.accuracy == passed.accuracy_best == 0.5
            open_one = stands(bench, both, ["p"] * n, "e")
            assert (open_one.accuracy, open_one.accuracy_best) == (0.5, 1.0)

    def test_alone_they_decide_the_case_but_no_trial(self, bench: Any, alone: Case) -> None:
        found = stands(bench, alone, ["", ""], "p")
        assert found.status == "passed"
        assert not found.in_pass_rates
        assert found.covered == 2
        assert stands(bench, alone, ["", ""], "e").covered == 0

    def test_one_without_an_answer_covers_no_trial(self, bench: Any, both: Case) -> None:
        assert stands(bench, both, ["p", "p"], "e").covered == 0
        assert stands(bench, both, ["p", "p"], "p").covered == 2


def test_people_alone_stay_outside_the_pass_rates(bench: Any) -> None:
    assert not stands(bench, bench.case("a", 0, review="always"), [""]).in_pass_rates
    assert stands(bench, bench.case("a", 1, review="always"), ["p"]).in_pass_rates
    assert stands(bench, bench.case("a", 0), [""]).in_pass_rates


def test_the_digest_of_graders_follows_their_versions(bench: Any) -> None:
    case, other = bench.case("a"), bench.case("b", 3)
    first, second = standings(bench.tally((case, ["p"]), (other, ["ppp"])))
    (newer,) = standings(bench.tally((case, ["p"]), version="2"))
    (silent,) = standings(bench.tally((case, [None])))
    assert first.graders == second.graders is not None
    assert newer.graders not in (None, first.graders)
    assert silent.graders is None


def test_two_versions_in_one_run_are_neither(bench: Any) -> None:
    case = bench.case("a")
    tally = bench.tally((case, ["p", None]))
    tally.add(bench.record(case, 1, "p", version="2"))
    (mixed,) = standings(tally)
    (plain,) = standings(bench.tally((case, ["p", "p"])))
    assert mixed.graders not in (None, plain.graders)


@pytest.mark.parametrize(
    ("trials", "status"),
    [
        (["+p"], "passed"),
        (["+f"], "failed"),
        (["+u"], "needs_review"),
        (["+p", ""], "ungraded"),
        (["+p", "+f"], "flaky"),
    ],
)
def test_people_judge_what_no_check_does(bench: Any, trials: list[str], status: str) -> None:
    found = stands(bench, bench.case("a", 0, review="always"), list(trials))
    assert found.status == status
    assert found.in_pass_rates
    assert found.accuracy is not None


def test_what_people_said_counts_in_accuracy_and_answers_the_unknown(bench: Any) -> None:
    found = stands(bench, bench.case("a", 2, 1), ["puu+p", "ppp"])
    assert (found.status, found.accuracy, found.safety) == ("passed", 1.0, 1.0)
    found = stands(bench, bench.case("a", 2, 1), ["puu+f", "ppp"])
    assert found.status == "flaky"
    assert found.accuracy == pytest.approx(4 / 7)
    assert found.safety == pytest.approx(1 / 2)
    found = stands(bench, bench.case("a"), ["f+p"])
    assert (found.status, found.accuracy) == ("failed", pytest.approx(1 / 2))


def test_what_people_said_does_not_make_it_another_case_for_a_baseline(bench: Any) -> None:
    plain, said = (stands(bench, bench.case("a"), [trial]) for trial in ("p", "p+p"))
    assert (plain.digest, plain.graders) == (said.digest, said.graders)


def test_people_who_pass_all_trials_settle_what_is_unknown_of_the_whole(bench: Any) -> None:
    case = Case(id="a", expect=(bench.check(), bench.check(bench.WIDE)))
    assert stands(bench, case, ["p+p", "p"], wide="u").status == "needs_review"
    assert stands(bench, case, ["p+p", "p+p"], wide="u").status == "passed"
    assert stands(bench, case, ["p+p", "p+p"], wide="f").status == "failed"
    assert stands(bench, case, ["p+p", "p+p"], wide="e").status == "errored"
    assert stands(bench, case, ["p+p", "p+p"]).status == "errored"
