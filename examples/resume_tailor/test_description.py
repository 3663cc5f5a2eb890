"""What postings ask for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from probare.grading import usercode

FOLDER = Path(__file__).parent
analyse = usercode.load("tailor.description:analyse", FOLDER)
Posting = usercode.load("tailor.posting:Posting", FOLDER)
terms_in = usercode.load("tailor.terms:terms_in", FOLDER)


def analysed(text: str, title: str = "") -> Any:
    return analyse(Posting(text=text, title=title))


@pytest.mark.parametrize(
    ("title", "role", "seniority"),
    [
        ("Senior Platform Engineer (m/f/d)", "Platform Engineer", "senior"),
        ("Sr. Data Scientist - Berlin", "Data Scientist", "senior"),
        ("Staff Software Engineer, Payments", "Software Engineer", "staff"),
        ("Principal Engineer at Acme", "Engineer", "principal"),
        ("Lead Developer [remote]", "Developer", "lead"),
        ("Junior Analyst | Paris", "Analyst", "junior"),
        ("Software Engineering Intern", "Software Engineering", "intern"),
        ("Internal Tools Engineer", "Internal Tools Engineer", "unspecified"),
        ("Engineer", "Engineer", "unspecified"),
        ("", "", "unspecified"),
    ],
)
def test_titles(title: str, role: str, seniority: str) -> None:
    found = analysed("", title)
    assert (found.role, found.seniority) == (role, seniority)


@pytest.mark.parametrize(
    ("must", "seniority"),
    [
        ("5+ years of Go", "senior"),
        ("3-5 years of Go", "mid"),
        ("0 to 1 year of Go", "junior"),
        ("Go", "unspecified"),
    ],
)
def test_years_tell_the_level_where_the_title_does_not(must: str, seniority: str) -> None:
    assert analysed(f"Requirements\n- {must}", "Engineer").seniority == seniority
    assert analysed(f"Requirements\n- {must}", "Junior Engineer").seniority == "junior"


def test_a_title_is_found_in_the_text() -> None:
    assert (
        analysed("Acme grows. We are looking for a Senior Data Engineer!").role == "Data Engineer"
    )
    assert analysed("# Data Engineer\n\nWe load data.").role == "Data Engineer"


@pytest.mark.parametrize("mark", ["-", "*", "•"])
@pytest.mark.parametrize("heading", ["Requirements", "**What you’ll need:**", "## Must-haves"])
def test_must_haves_under_many_headings(heading: str, mark: str) -> None:
    found = analysed(f"{heading}\nIn short:\n{mark} Go\n{mark} SQL\nBenefits\n{mark} Java tea")
    assert found.must_haves == ("Go", "SQL")
    assert found.keywords == ("Go", "SQL")


def test_sections_are_kept_apart() -> None:
    found = analysed(
        "Your tasks\nRun Kafka\nPreferred qualifications\n- Rust\nWhat we are looking for\n- Python"
    )
    assert found.responsibilities == ("Run Kafka",)
    assert (found.nice_to_haves, found.must_haves) == (("Rust",), ("Python",))
    assert found.keywords == ("Python", "Kafka", "Rust")


def test_a_sentence_is_no_heading() -> None:
    found = analysed("Your role is what you make of it.\n- Not a task")
    assert found.responsibilities == ()


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("We go to market", ()),
        ("Go, not golang", ("Go",)),
        ("C++ and C#; Node.js.", ("C++", "C#", "Node.js")),
        ("k8s, Postgres and PYTHON", ("Kubernetes", "PostgreSQL", "Python")),
        ("JavaScript is not Java", ("JavaScript", "Java")),
        ("a spark of rust", ()),
        ("pre-Python", ()),
    ],
)
def test_terms_are_whole_names(text: str, terms: tuple[str, ...]) -> None:
    assert terms_in(text) == terms


def test_an_empty_posting_asks_for_nothing() -> None:
    found = analysed("")
    assert (found.must_haves, found.keywords, found.role) == ((), (), "")
