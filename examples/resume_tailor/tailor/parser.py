"""From a LaTeX résumé to a `MasterResume`.

Two shapes are understood: templates with `\\resumeSubheading{…}{…}{…}{…}`, and plain LaTeX with
`\\hfill` and `\\\\`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tailor import latex
from tailor.contact import contact_of
from tailor.entries import DEGREE, TITLE, entries, is_date, without_date
from tailor.latex import LatexError, Line
from tailor.resume import Award, Degree, Job, MasterResume, OtherSection, SkillGroup

_SECTIONS = {
    "experience": re.compile(r"experience|employment|work history", re.IGNORECASE),
    "education": re.compile(r"education|studies", re.IGNORECASE),
    "skills": re.compile(r"skills|technologies|competenc", re.IGNORECASE),
    "awards": re.compile(r"\b(?:awards?|honou?rs?|prizes|scholarships)\b", re.IGNORECASE),
    "summary": re.compile(r"summary|profile|about me|objective", re.IGNORECASE),
}
_BETWEEN_SKILLS = re.compile(r"[,;](?![^(]*\))")


class ResumeError(ValueError):
    """The source cannot be read as a résumé; the message says why and where."""


def parse_resume(tex: str) -> MasterResume:
    """Return what a LaTeX résumé says; a section that is missing is empty.

    Raises ResumeError where the source is empty or not well-formed LaTeX.
    """
    try:
        lines = latex.read(tex)
    except LatexError as error:
        raise ResumeError(str(error)) from None
    if not lines:
        raise ResumeError("the résumé is empty")
    header, sections = _split(lines)
    found: dict[str, list[Line]] = {name: [] for name in _SECTIONS}
    other: list[OtherSection] = []
    for title, body in sections:
        name = _section_name(title)
        if name is None:
            other.append(OtherSection(title, tuple(line.text for line in body)))
        else:
            found[name] += body
    return MasterResume(
        contact=contact_of(header),
        summary=" ".join(line.text for line in found["summary"]),
        experience=tuple(_jobs(found["experience"])),
        education=tuple(_degrees(found["education"])),
        skills=tuple(_skills(found["skills"])),
        awards=tuple(map(_award, found["awards"])),
        other=tuple(other),
    )


def _split(lines: Iterable[Line]) -> tuple[list[Line], list[tuple[str, list[Line]]]]:
    header: list[Line] = []
    sections: list[tuple[str, list[Line]]] = []
    for line in lines:
        if line.kind == "section":
            sections.append((line.text, []))
        elif sections:
            sections[-1][1].append(line)
        else:
            header.append(line)
    return header, sections


def _section_name(title: str) -> str | None:
    return next((name for name, words in _SECTIONS.items() if words.search(title)), None)


def _jobs(lines: Iterable[Line]) -> Iterator[Job]:
    for entry in entries(lines, TITLE):
        yield Job(entry.role, entry.place, entry.location, entry.dates, entry.details)


def _degrees(lines: Iterable[Line]) -> Iterator[Degree]:
    for entry in entries(lines, DEGREE):
        yield Degree(entry.role, entry.place, entry.location, entry.dates, entry.details)


def _skills(lines: Iterable[Line]) -> Iterator[SkillGroup]:
    """Yield the skills of each row, `Category: one, two (with, commas)`."""
    for line in lines:
        for row in line.columns:
            category, colon, listed = row.partition(":")
            if not colon:
                category, listed = "", row
            items = (item.strip(" .") for item in _BETWEEN_SKILLS.split(listed))
            yield SkillGroup(category.strip(), tuple(item for item in items if item))


def _award(line: Line) -> Award:
    *titles, last = line.columns
    if titles and is_date(last):
        return Award(", ".join(titles), last)
    return Award(*without_date(line.text))
