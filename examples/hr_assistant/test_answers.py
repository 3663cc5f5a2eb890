"""Answers: their language, their sources, and who words them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from probare import run
from probare.errors import InputError
from probare.grading import usercode
from probare.model.event import Usage
from probare.targets.recorder import Recorder
from probare.testing.model_server import model_server

FOLDER = Path(__file__).parent


def test_every_passage_is_cited_with_its_version_and_day(asked: Any) -> None:
    answered = asked("e-2001", "How long do I get sick pay?")
    assert answered.text.endswith(
        "Source: Sickness, “Sick pay” (the United Kingdom), version 3, in force since 2025-04-06."
    )
    assert answered.answer["citations"] == [
        {
            "document": "sickness",
            "version": 3,
            "effective": "2025-04-06",
            "section": "Sick pay",
            "jurisdiction": "UK",
        }
    ]


@pytest.mark.parametrize(
    ("question", "day", "days"),
    [
        ("How much annual leave per year?", "2024-12-31", "27 working days"),
        ("How much annual leave per year?", "2025-07-01", "30 working days"),
        ("How much annual leave per year?", "2026-01-02", "31 working days"),
    ],
)
def test_the_day_of_the_question_decides_which_version_answers(
    question: str, day: str, days: str, asked: Any
) -> None:
    assert days in asked("e-1001", question, day=day).text


@pytest.mark.parametrize(
    ("employee", "question", "language", "starts"),
    [
        ("e-1001", "Wie viele Tage Urlaub habe ich im Jahr?", "de", "In Deutschland haben Sie"),
        ("e-4001", "Berapa hari cuti tahunan yang saya dapat?", "id", "Di Indonesia Anda berhak"),
        ("e-4001", "How much annual leave per year?", "en", "In Indonesia you have"),
    ],
)
def test_the_answer_is_in_the_language_of_the_question(
    employee: str, question: str, language: str, starts: str, asked: Any
) -> None:
    answered = asked(employee, question)
    assert answered.answer["language"] == language
    assert answered.text.startswith(starts)


def test_where_no_text_answers_that_is_said(asked: Any) -> None:
    answered = asked("e-1002", "Gibt es ein Recht auf Homeoffice?")
    assert answered.text.startswith("Ich habe keinen Richtlinientext dazu gefunden")
    assert answered.sources == []


def test_the_stale_policy_is_answered_from_as_it_stands(asked: Any) -> None:
    answered = asked("e-3001", "How many paid sick days do I get per year?")
    assert "24 hours or 3 days" in answered.text
    assert "in force since 2021-07-01" in answered.text


def test_a_model_words_the_answer_and_decides_nothing(asked: Any) -> None:
    seen: list[list[dict[str, str]]] = []

    async def complete(messages: list[dict[str, str]]) -> str:
        seen.append(messages)
        return "Worded otherwise."

    answered = asked("e-2001", "My boss keeps touching me.", complete=complete)
    assert answered.text.startswith("Worded otherwise.\n\nSource: Respect at work")
    assert [notice["to"] for notice in answered.notices] == ["people_relations"]
    [[system, user]] = seen
    assert "Add none." in system["content"]
    assert "<question>\nMy boss keeps touching me.\n</question>" in user["content"]


def test_where_a_model_says_nothing_the_draft_stands(asked: Any) -> None:
    async def complete(_messages: list[dict[str, str]]) -> str:
        return "  "

    answered = asked("e-2001", "How long do I get sick pay?", complete=complete)
    assert "£118.75 a week" in answered.text


def test_a_model_is_asked_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        "Ask for your data with a subject access request: you have an answer within one month, or "
        "with two further months where it is complex. It is free of charge in the United Kingdom."
    )
    with model_server(text) as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        ran = run(FOLDER, model="openai:any", cases=["data_uk_access"], runs=tmp_path)
    [record] = ran.records()
    transcript = ran.transcript(record)
    assert record.status == "passed"
    assert str(transcript.outcome.output["text"]).startswith(text)
    [usage] = [event for event in transcript.events if isinstance(event, Usage)]
    assert usage.model == "any"
    assert len(server.requests) == 1


def test_a_model_that_cannot_be_had_is_told_before_anything_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    agent = usercode.load("agent:HrAssistant", FOLDER)(model="openai:any")
    with pytest.raises(InputError, match="OPENAI_API_KEY"):
        agent.set_up()


def test_nobody_is_answered_who_is_not_employed() -> None:
    agent = usercode.load("agent:HrAssistant", FOLDER)()
    agent.set_up()
    given = {"employee": "e-9999", "question": "How much leave?", "asked_on": "2025-07-01"}
    with pytest.raises(LookupError, match="e-9999"):
        asyncio.run(agent.run(given, Recorder()))
