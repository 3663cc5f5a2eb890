"""A trial as it is read."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import UNSET

from probare.model.case import Case
from probare.model.event import Message, Retrieval, ToolCall
from probare.model.outcome import Outcome, Transcript
from probare.model.record import TranscriptRef, TrialError, TrialRecord
from probare.web.telling import excerpt_of, moment, tell


def _record(**more: Any) -> TrialRecord:
    plain: dict[str, Any] = {
        "case": "a",
        "trial": 0,
        "stop": "completed",
        "status": "passed",
        "error": None,
        "attempts": 1,
        "verdicts": (),
        "started": "2026-12-01T04:00:00+00:00",
        "duration_ms": 1.0,
        "first_token_ms": None,
        "usage": None,
        "output_text": None,
        "transcript": TranscriptRef(0, 1, "0" * 64),
        "salt": "",
    }
    return TrialRecord(**{**plain, **more})


def _transcript(output: Any = UNSET, *events: Any, **more: Any) -> Transcript:
    return Transcript(case="a", events=events, outcome=Outcome(output=output, **more))


def test_the_law_and_the_right_answer_stand_apart_from_the_rest_of_the_reference() -> None:
    reference = {
        "answer": "Yes.",
        "jurisdiction": None,
        "law": "A note.",
        "law_as_of": "2025-07-01",
        "source": {"document": "leave", "version": 3},
        "escalate": None,
    }
    told = tell(Case(id="a", reference=reference), _record(), _transcript("x"))
    assert told.answer == "Yes."
    assert told.law is not None
    assert (told.law.jurisdiction, told.law.note, told.law.as_of) == ("", "A note.", "2025-07-01")
    rest = [(part.name, part.text) for part in told.reference]
    assert rest == [("source", "document: leave, version: 3"), ("escalate", "none")]


@pytest.mark.parametrize(
    ("reference", "answer"), [("Plain.", "Plain."), ({"x": 1}, None), (7, None), (UNSET, None)]
)
def test_any_reference_is_shown(reference: Any, answer: str | None) -> None:
    told = tell(Case(id="a", reference=reference), _record(), _transcript("x"))
    assert told.answer == answer
    assert told.law is None


def test_cited_passages_come_first_and_once() -> None:
    one = {"document": "a", "section": "s", "version": 1, "text": "one", "score": 2.5}
    two = {"document": "b", "section": "s", "version": 1, "text": "two"}
    found = Retrieval(query="q", documents=[one, two], source="observed")
    output = {"text": "t", "citations": [{"document": "b", "section": "s", "version": 1}]}
    told = tell(None, _record(), _transcript(output, found, found))
    assert [(each.text, each.cited) for each in told.passages] == [("two", True), ("one", False)]
    older = {"text": "t", "citations": [{"document": "b", "section": "s", "version": 2}, 7]}
    told = tell(None, _record(), _transcript(older, found))
    assert not any(each.cited for each in told.passages)


@pytest.mark.parametrize("documents", [None, "text", [1], [{"no": "text"}], {"a": 1}])
def test_documents_of_another_form_are_shown_as_values(documents: Any) -> None:
    told = tell(None, _record(), _transcript("x", Retrieval(query="q", documents=documents)))
    assert told.passages == ()
    names = [part.name for part in told.steps[0].parts]
    assert ("documents" in names) == (documents is not None)


def test_the_answer_is_told_once_and_a_missing_one_is_said() -> None:
    last = Message(role="assistant", content="Yes.")
    assert tell(None, _record(), _transcript("Yes.", last)).output is None
    assert tell(None, _record(), _transcript("No.", last)).output == "No."
    assert tell(None, _record(), _transcript({"text": "Yes.", "n": None}, last)).output is None
    gone = tell(None, _record(), _transcript(UNSET, last))
    assert gone.no_output
    error = TrialError("ValueError", "down")
    stopped = tell(None, _record(stop="target_error", error=error), _transcript())
    assert stopped.ended == "target error: ValueError: down"


def test_what_a_recording_says_of_itself_is_never_told() -> None:
    told = tell(None, _record(), _transcript("x", recorded={"reward": 0.125}))
    assert "0.125" not in str(told)


def test_much_is_counted_not_shown() -> None:
    events = [ToolCall(name="t", seq=number) for number in range(1_200)]
    told = tell(None, _record(), _transcript("y" * 100_010, *events))
    assert len(told.steps) == 1_000
    assert told.left_out == "200 more events not shown"
    assert told.output is not None
    assert told.output.endswith("… [10 more characters]")


def test_the_excerpt_is_the_start_of_the_answer() -> None:
    assert excerpt_of(_transcript("a\x1bb" + "c" * 700)).startswith("a\\x1bbccc")
    assert len(excerpt_of(_transcript("c" * 700))) == 601
    assert excerpt_of(_transcript()) == ""


def test_times_are_read_by_people() -> None:
    assert moment("2026-12-01T04:05:06.789+00:00") == "2026-12-01 04:05 UTC"
    assert moment("2026-12-01T04:05:06+00:00", date=False) == "04:05"
    assert (moment(None), moment("soon")) == ("–", "soon")
