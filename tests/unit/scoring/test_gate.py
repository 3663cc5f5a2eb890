"""The one decision: never green without evidence, never red for an error alone."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probare.model.case import Case
from probare.model.score import Summary
from probare.model.suite import Gate
from probare.scoring.baselines import baseline_of
from probare.scoring.gate import on_the_hill

CODES = {"passed": 0, "failed": 1, "incomplete": 3}


@pytest.mark.parametrize(
    ("trials", "code", "why"),
    [
        (["p", "p"], 0, "the gate holds: 2 of 2 cases passed"),
        (["f"], 1, "1 case failed: b"),
        (["p", "f"], 1, "1 case passed and failed (flaky): b"),
        (["f", "e"], 1, "1 case failed: b"),
        (["e"], 3, "1 case errored or did not run: b"),
        ([None], 3, "1 case errored or did not run: b"),
        (["u"], 3, "1 case could not be judged automatically (unknown): b"),
    ],
)
def test_by_default_every_case_must_pass(
    bench: Any, trials: list[str | None], code: int, why: str
) -> None:
    summary = bench.summary((bench.case("a"), ["p"]), (bench.case("b"), trials))
    assert summary.exit_code == code
    assert summary.why[0] == why


def test_failed_comes_before_incomplete_and_both_are_told(bench: Any) -> None:
    summary = bench.summary((bench.case("a"), ["e"]), (bench.case("b"), ["f"]))
    assert summary.exit_code == 1
    assert summary.why == (
        "1 case failed: b",
        "1 case errored or did not run: a",
        "coverage: 1 of 2 trials have an answer, which is under 100%: a",
    )


def test_a_case_without_a_required_check_is_incomplete(bench: Any) -> None:
    summary = bench.summary((bench.case("a"), ["p"]), (bench.case("b", 0), [""]))
    assert summary.exit_code == 3
    assert summary.why == ("1 case without a required check: b",)


class TestTheHill:
    """Cases tagged capability need not pass yet."""

    def summary(self, bench: Any, trials: list[str], *tags: str, **gate: Any) -> Summary:
        return bench.summary(
            (bench.case("a"), ["p"]), (bench.case("b", tags=tags), trials), gate=Gate(**gate)
        )

    def test_they_may_fail(self, bench: Any) -> None:
        summary = self.summary(bench, ["f"], "capability")
        assert summary.exit_code == 0
        assert summary.why == (
            "the gate holds: 1 of 2 cases passed",
            "1 case still on the hill (capability)",
        )

    def test_those_tagged_regression_too_may_not(self, bench: Any) -> None:
        assert self.summary(bench, ["f"], "capability", "regression").exit_code == 1

    def test_they_must_have_an_answer(self, bench: Any) -> None:
        summary = self.summary(bench, ["e"], "capability")
        assert summary.exit_code == 3
        assert summary.why == ("coverage: 1 of 2 trials have an answer, which is under 100%: b",)

    def test_unless_less_coverage_is_asked_for(self, bench: Any) -> None:
        assert self.summary(bench, ["e"], "capability", coverage=0.5).exit_code == 0
        assert self.summary(bench, ["e"], "capability", coverage=0.51).exit_code == 3

    def test_trials_count_for_coverage_not_cases(self, bench: Any) -> None:
        """Field report B85: three of four trials timed out; that is not green."""
        summary = self.summary(bench, ["f", "!s", "!s", "!s"], "capability")
        assert summary.exit_code == 3
        assert "2 of 5 trials" in summary.why[0]


class TestPeople:
    """Cases with `review: always`."""

    def test_those_that_people_alone_judge_do_not_hold_it(self, bench: Any) -> None:
        people = bench.case("b", 0, review="always")
        summary = bench.summary((bench.case("a"), ["p"]), (people, [""]))
        assert summary.exit_code == 0
        assert summary.why[-1] == "1 case for people: b"

    def test_unless_reviews_are_required(self, bench: Any) -> None:
        people = bench.case("b", 0, review="always")
        runs = ((bench.case("a"), ["p"]), (people, [""]))
        gate = Gate(reviews="required")
        summary = bench.summary(*runs, gate=gate)
        assert (summary.exit_code, summary.why) == (3, ("1 review missing: b",))
        assert bench.summary(*runs, gate=gate, reviewed=frozenset({"b"})).exit_code == 0

    def test_what_waits_in_the_queue_is_missing_where_reviews_are_required(
        self, bench: Any
    ) -> None:
        runs = ((bench.case("a"), ["p"]), (bench.case("b"), ["p"]))
        waiting = frozenset({"b"})
        assert bench.summary(*runs, waiting=waiting).exit_code == 0
        summary = bench.summary(*runs, gate=Gate(reviews="required"), waiting=waiting)
        assert (summary.exit_code, summary.why) == (3, ("1 review missing: b",))

    @pytest.mark.parametrize(("trial", "code"), [("f", 1), ("e", 3), ("u", 3), ("p", 0)])
    def test_their_own_checks_count(self, bench: Any, trial: str, code: int) -> None:
        summary = bench.summary((bench.case("a", review="always"), [trial]))
        assert summary.exit_code == code

    def test_one_that_crashed_holds_it(self, bench: Any) -> None:
        people = bench.case("b", 0, review="always")
        assert bench.summary((bench.case("a"), ["p"]), (people, ["!"])).exit_code == 3

    def test_people_alone_are_no_evidence(self, bench: Any) -> None:
        summary = bench.summary((bench.case("b", 0, review="always"), [""]))
        assert summary.exit_code == 3
        assert summary.why == ("nothing was judged automatically: none of 1 case has an answer",)


def test_an_open_incident_holds_it(bench: Any) -> None:
    summary = bench.summary((bench.case("a"), ["p"]), open_incidents=("INC-1",))
    assert (summary.exit_code, summary.why) == (1, ("1 incident open: INC-1",))


def test_a_run_that_was_stopped_is_incomplete(bench: Any) -> None:
    summary = bench.summary((bench.case("a"), ["p"]), stopped="the cost limit")
    assert (summary.exit_code, summary.why) == (
        3,
        ("the run was stopped early by the cost limit",),
    )


def test_a_missed_minimum_fails_and_an_unknown_one_is_incomplete(bench: Any) -> None:
    hill = bench.case("b", tags=("capability",))
    runs = ((bench.case("a"), ["p", "p"]), (hill, ["f", "p"]))
    assert bench.summary(*runs, gate=Gate(minimum={"pass_rate": 0.75})).exit_code == 0
    assert bench.summary(*runs, gate=Gate(minimum={"pass_rate": 0.76})).exit_code == 1
    assert bench.summary(*runs, gate=Gate(minimum={"pass_hat.2": 0.5})).exit_code == 0
    assert bench.summary(*runs, gate=Gate(minimum={"pass_hat.3": 0.5})).exit_code == 3


def test_a_minimum_of_a_k_that_is_not_shown_is_computed(bench: Any) -> None:
    runs = ((bench.case("a"), ["p"] * 20),)
    summary = bench.summary(*runs, gate=Gate(minimum={"pass_hat.15": 1.0}))
    assert summary.exit_code == 0
    assert summary.per_case["a"].pass_hat["15"] == 1.0


def test_a_high_mean_does_not_overrule_the_cases(bench: Any) -> None:
    """Field report B84: 28 of 31 passed, mean over the threshold, and yet FAIL is FAIL."""
    runs = [(bench.case(f"c{i}", 4), ["pppp"]) for i in range(28)]
    runs += [(bench.case(f"d{i}", 4), ["pfff"]) for i in range(3)]
    summary = bench.summary(*runs, gate=Gate(minimum={"accuracy": 0.8}))
    assert summary.scores.accuracy.value == pytest.approx(0.927, abs=1e-3)
    assert (summary.decision, summary.exit_code) == ("failed", 1)
    assert summary.why == ("3 cases failed: d0, d1, d2",)


class TestAgainstABaseline:
    """What fell."""

    def baseline(self, bench: Any, *runs: Any, **options: Any) -> Any:
        return baseline_of(bench.summary(*runs, **options), bench.plan(), created="2026-12-01")

    def test_a_hill_case_that_passed_may_not_fail_again(self, bench: Any) -> None:
        hill = bench.case("b", tags=("capability",))
        base = self.baseline(bench, (bench.case("a"), ["p"]), (hill, ["p"]))
        summary = bench.summary((bench.case("a"), ["p"]), (hill, ["f"]), baseline=base)
        assert summary.exit_code == 1
        assert summary.why[0] == "1 case passed in the baseline and not now: b"

    def test_significant_only(self, bench: Any) -> None:
        cases = [bench.case(f"c{i}", tags=("capability",)) for i in range(9)]
        base = self.baseline(bench, *[(case, ["p"]) for case in cases])

        def code(falls: int) -> int:
            gate = Gate(new_failures="significant", max_drop=1.0)
            runs = [(case, ["f" if i < falls else "p"]) for i, case in enumerate(cases)]
            return bench.summary(*runs, gate=gate, baseline=base).exit_code

        assert [code(0), code(4), code(5)] == [0, 0, 1]

    def test_conclusive(self, bench: Any) -> None:
        gate = Gate(require="conclusive")
        runs = [(bench.case(f"c{i}"), ["p"]) for i in range(6)]
        assert bench.summary(*runs, gate=gate).exit_code == 3
        base = self.baseline(bench, *runs)
        assert bench.summary(*runs, gate=gate, baseline=base).exit_code == 0
        few = self.baseline(bench, *runs[:4])
        summary = bench.summary(*runs, gate=gate, baseline=few)
        assert summary.exit_code == 3
        assert "significance was out of reach" in summary.why[0]

    def test_other_graders_block_it(self, bench: Any) -> None:
        """Field report B100: a change of graders is no comparison, and is said."""
        case = bench.case("a")
        base = self.baseline(bench, (case, ["p"]), version="1")
        summary = bench.summary((case, ["p"]), version="2", baseline=base)
        assert summary.exit_code == 3
        assert summary.why[0].startswith("1 case judged by other graders than in the baseline")
        assert summary.baseline is not None
        assert summary.baseline["regraded"] == ["a"]

    def test_an_optional_check_that_errs_leaves_it_open(self, bench: Any) -> None:
        case = Case(id="a", expect=(bench.check(), bench.check(required=False)))
        base = self.baseline(bench, (case, ["pp"]))
        summary = bench.summary((case, ["pe"]), baseline=base)
        assert summary.exit_code == 3
        assert summary.regressions == ()
        assert "may have fallen: 1.000 to between 0.500 and 1.000" in summary.why[0]


letters = st.sampled_from(["p", "f", "e", "u", "s", "!s", None])
tags = st.sampled_from([(), ("capability",), ("regression",), ("capability", "regression")])
suites = st.lists(
    st.tuples(
        tags,
        st.sampled_from(["flagged", "always", "never"]),
        st.integers(0, 1),
        st.lists(letters, min_size=1, max_size=3),
    ),
    min_size=1,
    max_size=5,
)
gates = st.builds(
    Gate,
    coverage=st.sampled_from([0.0, 0.5, 1.0]),
    reviews=st.sampled_from(["optional", "required"]),
    minimum=st.sampled_from([{}, {"pass_rate": 0.5}, {"pass_hat.2": 1.0}]),
)


def _built(bench: Any, suite: Any) -> list[tuple[Case, list[str | None]]]:
    runs: list[tuple[Case, list[str | None]]] = []
    for number, (own_tags, review, checks, trials) in enumerate(suite):
        case = bench.case(f"c{number}", checks, tags=own_tags, review=review)
        if not checks:
            trials = [None if t is None else "!" if t == "!s" else "" for t in trials]
        runs.append((case, trials))
    return runs


@settings(max_examples=150, deadline=None)
@given(suites, gates)
def test_nought_means_that_every_automatic_case_off_the_hill_passed(
    bench: Any, suite: Any, gate: Gate
) -> None:
    runs = _built(bench, suite)
    summary = bench.summary(*runs, gate=gate)
    assert CODES[summary.decision] == summary.exit_code
    assert summary.why
    cases = bench.standings(*runs)
    bad = [c for c in cases if c.case.automatic and not on_the_hill(c) and c.status != "passed"]
    if summary.exit_code == 0:
        assert not bad
        assert summary.cases.graded > 0
    if summary.exit_code == 1 and not gate.minimum:
        assert any(c.status in ("failed", "flaky") for c in bad)
