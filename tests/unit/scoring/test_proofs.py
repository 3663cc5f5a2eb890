"""Which broken agents a suite catches: a failure of a check counts, nothing else does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probare.model.case import Case, Check
from probare.model.proof import CheckName, Defect, Proof
from probare.scoring.observed import CaseSeen
from probare.scoring.proofends import Ran
from probare.scoring.proofs import Judged, compare_with_healthy, judge_proof

CHECKS = [CheckName(list="expect", label=label, grader=f"g{label}") for label in "xyz"]
STATUS = {"p": "passed", "f": "failed", "≈": "flaky", "e": "errored", "u": "needs_review"}
SETTINGS = {"-": "ungraded"} | STATUS


def seen(letters: str) -> CaseSeen:
    """A case with a letter for each check of `xyz`: p, f, e, u; `≈` in front makes it flaky, `!`
    says that it did not complete, `-` alone that it has no checks.
    """
    flaky, completed = letters.startswith("≈"), not letters.startswith("!")
    letters = letters.strip("≈!")
    found = dict(zip(CHECKS, letters, strict=False))
    failed = {check: "why" for check, letter in found.items() if letter == "f"}
    worst = next((each for each in "feup" if each in letters), "-")
    status: Any = "flaky" if flaky else SETTINGS[worst]
    return CaseSeen(
        status=status if completed or failed else "errored",
        failed=failed,
        passed=frozenset(check for check, letter in found.items() if letter == "p"),
        checks=frozenset(found) if letters != "-" else frozenset(),
        completed=completed,
        error="" if worst in "pf" else "no answer",
    )


def ran(target: str, **cases: str) -> Ran:
    return Ran(target=target, run=target, seen={name: seen(each) for name, each in cases.items()})


def case(name: str, **fields: Any) -> Case:
    expect = tuple(Check(grader=f"g{label}", label=label) for label in "xyz")
    settings: dict[str, Any] = {"id": name, "expect": expect, **fields}
    return Case(**settings)


Judge = Callable[..., Judged]


def judged(
    *defects: tuple[str, dict[str, str]],
    oracle: dict[str, str] | None = None,
    null: dict[str, str] | None = None,
    healthy: dict[str, str] | None = None,
    may_pass: tuple[str, ...] = (),
    **cases: Case,
) -> Judged:
    """Judge a proof over the cases `a` and `b`; a defect is its `must_fail` and what it showed."""
    given = {name: cases.get(name, case(name)) for name in "ab"}
    passed = dict.fromkeys("ab", "ppp")
    broken = [
        (
            Defect(name=f"d{number}", target=f"t{number}", must_fail=tuple(must)),
            ran(f"t{number}", **passed | shown),
        )
        for number, (must, shown) in enumerate(defects or [("a", {"a": "fpp"})])
    ]
    ends = {
        "oracle": ran("oracle", **passed | (oracle or {})),
        "null": ran("null", **dict.fromkeys("ab", "fff") | (null or {})),
        "healthy": ran("own", **passed | (healthy or {})),
    }
    proof = Proof(
        oracle="oracle",
        null="null",
        defects=tuple(defect for defect, _ in broken),
        null_may_pass=may_pass,
    )
    return judge_proof(proof, given, ends, broken)


def test_all_caught() -> None:
    found = judged(("a", {"a": "fpp"}), ("ab", {"a": "pfp", "b": "ppf"}))
    assert (found.decision, found.exit_code) == ("passed", 0)
    assert [each.result for each in found.defects] == ["caught", "caught"]
    assert found.caught.numerator == found.caught.denominator == found.caught.graded == 2
    assert found.caught.interval is not None
    assert found.caught.interval == pytest.approx((0.025**0.5, 1.0))  # (α/2)^(1/n)
    assert found.caught.method == "clopper-pearson"
    assert "2 of 2 defects are caught" in found.why[0]


def test_a_case_that_passes_lets_the_defect_survive() -> None:
    found = judged(("ab", {"a": "fpp", "b": "ppp"}), ("a", {"a": "fpp"}))
    first = found.defects[0]
    assert (first.result, first.failed, first.missed) == ("survived", ("a",), {"b": "passed"})
    assert (found.decision, found.exit_code) == ("failed", 1)
    assert (found.caught.numerator, found.caught.value, found.caught.best) == (1, 0.5, 0.5)
    assert found.why == ("1 of 2 defects survived: d0",)


@pytest.mark.parametrize(
    ("shown", "why"),
    [
        ("epp", "errored: no answer"),
        ("upp", "needs review: no answer"),
        ("!", "errored: no answer"),
    ],
)
def test_no_answer_catches_nothing_and_misses_nothing(shown: str, why: str) -> None:
    found = judged(("ab", {"a": shown, "b": "fpp"}))
    (defect,) = found.defects
    assert (defect.result, defect.missed, defect.open) == ("unproven", {}, {"a": why})
    assert (found.decision, found.exit_code) == ("incomplete", 3)
    assert (found.caught.value, found.caught.best, found.caught.graded) == (0.0, 1.0, 0)


def test_a_missed_case_weighs_more_than_one_without_an_answer() -> None:
    found = judged(("ab", {"a": "epp", "b": "ppp"}))
    assert (found.defects[0].result, found.exit_code) == ("survived", 1)


def test_a_failure_before_a_crash_is_a_failure() -> None:
    assert judged(("a", {"a": "!fpp"})).defects[0].result == "caught"


def test_a_failure_in_some_trials_catches_and_is_shown_as_such() -> None:
    found = judged(("a", {"a": "≈fpp"}))
    assert (found.exit_code, found.matrix["d0"]["a"]) == (0, "flaky")


def test_failures_elsewhere_are_collateral() -> None:
    found = judged(("a", {"a": "fpp", "b": "pff"}))
    assert (found.exit_code, found.defects[0].also_failed) == (0, ("b",))
    assert found.defects[0].failed_checks == {"a": (CHECKS[0],), "b": (CHECKS[1], CHECKS[2])}


def test_a_defect_that_fails_just_as_the_healthy_agent_survives() -> None:
    found = judged(("a", {"a": "ffp"}), healthy={"a": "ffp"})
    (defect,) = found.defects
    assert (defect.result, found.exit_code, found.matrix["d0"]["a"]) == ("survived", 1, "alike")
    assert defect.missed == {"a": "fails just as it does for the healthy agent"}
    assert found.healthy.against == {"a": "fails expect x (and 1 more): why"}


def test_another_check_than_the_healthy_agents_tells() -> None:
    found = judged(("a", {"a": "ffp"}), healthy={"a": "fpp"})
    assert (found.defects[0].result, found.exit_code) == ("caught", 0)
    assert found.defects[0].failed_checks == {"a": (CHECKS[1],)}


@pytest.mark.parametrize("healthy", ["epp", "upp", "!sss"])
def test_where_the_healthy_agent_has_no_answer_nothing_can_be_compared(healthy: str) -> None:
    found = judged(("a", {"a": "fpp"}), healthy={"a": healthy})
    assert (found.defects[0].result, found.exit_code) == ("unproven", 3)
    assert "the healthy agent gave no answer" in found.defects[0].open["a"]


def test_a_defect_that_could_not_be_run_is_unproven() -> None:
    defect = Defect(name="d", target="t", must_fail=("a",))
    ends = {role: ran(role, a="fff" if role == "null" else "ppp") for role in
            ("oracle", "null", "healthy")}  # fmt: skip
    broken = [(defect, Ran(target="t", run=None, seen={}, problem="no module 'x'"))]
    proof = Proof(oracle="oracle", null="null", defects=(defect,))
    found = judge_proof(proof, {"a": case("a")}, ends, broken)
    assert (found.exit_code, found.caught.run) == (3, 0)
    assert found.defects[0].open == {"a": "could not be run: no module 'x'"}


def test_an_oracle_that_fails_fails_the_proof() -> None:
    found = judged(oracle={"b": "fpp"})
    assert (found.exit_code, found.oracle.passed) == (1, 1)
    assert found.oracle.against == {"b": "fails expect x: why"}
    assert found.why == ("the oracle does not pass 1 of 2 cases: b",)


def test_an_oracle_without_an_answer_leaves_the_proof_incomplete() -> None:
    found = judged(oracle={"b": "upp"})
    assert (found.exit_code, found.oracle.open) == (3, {"b": "needs review: no answer"})
    assert judged(oracle={"b": "-"}).exit_code == 3


def test_cases_for_people_stand_aside_for_the_oracle() -> None:
    found = judged(oracle={"b": "-"}, b=case("b", review="always", expect=()))
    assert (found.exit_code, found.oracle.aside) == (0, {"b": "for people"})
    assert "the oracle passes 1 of 1 cases (1 more are for people)" in found.why[0]
    failed = judged(oracle={"b": "fpp"}, b=case("b", review="always"))
    assert failed.exit_code == 1


def test_a_case_that_the_null_target_passes_is_weak() -> None:
    found = judged(null={"b": "ppp"})
    assert (found.exit_code, list(found.null.against)) == (1, ["b"])
    assert found.why[0].endswith("these are weak: b")


def test_what_demands_nothing_and_what_is_listed_the_null_target_may_pass() -> None:
    forbids = case("a", expect=(), forbid=(Check(grader="gx"),))
    optional = case("a", expect=(Check(grader="gx", required=False),))
    assert judged(null={"a": "ppp"}, a=forbids).null.aside == {"a": "demands nothing"}
    assert judged(null={"a": "ppp"}, a=optional).exit_code == 0
    listed = judged(null={"b": "ppp"}, may_pass=("b",))
    assert (listed.exit_code, listed.null.aside) == (0, {"b": "null_may_pass"})


def test_a_listed_exception_that_is_none_is_told() -> None:
    found = judged(may_pass=("b",))
    assert found.exit_code == 0
    assert found.notes == ("null_may_pass lists what the null target does not pass: b",)


def test_a_null_target_that_crashes_shows_nothing() -> None:
    found = judged(null={"b": "!sss"})
    assert (found.exit_code, found.null.open) == (3, {"b": "errored: no answer"})
    assert judged(null={"b": "epp"}).exit_code == 0  # it ran, and did not pass


def test_what_no_defect_moves() -> None:
    found = judged(("a", {"a": "fpp"}), ("a", {"a": "fpp"}), null={"a": "fpf", "b": "upf"})
    still = found.unmoved
    assert (still.planned, still.never_failed, still.null_fails) == (6, 5, 2)
    assert still.checks == {"a": (CHECKS[1], CHECKS[2]), "b": tuple(CHECKS)}
    assert (still.graders, still.cases) == (("gy", "gz"), ("b",))


def test_a_failure_that_is_the_healthy_agents_own_moves_no_check() -> None:
    found = judged(("b", {"a": "fpp", "b": "fpp"}), healthy={"a": "fpp"})
    assert CHECKS[0] in found.unmoved.checks["a"]
    assert found.defects[0].also_failed == ()


LETTERS = st.sampled_from("pfeu")
SHOWN = st.text(LETTERS, min_size=3, max_size=3)


@given(broken=SHOWN, healthy=SHOWN, crashed=st.booleans())
def test_only_a_check_that_fails_for_the_broken_agent_alone_counts(
    broken: str, healthy: str, crashed: bool
) -> None:
    outcome, telling = compare_with_healthy(seen(("!" if crashed else "") + broken), seen(healthy))
    alone = [c for c, b, h in zip(CHECKS, broken, healthy, strict=True) if (b, h) == ("f", "p")]
    assert list(telling) == alone
    assert (outcome in ("failed", "flaky")) == bool(alone)
    assert outcome != "passed" or broken == "ppp"


@given(st.dictionaries(st.sampled_from("ab"), SHOWN))
def test_an_agent_that_is_the_healthy_one_is_never_caught(shown: dict[str, str]) -> None:
    found = judged(("ab", shown), healthy=shown)
    assert found.defects[0].result != "caught"
    assert found.exit_code != 0
