"""Compliance by split, the gap, and what the summary says of it."""

from __future__ import annotations

from typing import Any

import pytest

from probare.model.score import Compliance, Summary
from probare.scoring.baselines import baseline_of
from probare.scoring.compliance import compliance
from probare.scoring.intervals import newcombe


def runs(bench: Any, held_out: str, carried_over: str) -> Any:
    return [(bench.case(f"h{i}"), [c]) for i, c in enumerate(held_out)] + [
        (bench.case(f"c{i}", split="carried_over"), [c]) for i, c in enumerate(carried_over)
    ]


def of(bench: Any, held_out: str, carried_over: str) -> Compliance:
    return compliance(bench.standings(*runs(bench, held_out, carried_over)))


def test_it_is_split_and_the_gap_has_newcombes_interval(bench: Any) -> None:
    found = of(bench, "ppff", "pppf")
    assert found.all.value == pytest.approx(5 / 8)
    assert found.held_out.value == 0.5
    assert found.carried_over.value == 0.75
    assert found.gap.value == 0.25
    assert found.gap.interval == newcombe(3, 4, 2, 4)
    assert found.gap.method == "newcombe"


def test_cases_for_people_and_without_required_checks_are_not_planned_for_it(bench: Any) -> None:
    found = compliance(
        bench.standings(
            (bench.case("a"), ["p"]),
            (bench.case("b", review="always"), ["f"]),
            (bench.case("c", 0), [""]),
        )
    )
    assert (found.all.numerator, found.all.denominator) == (1, 1)


def test_a_rule_must_hold_in_all_trials(bench: Any) -> None:
    found = compliance(bench.standings((bench.case("a"), ["p", "p", "f"])))
    assert found.all.value == 0.0


def test_an_error_is_not_compliance_but_might_have_been(bench: Any) -> None:
    found = of(bench, "pe", "")
    assert found.held_out.value == 0.5
    assert found.held_out.best == 1.0


def test_an_empty_side_gives_no_gap_and_says_so(bench: Any) -> None:
    found = of(bench, "p", "")
    assert found.gap.value is None
    assert found.gap.words == "no carried-over case is planned for automatic compliance"


def test_words_say_that_held_out_falls_short(bench: Any) -> None:
    found = of(bench, "p" + "f" * 19, "p" * 20)
    assert found.gap.words == (
        "held-out compliance (1 of 20) stands 95.0 points below carried-over (20 of 20): "
        "the agent may know its examples better than its rules"
    )


def test_words_say_that_few_cases_show_little(bench: Any) -> None:
    words = of(bench, "pf", "pp").gap.words
    assert words is not None
    assert words.endswith("; with so few cases this may be chance")


def test_words_say_that_errors_may_be_behind_it(bench: Any) -> None:
    words = of(bench, "pe", "pp").gap.words
    assert words is not None
    assert "or not: 1 held-out cases have no answer" in words


def test_no_words_where_held_out_holds(bench: Any) -> None:
    assert of(bench, "pp", "pp").gap.words is None
    assert of(bench, "pp", "pf").gap.words is None


class TestTrend:
    """Against a baseline."""

    def after(self, bench: Any, before: tuple[str, str], now: tuple[str, str]) -> str | None:
        old: Summary = bench.summary(*runs(bench, *before))
        baseline = baseline_of(old, bench.plan(), created="2026-12-01T00:00:00+00:00")
        new: Summary = bench.summary(*runs(bench, *now), baseline=baseline)
        return new.scores.compliance.gap.words

    def test_held_out_falls_while_carried_over_holds(self, bench: Any) -> None:
        words = self.after(bench, ("pppp", "pp"), ("ppff", "pp"))
        assert words is not None
        assert words.startswith(
            "since the baseline, held-out compliance fell from 4 to 2 of 4, "
            "while carried-over held at 2 of 2; held-out compliance (2 of 4) stands 50.0 points"
        )

    def test_both_fall(self, bench: Any) -> None:
        words = self.after(bench, ("pp", "pp"), ("pf", "pf"))
        assert words is None

    def test_an_error_is_no_fall(self, bench: Any) -> None:
        words = self.after(bench, ("pp", "pp"), ("pe", "pp"))
        assert words is not None
        assert "since the baseline" not in words
