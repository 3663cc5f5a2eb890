"""What is drawn is what Probare reads and writes."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from probare import Case, Suite
from probare.encoding import jsonbytes
from probare.model.event import EVENT_TYPES, Event
from probare.model.outcome import Outcome, Transcript
from probare.pipeline.catalogue import BuiltCatalogue
from probare.testing import strategies

CATALOGUE = BuiltCatalogue()
FEW = settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow], deadline=None)


@FEW
@given(strategies.json_values())
def test_values_are_json(value: Any) -> None:
    assert json.loads(jsonbytes.encode(value)) == value


@pytest.mark.parametrize("kind", sorted(EVENT_TYPES))
def test_every_kind_of_event_can_be_drawn_and_comes_back(kind: str) -> None:
    @settings(FEW, max_examples=10)
    @given(strategies.events(kind))
    def comes_back(event: Event) -> None:
        assert event.kind == kind
        found: Event = msgspec.json.decode(jsonbytes.encode(event), type=Event)  # pyright: ignore
        assert found == event

    comes_back()


def test_a_kind_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="no kind of event: tool_cal"):
        strategies.events("tool_call", "tool_cal")


@FEW
@given(strategies.events(source="observed"))
def test_the_source_may_be_chosen(event: Event) -> None:
    assert event.source == "observed"


@FEW
@given(strategies.outcomes())
def test_outcomes_come_back(outcome: Outcome) -> None:
    assert msgspec.json.decode(jsonbytes.encode(outcome), type=Outcome) == outcome


@FEW
@given(strategies.transcripts(case="a", trial=3, event=strategies.events("note", "state")))
def test_transcripts_are_numbered_and_timed(transcript: Transcript) -> None:
    assert (transcript.case, transcript.trial) == ("a", 3)
    assert [event.seq for event in transcript.events] == list(range(len(transcript.events)))
    times = [event.at_ms or 0.0 for event in transcript.events]
    assert times == sorted(times)
    assert {event.kind for event in transcript.events} <= {"note", "state"}
    assert msgspec.json.decode(jsonbytes.encode(transcript), type=Transcript) == transcript


@FEW
@given(st.lists(strategies.cases(), min_size=1, max_size=3, unique_by=lambda case: case.id))
def test_cases_make_a_suite_that_has_no_fault(cases: list[Case]) -> None:
    loaded = Suite("drawn", cases=cases, target=repr).loaded(CATALOGUE, {})
    assert [case.id for case in loaded.suite.cases] == [case.id for case in cases]
    assert [case.input for case in loaded.suite.cases] == [case.input for case in cases]
