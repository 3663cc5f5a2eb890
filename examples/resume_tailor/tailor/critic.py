"""What is wrong with a tailored résumé: invented, copied, badly put, or unreadable to a machine.

One function a kind; each returns what it found, and nothing where all is well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from tailor.numerals import strange_numbers
from tailor.posting import Analysis
from tailor.resume import MasterResume, TailoredResume
from tailor.style import banned_in
from tailor.terms import names_term, terms_in

Kind: TypeAlias = Literal["grounding", "plagiarism", "style", "ats"]

COPIED_WORDS = 7
SUMMARY_WORDS = (10, 80)
BULLET_WORDS = (3, 40)
MOST_WORDS = 900
LEAST_COVERAGE = 0.5


@dataclass(frozen=True, slots=True)
class Violation:
    """One fault: its kind, where it is, what it is, and the words that show it."""

    kind: Kind
    where: str
    message: str
    evidence: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """What the critic found; a résumé without a violation may be sent."""

    violations: tuple[Violation, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether nothing was found."""
        return not self.violations

    def text(self) -> str:
        """Return a line for each violation."""
        return "\n".join(f"{v.kind}: {v.where}: {v.message}" for v in self.violations)


def critique(
    tailored: TailoredResume, master: MasterResume, analysis: Analysis, jd_text: str
) -> Report:
    """Return everything that is wrong with a tailored résumé."""
    return Report(
        (
            *grounding(tailored, master),
            *plagiarism(tailored, master, jd_text),
            *style(tailored),
            *ats(tailored, master, analysis),
        )
    )


def grounding(tailored: TailoredResume, master: MasterResume) -> Iterator[Violation]:
    """Find what the master does not say: numbers, employers, titles, dates, skills, sources."""
    known = master.text()
    jobs = {(job.title, job.company, job.dates) for job in master.experience}
    for j, job in enumerate(tailored.experience):
        if (job.title, job.company, job.dates) not in jobs:
            said = ", ".join(filter(None, (job.title, job.company, job.dates)))
            yield Violation(
                "grounding", f"experience[{j}]", f"the master has no such position: {said}", said
            )
    skills = {skill.casefold() for skill in master.skill_names()}
    for s, skill in enumerate(tailored.skills):
        if skill.casefold() not in skills:
            message = f"the master has no such skill: {skill}"
            yield Violation("grounding", f"skills[{s}]", message, skill)
    sources = master.sources()
    for j, job in enumerate(tailored.experience):
        for b, bullet in enumerate(job.bullets):
            if bullet.source not in sources:
                where = f"experience[{j}].bullets[{b}]"
                message = f"its source does not exist: {bullet.source or 'none is named'}"
                yield Violation("grounding", where, message, bullet.source)
    for where, text in tailored.passages():
        for invented in invented_in(text, known):
            message = f"the master does not know {invented}"
            yield Violation("grounding", where, message, invented)


def invented_in(text: str, known: str) -> tuple[str, ...]:
    """Return the numbers and technical terms of a text that what is known does not have."""
    terms = (term for term in terms_in(text) if not names_term(known, term))
    return (*strange_numbers(text, known), *terms)


def plagiarism(tailored: TailoredResume, master: MasterResume, jd_text: str) -> Iterator[Violation]:
    """Find runs of words copied from the posting that the master does not have itself."""
    foreign = _runs(_words(jd_text)) - _runs(_words(master.text()))
    for where, text in tailored.passages():
        words = _words(text)
        copied = next((run for run in _in_order(words) if run in foreign), None)
        if copied is not None:
            said = " ".join(copied)
            yield Violation("plagiarism", where, f"copied from the posting: {said}", said)


def style(tailored: TailoredResume) -> Iterator[Violation]:
    """Find banned words."""
    for where, text in tailored.passages():
        for word in banned_in(text):
            yield Violation("style", where, f"a banned word: {word}", word)


def ats(tailored: TailoredResume, master: MasterResume, analysis: Analysis) -> Iterator[Violation]:
    """Find what an applicant tracking system stumbles over: keywords left out, odd lengths."""
    text, known = tailored.text(), master.text()
    able = [term for term in analysis.keywords if names_term(known, term)]
    missing = [term for term in able if not names_term(text, term)]
    if able and 1 - len(missing) / len(able) < LEAST_COVERAGE:
        said = ", ".join(missing)
        yield Violation("ats", "text", f"keywords that the master has are left out: {said}", said)
    for where, passage in tailored.passages():
        low, high = SUMMARY_WORDS if where == "summary" else BULLET_WORDS
        count = len(passage.split())
        if not low <= count <= high:
            message = f"{count} words, should be {low} to {high}"
            yield Violation("ats", where, message, passage[:80])
    if len(text.split()) > MOST_WORDS:
        yield Violation("ats", "text", f"{len(text.split())} words, at most {MOST_WORDS} are read")


def _words(text: str) -> list[str]:
    return re.findall(r"[\w+#.%-]*\w[\w+#%]*", text.casefold())


def _in_order(words: list[str]) -> Iterator[tuple[str, ...]]:
    for start in range(len(words) - COPIED_WORDS + 1):
        yield tuple(words[start : start + COPIED_WORDS])


def _runs(words: list[str]) -> set[tuple[str, ...]]:
    return set(_in_order(words))
