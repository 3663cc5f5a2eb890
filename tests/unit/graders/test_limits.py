"""max_latency, max_first_token, max_cost, max_tokens."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from probare.errors import GraderError
from probare.graders.limits import MaxCost, MaxFirstToken, MaxLatency, MaxTokens
from probare.model.case import Case
from probare.model.event import Note, Usage
from probare.model.outcome import Transcript
from probare.model.verdict import Verdict
from probare.ports.grader import Grader, GradingSettings, TrialView


def grade(kind: type[Grader], limit: Any, *events: Usage | Note, **times: Any) -> Verdict:
    times.setdefault("trust", "claimed")
    trial = TrialView(
        case=Case(id="c"),
        transcript=Transcript(case="c", events=events),
        settings=GradingSettings(),
        **times,
    )
    return msgspec.convert({"limit": limit}, kind).grade(None, trial)


@pytest.mark.parametrize(
    ("limit", "taken", "result"),
    [
        (2, 2000.0, "pass"),
        (2, 2000.1, "fail"),
        (0.5, 400.0, "pass"),
        ("500ms", 500.0, "pass"),
        ("500ms", 501.0, "fail"),
        ("2s", 1999.0, "pass"),
        ("2.3s", 2300.0, "pass"),
        ("1m", 61_000.0, "fail"),
    ],
)
def test_times(limit: float | str, taken: float, result: str) -> None:
    assert grade(MaxLatency, limit, duration_ms=taken).result == result
    assert grade(MaxFirstToken, limit, first_token_ms=taken).result == result


def test_each_looks_at_its_own_time() -> None:
    with pytest.raises(GraderError, match="not observable"):
        grade(MaxLatency, 1, first_token_ms=1.0)
    with pytest.raises(GraderError, match="did not stream"):
        grade(MaxFirstToken, 1, duration_ms=1.0)


@pytest.mark.parametrize("limit", [0, -1, "0s", "fast", "5", True, None])
def test_limits_that_are_no_durations(limit: Any) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"limit": limit}, MaxLatency)


def test_the_reason_has_both_figures() -> None:
    reason = grade(MaxLatency, "500ms", duration_ms=1234.5).reason
    assert reason == "the trial took 1,234.5 ms, over the limit of 500 ms"


def test_the_time_of_a_replay_is_not_the_trial_s() -> None:
    replayed = Note(text="x", source="replayed")
    with pytest.raises(GraderError, match="replayed"):
        grade(MaxLatency, 60, replayed, duration_ms=0.1)
    with pytest.raises(GraderError, match="replayed"):
        grade(MaxFirstToken, 60, replayed, first_token_ms=0.1)


@pytest.mark.parametrize("limit", [float("inf"), float("nan"), -0.1, "1", None])
def test_limits_that_are_no_costs(limit: Any) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"limit": limit}, MaxCost)


def test_the_last_digits_of_a_sum_are_forgiven() -> None:
    usages = (Usage(cost_usd=0.1), Usage(cost_usd=0.2))
    assert grade(MaxCost, 0.3, *usages).result == "pass"
    assert grade(MaxCost, 0.2999999, *usages).result == "fail"


def test_costs_add_up() -> None:
    usages = (Usage(cost_usd=0.25), Note(text="x"), Usage(cost_usd=0.5, source="observed"))
    assert grade(MaxCost, 0.75, *usages).result == "pass"
    assert grade(MaxCost, 0.74, *usages).result == "fail"
    assert grade(MaxCost, 0, Usage(cost_usd=0.0)).result == "pass"


def test_an_unknown_price_is_never_nothing() -> None:
    with pytest.raises(GraderError, match="cost of a model call is unknown"):
        grade(MaxCost, 10, Usage(cost_usd=0.1), Usage(input_tokens=3))
    with pytest.raises(GraderError, match="no usage"):
        grade(MaxCost, 10, Note(text="free"))


def test_cached_tokens_count_once() -> None:
    usage = Usage(input_tokens=10, cached_tokens=5, output_tokens=20)
    assert grade(MaxTokens, 30, usage).result == "pass"
    assert grade(MaxTokens, 29, usage).result == "fail"
    large = Usage(input_tokens=17_903, cached_tokens=17_817, output_tokens=0)
    assert grade(MaxTokens, 17_903, large).reason.startswith("17,903 tokens, within")


def test_unknown_tokens_are_an_error() -> None:
    with pytest.raises(GraderError, match="tokens of a model call are unknown"):
        grade(MaxTokens, 100, Usage(input_tokens=1))
    with pytest.raises(GraderError, match="no usage"):
        grade(MaxTokens, 100)


def test_the_reason_says_whose_figures_they_are() -> None:
    own = Usage(input_tokens=1, output_tokens=1)
    seen = Usage(input_tokens=1, output_tokens=1, source="observed")
    assert "as the agent reports" in grade(MaxTokens, 5, own).reason
    assert "as the agent reports" not in grade(MaxTokens, 5, seen).reason


@pytest.mark.parametrize(("kind", "limit"), [(MaxCost, 100), (MaxTokens, 100)])
def test_what_the_agent_says_of_its_own_use_is_no_evidence(kind: type[Grader], limit: Any) -> None:
    own = Usage(input_tokens=1, output_tokens=1, cost_usd=0.1)
    seen = Usage(input_tokens=1, output_tokens=1, cost_usd=0.1, source="observed")
    assert grade(kind, limit, own, trust="observed").result == "unknown"
    assert grade(kind, limit, seen, own, trust="observed").result == "unknown"
    assert grade(kind, limit, seen, trust="observed").result == "pass"
    assert grade(kind, limit, own, trust="claimed").result == "pass"
