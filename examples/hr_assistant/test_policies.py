"""The policies: read, in force on a day, and found."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from probare.grading import usercode

FOLDER = Path(__file__).parent
PolicyInvalid = usercode.load("hr.library:PolicyInvalid", FOLDER)
read_library = usercode.load("hr.library:read_library", FOLDER)
PolicySearch = usercode.load("hr.search:PolicySearch", FOLDER)
stems = usercode.load("hr.words:stems", FOLDER)
language_of = usercode.load("hr.words:language_of", FOLDER)
NAMES = usercode.load("hr.jurisdictions:NAMES", FOLDER)
LIBRARY: Any = read_library()
SEARCH: Any = PolicySearch(LIBRARY)
DAY = date(2025, 7, 1)


def versions(day: date, document: str) -> set[int]:
    return {each.version for each in LIBRARY.in_force(day) if each.document == document}


@pytest.mark.parametrize(
    ("day", "version"),
    [
        (date(2021, 12, 31), set[int]()),
        (date(2022, 1, 1), {3}),
        (date(2024, 12, 31), {3}),
        (date(2025, 1, 1), {4}),
        (date(2025, 12, 31), {4}),
        (date(2026, 1, 1), {5}),
    ],
)
def test_the_newest_version_that_has_taken_effect_holds(day: date, version: set[int]) -> None:
    assert versions(day, "annual-leave") == version


def test_a_translation_of_an_older_version_does_not_stand_beside_a_newer_text() -> None:
    after = [s for s in LIBRARY.in_force(date(2026, 1, 1)) if s.document == "annual-leave"]
    assert {each.language for each in after} == {"en"}


def test_translations_are_of_the_same_version_and_of_topics_that_exist() -> None:
    sections = [s for document in LIBRARY.documents for s in document.sections]
    english = {
        (s.document, s.topic, s.jurisdiction, s.version) for s in sections if s.language == "en"
    }
    translated = [s for s in sections if s.language != "en"]
    assert len(translated) > 10
    for each in translated:
        assert (each.document, each.topic, each.jurisdiction, each.version) in english


def test_every_section_says_something_for_a_known_place() -> None:
    for document in LIBRARY.documents:
        for section in document.sections:
            assert section.text
            assert section.asked_as, f"{section.document}: {section.section}"
            assert "<!--" not in section.text
            assert section.jurisdiction in {None, *NAMES}


def test_the_stale_policy_is_the_only_one_of_california_that_is_older_than_the_law() -> None:
    stale = [s for s in LIBRARY.in_force(DAY) if s.document == "sick-leave-us-ca"]
    assert {each.jurisdiction for each in stale} == {"US-CA"}
    assert all(each.effective < "2024-01-01" for each in stale)
    assert "24 hours or 3 days" in stale[0].text


@pytest.mark.parametrize(
    ("written", "what"),
    [
        ("no front matter", "has no front matter"),
        ("---\nid: x\n---\n## A\ntext\n", "lacks effective, language, title, version"),
        (
            "---\nid: x\ntitle: X\nversion: 1\neffective: 2025-01-01\nlanguage: en\n---\nnone\n",
            "has no sections",
        ),
    ],
)
def test_a_document_that_cannot_be_read_is_named(written: str, what: str, tmp_path: Path) -> None:
    (tmp_path / "broken.md").write_text(written, encoding="utf-8")
    with pytest.raises(PolicyInvalid, match=f"broken.md {what}"):
        read_library(tmp_path)


def found(question: str, place: str | None, language: str = "en") -> list[dict[str, Any]]:
    query = SEARCH.query(question, language)
    return SEARCH.search(query, place, language, DAY.isoformat())


@pytest.mark.parametrize(
    ("question", "place", "language", "document", "topic"),
    [
        ("How many days of annual leave a year?", "DE", "en", "annual-leave", "Entitlement"),
        ("Does unused holiday lapse?", "UK", "en", "annual-leave", "Carrying leave over"),
        ("Wann verfällt mein Resturlaub?", "DE", "de", "annual-leave", "Carrying leave over"),
        ("Berapa lama cuti melahirkan?", "ID", "id", "family-leave", "Maternity"),
        ("How many paid sick days?", "US-CA", "en", "sick-leave-us-ca", "Sick pay"),
        ("How long do I get sick pay when ill?", "UK", "en", "sickness", "Sick pay"),
        ("notice period if I resign", "ID", "en", "notice-periods", "If you resign"),
        ("Kapan THR dibayar?", "ID", "id", "religious-holiday-allowance", "Allowance"),
        ("When is the THR paid?", "ID", "en", "religious-holiday-allowance", "Allowance"),
    ],
)
def test_the_section_that_answers_comes_first(
    question: str, place: str, language: str, document: str, topic: str
) -> None:
    first = found(question, place, language)[0]
    assert (first["document"], first["topic"]) == (document, topic)


def test_only_what_holds_there_and_in_that_language_is_found() -> None:
    for place in NAMES:
        passages = found("annual leave sick pay notice period resign", place)
        assert passages
        assert {each["jurisdiction"] for each in passages} <= {None, place}
        assert {each["language"] for each in passages} == {"en"}


def test_scores_fall_and_what_is_far_behind_is_left_out() -> None:
    passages = found("notice period resign", "DE")
    scores = [each["score"] for each in passages]
    assert scores == sorted(scores, reverse=True)
    assert all(score >= 0.75 * scores[0] for score in scores)


def test_what_no_policy_speaks_of_is_not_found() -> None:
    assert found("Where is the coffee machine?", "UK") == []
    assert found("", "UK") == []


def test_the_search_is_given_words_of_the_policies_only() -> None:
    question = "Derek Stone was diagnosed with F32.1, who sees his certificate AU-58213?"
    query = SEARCH.query(question, "en")
    assert "certificat" in query.split()
    assert not {"derek", "ston", "stone"} & set(query.split())
    assert not any(character.isdigit() for character in query)


def test_words_are_cut_to_what_their_forms_share() -> None:
    assert stems("resigned resigning resigns", "en") == ["resign"] * 3
    assert stems("What is the policy on policies?", "en") == ["polic", "polic"]
    assert stems("Kündigung kündigen", "de") == ["kündig"] * 2
    assert stems("cutinya", "id") == ["cuti"]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("How many days do I have?", "en"),
        ("Wie viele Tage habe ich noch?", "de"),
        ("Berapa hari cuti yang saya dapat?", "id"),
        ("THR?", "en"),
        ("", "en"),
    ],
)
def test_the_language_is_that_of_the_commonest_words(text: str, language: str) -> None:
    assert language_of(text) == language
