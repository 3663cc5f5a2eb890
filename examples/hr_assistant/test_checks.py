"""The suite's own checks: what they hold of, and what they do not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from probare.errors import GraderError
from probare.grading import usercode
from probare.model.case import Case
from probare.model.event import Event, Retrieval, ToolResult
from probare.model.outcome import Outcome, Transcript
from probare.ports.grader import GradingSettings, TrialView

FOLDER = Path(__file__).parent
cites = usercode.load("checks:cites", FOLDER)
grounded = usercode.load("checks:grounded", FOLDER)
PASSAGE = {
    "document": "annual-leave",
    "title": "Annual leave",
    "version": 4,
    "effective": "2025-01-01",
    "text": "You have 30 working days.",
}
SOURCE = {"document": "annual-leave", "version": 4, "effective": "2025-01-01"}
ANSWER = "You have 30 working days. Source: Annual leave, version 4, in force since 2025-01-01."


def seen(*events: Event, watched: bool = True) -> TrialView:
    transcript = Transcript(
        case="c",
        trial=0,
        events=events,
        outcome=Outcome(output={"text": ""}),
        observes=("retrievals", "tools") if watched else (),
    )
    case = Case(id="c", input={"question": "Is it 12 days?"})
    return TrialView(case=case, transcript=transcript, settings=GradingSettings())


def retrieved(*passages: Any, source: Any = "observed") -> TrialView:
    return seen(Retrieval(query="leave", documents=list(passages), source=source))


def test_what_was_retrieved_and_is_named_is_cited() -> None:
    assert cites(ANSWER, retrieved(PASSAGE), SOURCE)[0] is True


@pytest.mark.parametrize(
    ("text", "trial", "why"),
    [
        ("You have 30 working days.", retrieved(PASSAGE), "is not cited"),
        (ANSWER, retrieved(), "retrieved: nothing"),
        (ANSWER, retrieved(PASSAGE, source="claimed"), "retrieved: nothing"),
        (
            ANSWER.replace("2025-01-01", "2022-01-01"),
            retrieved({**PASSAGE, "version": 3, "effective": "2022-01-01"}),
            "another version than annual-leave version 4 is cited: 3",
        ),
        (ANSWER, retrieved({**PASSAGE, "document": "sickness"}), "retrieved: sickness version 4"),
    ],
)
def test_anything_else_is_not(text: str, trial: TrialView, why: str) -> None:
    holds, reason = cites(text, trial, SOURCE)
    assert holds is False
    assert why in reason


def test_where_no_source_is_asked_for_none_is_needed() -> None:
    assert cites("I found nothing.", retrieved(), None)[0] is True


def test_what_nobody_saw_is_an_error() -> None:
    with pytest.raises(GraderError, match="nobody saw what was retrieved"):
        cites(ANSWER, seen(watched=False), SOURCE)
    with pytest.raises(GraderError, match="nobody saw what was retrieved"):
        grounded(ANSWER, seen(watched=False))


def test_numbers_come_from_passages_records_and_the_question() -> None:
    record = ToolResult(name="lookup_record", result={"days": 6.25}, source="observed")
    passages = Retrieval(query="leave", documents=[PASSAGE], source="observed")
    assert grounded("30, 6.25 and 12 days", seen(passages, record)).result == "pass"
    invented = grounded("30 days, and 7.5 more", seen(passages, record))
    assert invented.result == "fail"
    assert "7.5" in invented.reason
