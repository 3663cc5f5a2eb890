"""The whole summary: groups, notes, money, and what may never rise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probare.errors import InputError
from probare.model.case import Case
from probare.model.judged import JudgeReply
from probare.model.outcome import UsageTotal
from probare.model.score import JudgeSpending, Rate, Scores, Summary
from probare.model.suite import Gate
from probare.scoring.summarise import Context, summarise


def test_counts_of_cases_and_trials(bench: Any) -> None:
    summary = bench.summary(
        (bench.case("a"), ["p", "f"]),
        (bench.case("b"), ["p", "e"]),
        (bench.case("c"), ["u", None]),
        (bench.case("d", 0, review="always"), ["", ""]),
    )
    cases, trials = summary.cases, summary.trials
    assert (cases.planned, cases.run, cases.graded) == (4, 3, 1)
    assert (cases.passed, cases.flaky, cases.failed) == (0, 1, 0)
    assert (cases.errored, cases.needs_review, cases.ungraded) == (2, 0, 1)
    assert (trials.planned, trials.run, trials.graded) == (8, 7, 3)
    assert (trials.passed, trials.failed, trials.errored) == (2, 1, 1)
    assert (trials.needs_review, trials.ungraded, trials.flaky) == (1, 2, None)


def test_a_case(bench: Any) -> None:
    case = bench.case("a", 1, 1, category="k", tags=("x",), split="carried_over")
    found = bench.summary((case, ["pp", "pf", "pp"])).per_case["a"]
    assert (found.status, found.trials, found.run, found.graded, found.passed) == (
        "flaky",
        3,
        3,
        3,
        2,
    )
    assert found.pass_rate == pytest.approx(2 / 3)
    assert found.pass_at == {"1": pytest.approx(2 / 3), "2": 1.0, "3": 1.0}
    assert found.pass_hat == {"1": pytest.approx(2 / 3), "2": pytest.approx(1 / 3), "3": 0.0}
    assert found.avg_duration_ms == 20.0
    assert (found.category, found.tags, found.split) == ("k", ("x",), "carried_over")


def test_a_case_for_people_has_no_pass_rates(bench: Any) -> None:
    summary = bench.summary((bench.case("a"), ["p"]), (bench.case("b", 0, review="always"), [""]))
    found = summary.per_case["b"]
    assert found.pass_rate is None
    assert found.pass_at == found.pass_hat == {"1": None}
    assert summary.scores.pass_rate.denominator == 1
    assert summary.notes == (
        "1 case is for people alone: run and recorded, outside the pass rates",
    )


def test_a_case_judged_as_a_whole_is_said_to_be_outside_the_pass_rates(bench: Any) -> None:
    whole = Case(id="w", expect=(bench.check(grader=bench.WIDE),))
    summary = bench.summary((bench.case("a"), ["p", "p"]), (whole, ["", ""]), wide={"w": "p"})
    assert summary.exit_code == 0
    assert summary.scores.pass_rate.value == 1.0
    assert "judged as a whole only" in summary.notes[0]


@pytest.mark.parametrize(
    ("tag", "letters", "words"),
    [
        ("capability", "ppp", "saturated: 3 of 3 cases passed; add harder ones"),
        ("capability", "pff", "a hill to climb: 1 of 3 cases passed, pass rate 33.3%"),
        ("regression", "ppp", "holds: 3 of 3 cases passed"),
        (
            "regression",
            "ppe",
            "must stay near 100 %, and is at 66.7%: 2 of 3 cases passed (1 without an answer)",
        ),
        ("other", "ppp", None),
    ],
)
def test_tags_speak(bench: Any, tag: str, letters: str, words: str | None) -> None:
    runs = [(bench.case(f"c{i}", tags=(tag,)), [letter]) for i, letter in enumerate(letters)]
    assert bench.summary(*runs).by_tag[tag].words == words


def test_groups(bench: Any) -> None:
    summary = bench.summary(
        (bench.case("a", tags=("x", "y"), category="k"), ["p"]),
        (bench.case("b", tags=("y",), category="k"), ["f"]),
        (bench.case("c"), ["p"]),
    )
    assert list(summary.by_tag) == ["x", "y"]
    assert summary.by_tag["y"].cases.planned == 2
    assert summary.by_tag["y"].scores.pass_rate.value == 0.5
    assert list(summary.by_category) == ["k"]
    assert summary.by_category["k"].cases.failed == 1


class TestMoney:
    """Unknown is not nought (field report B98)."""

    def spent(self, bench: Any, *usages: UsageTotal | None) -> Summary:
        case = bench.case("a")
        tally = bench.tally((case, [None] * len(usages)))
        for number, usage in enumerate(usages):
            tally.add(bench.record(case, number, "p", usage))
        return summarise(tally, Context(plan=bench.plan(), gate=Gate()))

    def test_all_told(self, bench: Any) -> None:
        usage = UsageTotal(input_tokens=10, output_tokens=20, cached_tokens=5, cost_usd=0.25)
        summary = self.spent(bench, usage, usage)
        assert (summary.cost_usd, summary.tokens, summary.notes) == (0.5, 60, ())

    def test_one_price_unknown(self, bench: Any) -> None:
        known = UsageTotal(input_tokens=1, output_tokens=1, cost_usd=0.25)
        summary = self.spent(bench, known, UsageTotal(input_tokens=1, output_tokens=1))
        assert (summary.cost_usd, summary.tokens) == (None, 4)
        assert summary.notes == (
            "cost not known: 1 of 2 trials told none; the others come to $0.2500",
        )

    def test_nothing_told(self, bench: Any) -> None:
        summary = self.spent(bench, None, None)
        assert (summary.cost_usd, summary.tokens, summary.notes) == (None, None, ())

    def judged(self, bench: Any, *costs: float | None) -> Summary:
        """A trial whose check was judged by replies of these costs, ten tokens each."""
        replies = tuple(
            JudgeReply(
                model="m",
                prompt_sha256="0" * 64,
                means="pass",
                usage=UsageTotal(input_tokens=8, output_tokens=2, cost_usd=cost),
            )
            for cost in costs
        )
        case = bench.case("a")
        record = bench.record(case, 0, "p")
        verdicts = (msgspec.structs.replace(record.verdicts[0], judged=replies),)
        tally = bench.tally((case, [None]))
        tally.add(msgspec.structs.replace(record, verdicts=verdicts))
        return summarise(tally, Context(plan=bench.plan(), gate=Gate()))

    def test_what_judges_used_is_told_apart(self, bench: Any) -> None:
        summary = self.judged(bench, 0.25, 0.5)
        assert summary.judges == JudgeSpending(replies=2, tokens=20, cost_usd=0.75)
        assert (summary.cost_usd, summary.tokens) == (None, None)
        assert summary.notes == (
            "judges answered 2 times, beside what the agent used: 20 tokens, $0.7500",
        )

    def test_a_judge_without_a_price(self, bench: Any) -> None:
        summary = self.judged(bench, 0.25, None)
        assert summary.judges == JudgeSpending(replies=2, tokens=20, cost_usd=None)
        assert "cost not known" in summary.notes[0]
        assert self.spent(bench, None).judges is None

    def test_free_is_a_price(self, bench: Any) -> None:
        assert self.spent(bench, UsageTotal(cost_usd=0.0)).cost_usd == 0.0


def test_a_gate_on_no_such_score_is_refused(bench: Any) -> None:
    with pytest.raises(InputError, match="did you mean 'accuracy'"):
        bench.summary((bench.case("a"), ["p"]), gate=Gate(minimum={"acuracy": 1.0}))


def test_it_survives_json_without_nan(bench: Any) -> None:
    summary = bench.summary(
        (bench.case("a", 0, review="always"), [""]), (bench.case("b", 1, 1), ["pp", "ef"])
    )
    data = msgspec.json.encode(summary)
    assert b"NaN" not in data
    assert msgspec.json.decode(data, type=Summary) == summary


letters = st.sampled_from("pfeus")
trial = st.one_of(st.none(), st.text(letters, min_size=2, max_size=2))
suites = st.lists(
    st.tuples(
        st.lists(trial, min_size=1, max_size=4),
        st.sampled_from(["held_out", "carried_over"]),
        st.sampled_from([None, "g", "h"]),
    ),
    min_size=1,
    max_size=5,
)


def _runs(bench: Any, suite: Any) -> list[tuple[Case, list[str | None]]]:
    return [
        (bench.case(f"c{i}", 1, 1, split=split, cluster=cluster), list(trials))
        for i, (trials, split, cluster) in enumerate(suite)
    ]


def _rates(scores: Scores) -> Iterator[tuple[str, Rate]]:
    yield "accuracy", scores.accuracy
    yield "safety", scores.safety
    yield "pass_rate", scores.pass_rate
    yield "all", scores.compliance.all
    yield "held_out", scores.compliance.held_out
    yield "carried_over", scores.compliance.carried_over
    for k, rate in scores.pass_at.items():
        yield f"at {k}", rate
    for k, rate in scores.pass_hat.items():
        yield f"hat {k}", rate


@settings(max_examples=80, deadline=None)
@given(suites)
def test_worst_is_at_most_best_and_the_interval_holds_it(bench: Any, suite: Any) -> None:
    for _, rate in _rates(bench.summary(*_runs(bench, suite)).scores):
        if rate.value is None:
            assert rate.interval is rate.best is None
            assert rate.why
            continue
        assert rate.best is not None
        assert rate.interval is not None
        assert 0 <= rate.value <= rate.best + 1e-12 <= 1 + 2e-12
        assert rate.interval[0] - 1e-9 <= rate.value <= rate.interval[1] + 1e-9
        assert rate.value == pytest.approx(rate.numerator / rate.denominator)
        assert rate.graded <= rate.planned
        assert rate.run <= rate.planned


@settings(max_examples=80, deadline=None)
@given(suites, st.data())
def test_an_error_in_place_of_a_pass_never_raises_a_value(
    bench: Any, suite: Any, data: st.DataObject
) -> None:
    before = _runs(bench, suite)
    after = [
        (case, [t and "".join(data.draw(_maybe_worse(c)) for c in t) for t in trials])
        for case, trials in before
    ]
    old = dict(_rates(bench.summary(*before).scores))
    for name, rate in _rates(bench.summary(*after).scores):
        was = old[name].value
        if rate.value is not None:
            assert was is not None
            assert rate.value <= was + 1e-12


def _maybe_worse(letter: str) -> st.SearchStrategy[str]:
    return st.sampled_from("pesu") if letter == "p" else st.just(letter)


@settings(max_examples=80, deadline=None)
@given(st.lists(trial, min_size=1, max_size=5))
def test_one_more_failed_trial_never_raises_a_value(bench: Any, trials: list[str | None]) -> None:
    case = bench.case("a", 1, 1)
    before = bench.summary((case, trials)).per_case["a"]
    after = bench.summary((case, [*trials, "ff"])).per_case["a"]
    assert after.accuracy <= before.accuracy
    assert after.safety <= before.safety
    assert after.pass_rate <= before.pass_rate
    for k, value in before.pass_at.items():
        assert after.pass_at[k] <= value
        assert after.pass_hat[k] <= before.pass_hat[k]


def test_a_run_lasts_from_the_first_start_to_the_last_end(bench: Any) -> None:
    case = bench.case("a", 1)
    assert bench.summary((case, ["p", "p", "p"])).duration_ms == pytest.approx(30.0)
