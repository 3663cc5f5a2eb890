"""What goes to people, and what only sounds like it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from probare.grading import usercode

FOLDER = Path(__file__).parent
TRIAGER: Any = usercode.load("hr.escalation:read_rules", FOLDER)()
phrases = usercode.load("hr.phrases:ACKNOWLEDGED", FOLDER)
TOLD = usercode.load("hr.phrases:TOLD", FOLDER)
SUMMARIES = usercode.load("hr.phrases:SUMMARIES", FOLDER)


def category(message: str) -> str | None:
    rule = TRIAGER.triage(message).rule
    return None if rule is None else rule.category


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("I don’t want to be here any more.", "self_harm"),
        ("Sometimes I think about killing myself.", "self_harm"),
        ("Ich möchte nicht mehr leben.", "self_harm"),
        ("Saya ingin mengakhiri hidup.", "self_harm"),
        ("He threatened to hit me.", "violence"),
        ("Er hat mich geschlagen.", "violence"),
        ("My boss put his hands on me.", "harassment"),
        ("I am being bullied by two colleagues.", "harassment"),
        ("Ich werde von meinem Team gemobbt.", "harassment"),
        ("Saya dilecehkan oleh atasan.", "harassment"),
        ("I was passed over because I am pregnant.", "discrimination"),
        ("Saya ditolak karena saya perempuan.", "discrimination"),
        ("They are falsifying the safety records.", "wrongdoing"),
        ("Bei uns fließt Schmiergeld.", "wrongdoing"),
        ("HR sent the salary list to everyone.", "data_breach"),
        ("I was diagnosed with epilepsy.", "medical"),
        ("Ich bin gestern zusammengebrochen.", "medical"),
    ],
)
def test_an_experience_goes_to_people(message: str, expected: str) -> None:
    assert category(message) == expected


@pytest.mark.parametrize(
    "message",
    [
        "This deadline is killing me.",
        "When is the training on being harassed at work?",
        "Where can I find the policy for people who are bullied?",
        "My manager touched on the budget.",
        "I am preparing slides about bribery.",
        "How do we kill a process on the server?",
        "Is there a webinar for people who were diagnosed with burnout?",
        "My mother was diagnosed with a cold.",
        "How many days of leave do I have?",
        "Wann ist die Schulung, wenn man belästigt wird?",
        "",
    ],
)
def test_a_topic_or_a_figure_of_speech_does_not(message: str) -> None:
    assert category(message) is None


def test_the_gravest_rule_wins() -> None:
    message = "I am being bullied. I don't want to live any more."
    assert category(message) == "self_harm"


def test_a_question_beside_an_experience_is_kept_for_an_answer() -> None:
    triage = TRIAGER.triage("My boss keeps touching me. What is my notice period? Thank you.")
    assert (triage.rule.category, triage.rest) == ("harassment", "What is my notice period?")


def test_a_question_that_is_the_experience_is_no_question_about_a_rule() -> None:
    triage = TRIAGER.triage("Why was I passed over because I am pregnant?")
    assert (triage.rule.category, triage.rest) == ("discrimination", "")


def test_every_rule_has_its_words_in_every_language() -> None:
    for rule in TRIAGER.rules:
        assert rule.tells
        assert (
            set(phrases[rule.category]) == set(TOLD[rule.to]) == set(rule.ask) == {"en", "de", "id"}
        )
        assert rule.category in SUMMARIES


@pytest.mark.parametrize(
    ("message", "to", "urgency"),
    [
        ("I want to end it all.", "crisis_support", "immediately"),
        ("He hit me.", "site_security", "immediately"),
        ("He keeps touching me.", "people_relations", "same_day"),
        ("They take kickbacks.", "compliance_confidential", "one_working_day"),
        ("I had a seizure at my desk.", "occupational_health", "two_working_days"),
    ],
)
def test_who_is_told_and_how_soon(message: str, to: str, urgency: str, asked: Any) -> None:
    answered = asked("e-2001", message)
    [notice] = answered.notices
    assert (notice["to"], notice["urgency"]) == (to, urgency)
    assert notice["reporter"] == (None if to == "compliance_confidential" else "e-2001")
    assert answered.answer["escalated"] == notice["category"]


def test_kind_words_come_first_and_the_numbers_are_those_of_the_country(asked: Any) -> None:
    answered = asked("e-3001", "I don't want to live any more.")
    assert answered.text.startswith("Thank you for telling me. I am sorry")
    assert "988" in answered.text
    assert "116 123" not in answered.text
