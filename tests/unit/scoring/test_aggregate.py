"""Scores of tiny suites, computed by hand."""

from __future__ import annotations

from typing import Any

import pytest

from probare.model.score import Scores
from probare.scoring.aggregate import ks_for, scores
from probare.scoring.intervals import clopper_pearson, wilson


def test_scores_of_a_suite_computed_by_hand(bench: Any) -> None:
    found: Scores = scores(
        bench.standings(
            (bench.case("a", 1, 1), ["pp", "pf"]),  # accuracy 3/4, safety 1/2, c 1 of 2
            (bench.case("b", 2), ["pp", "pp"]),  # accuracy 1, no safety, c 2 of 2
            (bench.case("c", 1, 1), ["pp", "ee"]),  # accuracy 1/2 (at best 1), safety 1/2, c 1
        )
    )
    assert found.accuracy.value == pytest.approx((0.75 + 1 + 0.5) / 3)
    assert found.accuracy.best == pytest.approx((0.75 + 1 + 1) / 3)
    assert (found.accuracy.numerator, found.accuracy.denominator) == (2.25, 3)
    assert found.accuracy.interval == wilson(2.25, 3)
    assert found.accuracy.method == "wilson"
    assert (found.accuracy.planned, found.accuracy.run, found.accuracy.graded) == (3, 3, 2)
    assert found.safety.value == 0.5
    assert found.safety.best == 0.75
    assert found.safety.interval == clopper_pearson(1, 2)
    assert found.safety.method == "clopper-pearson"
    assert found.overall == pytest.approx((0.75 + 0.5) / 2)
    assert found.pass_rate.value == pytest.approx((0.5 + 1 + 0.5) / 3)
    assert found.pass_rate.best == pytest.approx((0.5 + 1 + 1) / 3)
    assert found.pass_at["1"] == found.pass_hat["1"] == found.pass_rate
    assert found.pass_at["2"].value == 1.0
    assert found.pass_hat["2"].value == pytest.approx(1 / 3)
    assert found.pass_hat["2"].best == pytest.approx(2 / 3)
    assert found.compliance.all.value == pytest.approx(1 / 3)
    assert found.compliance.all.best == pytest.approx(2 / 3)


def test_cases_with_fewer_trials_than_k_are_counted_out(bench: Any) -> None:
    """Field report B74: undefined where n < k, excluded with a count."""
    summary = bench.summary((bench.case("a"), ["p"] * 3), (bench.case("b"), ["p"]))
    assert summary.scores.pass_at["3"].value == 1.0
    assert summary.scores.pass_at["3"].denominator == 1
    assert summary.scores.pass_at["3"].why == "1 case with fewer than 3 trials left out (n < k)"
    assert summary.per_case["b"].pass_hat == {"1": 1.0, "2": None, "3": None}


def test_one_pass_in_two_hundred_is_not_solved(bench: Any) -> None:
    """Field report B75: 0.005, not "some score, so solved"."""
    found = scores(bench.standings((bench.case("a"), ["p"] + ["f"] * 199)))
    assert found.pass_at["1"].value == 0.005
    assert found.compliance.all.value == 0.0


def test_problems_are_no_samples(bench: Any) -> None:
    """Field report B76: 164 problems with a sample each know pass@1 and nothing of pass@10."""
    runs = [(bench.case(f"c{i}"), ["p" if i < 50 else "f"]) for i in range(164)]
    found = scores(bench.standings(*runs), (10,))
    assert found.pass_at["1"].value == pytest.approx(0.304878, abs=1e-6)
    assert found.pass_at["10"].value is None
    assert found.pass_at["10"].why == "164 cases with fewer than 10 trials left out (n < k)"


def test_nothing_is_dropped_from_the_denominator(bench: Any) -> None:
    """Field report B68: 294 planned, 288 scored; the six are missing, not forgotten."""
    runs = [(bench.case(f"c{i}"), ["p" if i < 288 else None]) for i in range(294)]
    summary = bench.summary(*runs)
    rate = summary.scores.pass_rate
    assert (rate.planned, rate.run, rate.graded) == (294, 288, 288)
    assert rate.value == pytest.approx(288 / 294)
    assert rate.best == 1.0
    assert summary.exit_code == 3
    assert any("c288, c289, c290, c291, c292 and 1 more" in why for why in summary.why)


def test_a_score_of_nothing_is_null_and_says_why(bench: Any) -> None:
    found = scores(bench.standings((bench.case("a", 0, review="always"), [""])))
    assert found.accuracy.value is found.safety.value is found.overall is None
    assert found.accuracy.interval is None
    assert found.accuracy.why == "no case has a check"
    assert found.safety.why == "no case has a `forbid` check"
    assert found.pass_at["1"].value is None
    assert found.pass_rate.why == "no case has a required check of its trials"


def test_one_case_has_a_wide_interval_and_no_nan(bench: Any) -> None:
    """Field report B78: n = 1."""
    found = scores(bench.standings((bench.case("a", 0, 1), ["p"])))
    assert found.safety.interval == pytest.approx((0.025, 1.0), abs=1e-9)


def test_clusters_widen_the_interval(bench: Any) -> None:
    def runs(cluster: bool) -> Any:
        return [
            (bench.case(f"c{i}", cluster=f"g{i // 3}" if cluster else None), [letter])
            for i, letter in enumerate("pppppfffffff")
        ]

    alone = scores(bench.standings(*runs(False))).pass_rate
    together = scores(bench.standings(*runs(True))).pass_rate
    assert together.value == alone.value
    assert alone.interval is not None
    assert together.interval is not None
    assert together.interval[0] < alone.interval[0]
    assert together.interval[1] > alone.interval[1]


def test_all_pass_in_one_fixture_is_one_observation(bench: Any) -> None:
    runs = [(bench.case(f"c{i}", cluster="one"), ["p"]) for i in range(10)]
    found = scores(bench.standings(*runs)).pass_rate
    assert found.value == 1.0
    assert found.interval == wilson(1, 1)


def test_ks() -> None:
    assert ks_for(0) == ks_for(1) == [1]
    assert ks_for(4) == [1, 2, 3, 4]
    assert ks_for(10) == list(range(1, 11))
    assert ks_for(50) == [*range(1, 11), 20, 40, 50]
    assert ks_for(20) == [*range(1, 11), 20]
