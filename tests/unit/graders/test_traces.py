"""Whether trials left the same trace."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from probare.errors import GraderError
from probare.graders.traces import DifferentTraces, IdenticalTraces
from probare.model.case import Case
from probare.model.event import Artifact, Event, Note, Source, ToolCall, ToolResult
from probare.model.outcome import Transcript
from probare.model.suite import Trust
from probare.model.verdict import Verdict
from probare.ports.grader import GradingSettings, TrialView


def views(*traces: Sequence[Event], trust: Trust = "observed") -> list[TrialView]:
    return [
        TrialView(
            case=Case(id="c"),
            transcript=Transcript(case="c", trial=number, events=tuple(events)),
            trust=trust,
            settings=GradingSettings(),
        )
        for number, events in enumerate(traces)
    ]


def call(name: str, call_id: str = "x", source: Source = "observed", **arguments: object) -> Event:
    return ToolCall(name=name, arguments=arguments, call_id=call_id, source=source)


def both(trials: list[TrialView]) -> tuple[Verdict, Verdict]:
    return IdenticalTraces().grade_case(trials), DifferentTraces().grade_case(trials)


def test_the_same_acts_are_one_trace() -> None:
    one = [call("look", q="a"), ToolResult(name="look", result=1, call_id="x", duration_ms=3.0)]
    two = [
        call("look", "other", q="a"),
        ToolResult(name="look", result=1.0, call_id="other", duration_ms=9.0, at_ms=77.0),
        Artifact(path="manifest.json"),
    ]
    same, different = both(views(one, two))
    assert (same.result, different.result) == ("pass", "fail")
    assert same.reason.startswith("2 trials, one trace hash ")
    assert same.reason.endswith("(2 events)")


@pytest.mark.parametrize(
    ("one", "two", "said"),
    [
        ([call("a")], [call("a"), call("b")], "trial 1 goes on with tool_call, trial 0 has ended"),
        ([call("a"), call("b")], [call("a")], "trial 0 goes on with tool_call, trial 1 has ended"),
        ([call("a")], [Note(text="x")], "tool_call in trial 0, note in trial 1"),
        ([call("a", q=1)], [call("a", q=2)], "(tool_call), arguments.q: 1 in trial 0, 2 in trial"),
        ([call("a", q=1)], [call("a")], "(tool_call), arguments.q: 1 in trial 0, nothing"),
        ([call("a", q=1)], [call("a", q=1, r=2)], "arguments.r: 2 in trial 1, nothing in trial 0"),
    ],
)
def test_the_first_event_that_differs_is_shown(
    one: list[Event], two: list[Event], said: str
) -> None:
    same, different = both(views(one, two))
    assert (same.result, different.result) == ("fail", "pass")
    assert said in same.reason
    assert same.reason.startswith("2 trace hashes among 2 trials; trials 0 and 1 part at event")


def test_any_trial_that_differs_counts() -> None:
    same, _ = both(views([call("a")], [call("a")], [call("b")]))
    assert same.result == "fail"
    assert "trials 0 and 2 part at event 0" in same.reason


def test_a_clock_that_the_agent_writes_counts() -> None:
    with_clock = [[call("a"), Note(text="at", data=moment)] for moment in (1, 2)]
    assert both(views(*with_clock))[0].result == "fail"


def test_empty_traces_show_nothing() -> None:
    for events in ([], [Note(text="ready", source="observed")]):
        for grader in (IdenticalTraces(), DifferentTraces()):
            with pytest.raises(GraderError, match="not observable"):
                grader.grade_case(views(events, events))


def test_sameness_that_is_only_claimed_is_unknown() -> None:
    claimed = [call("a", source="claimed")]
    assert [v.result for v in both(views(claimed, claimed))] == ["unknown", "unknown"]
    assert both(views(claimed, claimed, trust="claimed"))[0].result == "pass"
    replayed = [call("a", source="replayed")]
    assert both(views(replayed, replayed))[0].result == "pass"


def test_a_difference_is_one_whoever_tells_it() -> None:
    one, two = [call("a", source="claimed")], [call("b", source="claimed")]
    assert both(views(one, two))[0].result == "fail"


def test_a_trace_that_cannot_be_hashed_is_an_error() -> None:
    events = [call("a", q=float("nan"))]
    with pytest.raises(GraderError, match="nan, which is not JSON"):
        IdenticalTraces().grade_case(views(events, events))
