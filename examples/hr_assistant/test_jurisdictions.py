"""Where a contract is, and which place a question is about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from probare.grading import usercode

FOLDER = Path(__file__).parent
of_workplace = usercode.load("hr.jurisdictions:of_workplace", FOLDER)
named_in = usercode.load("hr.jurisdictions:named_in", FOLDER)
listed = usercode.load("hr.jurisdictions:listed", FOLDER)


@pytest.mark.parametrize(
    ("country", "state", "place"),
    [
        ("DE", None, "DE"),
        ("GB", None, "UK"),
        ("ID", None, "ID"),
        ("US", "CA", "US-CA"),
        ("US", "NY", None),
        ("US", None, None),
        ("CA", None, None),
        ("FR", None, None),
    ],
)
def test_a_contract_is_where_its_country_and_state_say(
    country: str, state: str | None, place: str | None
) -> None:
    assert of_workplace(country, state) == place


@pytest.mark.parametrize(
    ("question", "places"),
    [
        ("What holds in Germany?", ("DE",)),
        ("I move from London to San Diego", ("UK", "US-CA")),
        ("Compare California with the UK", ("US-CA", "UK")),
        ("Berapa cuti di Jakarta?", ("ID",)),
        ("Gilt das auch in Großbritannien?", ("UK",)),
        ("I like Germaine and duke", ()),
    ],
)
def test_the_places_that_a_question_names(question: str, places: tuple[str, ...]) -> None:
    assert named_in(question) == places


def test_places_are_listed_as_people_do() -> None:
    assert listed(("DE",), "en") == "Germany"
    assert listed(("DE", "UK", "ID"), "en") == "Germany, the United Kingdom and Indonesia"
    assert listed(("DE", "ID"), "id") == "Jerman dan Indonesia"


QUESTION = "What is my notice period if I resign?"


@pytest.mark.parametrize(
    ("employee", "place", "rule"),
    [
        ("e-1001", "DE", "four weeks to the 15th"),
        ("e-2001", "UK", "one month after probation"),
        ("e-3001", "US-CA", "employment is at will"),
        ("e-4001", "ID", "at least 30 days"),
    ],
)
def test_one_question_has_four_answers(employee: str, place: str, rule: str, asked: Any) -> None:
    answered = asked(employee, QUESTION)
    assert answered.answer["jurisdiction"] == place
    assert rule in answered.text
    assert "it differs in" in answered.text
    [search] = answered.of("retrieval")
    assert search.query["jurisdiction"] == place


def test_where_a_question_names_a_place_that_place_answers_and_the_contract_is_named(
    asked: Any,
) -> None:
    answered = asked("e-1001", "What is the notice period if I resign in the UK?")
    assert answered.answer["jurisdiction"] == "UK"
    assert "your own contract is under the rules of Germany" in answered.text


def test_two_places_are_both_answered(asked: Any) -> None:
    answered = asked("e-1001", "How much annual leave per year in Germany and in Indonesia?")
    assert "30 working days" in answered.text
    assert "14 working days" in answered.text
    assert answered.sources == [("annual-leave", 4)] * 2


def test_without_policies_for_a_place_nothing_is_guessed(asked: Any) -> None:
    answered = asked("e-5001", "How much annual leave do I have?")
    assert answered.answer["jurisdiction"] is None
    assert answered.of("retrieval") == []
    assert not any(character.isdigit() for character in answered.text)


def test_somebody_in_need_is_helped_wherever_they_are(asked: Any) -> None:
    answered = asked("e-5001", "I don't want to live any more.")
    assert [notice["to"] for notice in answered.notices] == ["crisis_support"]
    assert "the emergency number where you are" in answered.text
