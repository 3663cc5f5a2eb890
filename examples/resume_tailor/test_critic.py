"""The critic finds each kind of fault, and none in what is right."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from probare.grading import usercode

FOLDER = Path(__file__).parent
parse_resume = usercode.load("tailor.parser:parse_resume", FOLDER)
analyse = usercode.load("tailor.description:analyse", FOLDER)
posting_in = usercode.load("tailor.page:posting_in", FOLDER)
write = usercode.load("tailor.writer:write", FOLDER)
critique = usercode.load("tailor.critic:critique", FOLDER)
Bullet = usercode.load("tailor.resume:Bullet", FOLDER)
strange_numbers = usercode.load("tailor.numerals:strange_numbers", FOLDER)

FIXTURES = FOLDER / "fixtures"
MASTER = parse_resume((FIXTURES / "sample.tex").read_text(encoding="utf-8"))
POSTING = posting_in((FIXTURES / "postings/platform_engineer.html").read_text(encoding="utf-8"))
ANALYSIS = analyse(POSTING)
GOOD = write(MASTER, ANALYSIS)
SOURCE = "experience[0].bullets[1]"


def found(tailored: Any) -> list[tuple[str, str, str]]:
    report = critique(tailored, MASTER, ANALYSIS, POSTING.text)
    assert report.passed == (not report.violations)
    assert len(report.text().splitlines()) == len(report.violations)
    return [(v.kind, v.where, v.evidence) for v in report.violations]


def with_bullet(text: str, source: str = SOURCE) -> Any:
    first, *others = GOOD.experience
    changed = replace(first, bullets=(Bullet(text, source), *first.bullets[1:]))
    return replace(GOOD, experience=(changed, *others))


def with_job(**change: str) -> Any:
    first, *others = GOOD.experience
    return replace(GOOD, experience=(replace(first, **change), *others))


def test_what_the_writer_makes_is_right() -> None:
    assert found(GOOD) == []


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        ("Used Terraform to describe 13 AWS accounts", "13"),
        ("Used Terraform to describe 12% of AWS accounts", "12%"),
        ("Used Terraform to describe 12k AWS accounts", "12k"),
        ("Used Ansible to describe 12 AWS accounts", "Ansible"),
    ],
)
def test_inventions_in_a_line(text: str, evidence: str) -> None:
    assert found(with_bullet(text)) == [("grounding", "experience[0].bullets[0]", evidence)]


def test_the_same_number_in_other_clothes_is_grounded() -> None:
    assert found(with_bullet("Cut time by 40 percent over 1.2k deployments")) == []


@pytest.mark.parametrize(
    "change", [{"company": "Acme"}, {"title": "Director"}, {"dates": "2010 – Present"}]
)
def test_positions_that_never_were(change: dict[str, str]) -> None:
    [(kind, where, evidence)] = found(with_job(**change))
    assert (kind, where) == ("grounding", "experience[0]")
    assert next(iter(change.values())) in evidence


def test_skills_and_sources_that_are_not_there() -> None:
    skills = (*GOOD.skills, "COBOL")
    where = f"skills[{len(skills) - 1}]"
    assert found(replace(GOOD, skills=skills)) == [("grounding", where, "COBOL")]
    assert found(replace(GOOD, skills=("kubernetes", *GOOD.skills))) == []
    lost = with_bullet("Used Terraform to describe accounts", "experience[9].bullets[0]")
    assert found(lost) == [("grounding", "experience[0].bullets[0]", "experience[9].bullets[0]")]


def test_copies_of_the_posting() -> None:
    copied = "Run our Kubernetes platform for sixty product teams"
    [(kind, where, evidence)] = found(with_bullet(f"I would {copied.upper()}!"))
    assert (kind, where) == ("plagiarism", "experience[0].bullets[0]")
    assert evidence in copied.lower()
    assert found(with_bullet("Run our Kubernetes platform for many teams")) == []


def test_the_masters_own_words_are_no_copy() -> None:
    line = MASTER.sources()["experience[0].bullets[0]"]
    report = critique(GOOD, MASTER, ANALYSIS, f"Someone who {line}.")
    assert report.passed


def test_banned_words() -> None:
    bullet = "Spearheaded Terraform, a world-class tool"
    where = "experience[0].bullets[0]"
    assert found(with_bullet(bullet)) == [
        ("style", where, "Spearheaded"),
        ("style", where, "world-class"),
    ]


def test_lengths_and_keywords() -> None:
    [(kind, where, _)] = found(replace(GOOD, summary="Short."))
    assert (kind, where) == ("ats", "summary")
    [(kind, where, _)] = found(with_bullet("Terraform " * 41))
    assert (kind, where) == ("ats", "experience[0].bullets[0]")
    bare = replace(
        GOOD,
        summary="An engineer who has run large systems for many teams, and liked it.",
        skills=(),
        experience=(),
    )
    [(kind, where, evidence)] = found(bare)
    assert (kind, where) == ("ats", "text")
    assert "Terraform" in evidence
    assert "Rust" not in evidence


@pytest.mark.parametrize(
    ("text", "source", "strange"),
    [
        ("40 percent", "40%", ()),
        ("40", "40%", ("40",)),
        ("1.2k and 3 million", "1,200 and 3,000,000", ()),
        ("p99 and k8s", "", ()),
        ("2019–2020", "2019 to 2020", ()),
        ("3.5", "35", ("3.5",)),
        ("5m", "5,000,000", ()),
    ],
)
def test_numbers_by_their_worth(text: str, source: str, strange: tuple[str, ...]) -> None:
    assert strange_numbers(text, source) == strange
