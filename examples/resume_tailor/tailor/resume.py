"""What a master résumé and a tailored one hold. All of it is immutable, so it can be shared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Contact:
    """Who it is. What the résumé does not say is an empty text."""

    name: str = ""
    email: str = ""
    phone: str = ""
    location: str = ""
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Job:
    """One position, with what was done there."""

    title: str = ""
    company: str = ""
    location: str = ""
    dates: str = ""
    bullets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Degree:
    """One degree, or a school that was left without."""

    degree: str = ""
    school: str = ""
    location: str = ""
    dates: str = ""
    details: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SkillGroup:
    """Skills under the category that the résumé gives them, which may be empty."""

    category: str
    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Award:
    """An award and when it was given, where that is said."""

    title: str
    date: str = ""


@dataclass(frozen=True, slots=True)
class OtherSection:
    """A section that has no type of its own, kept as its lines so that nothing is lost."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MasterResume:
    """Everything that may be said of a person. A section that is missing is empty."""

    contact: Contact = Contact()
    summary: str = ""
    experience: tuple[Job, ...] = ()
    education: tuple[Degree, ...] = ()
    skills: tuple[SkillGroup, ...] = ()
    awards: tuple[Award, ...] = ()
    other: tuple[OtherSection, ...] = ()

    def skill_names(self) -> tuple[str, ...]:
        """Return the skills of all categories, in order."""
        return tuple(item for group in self.skills for item in group.items)

    def sources(self) -> dict[str, str]:
        """Return every bullet by its address, such as `experience[0].bullets[2]`."""
        return {
            f"experience[{j}].bullets[{b}]": bullet
            for j, job in enumerate(self.experience)
            for b, bullet in enumerate(job.bullets)
        }

    def text(self) -> str:
        """Return all of it as plain text, one thing a line."""
        return "\n".join(line for line in self._lines() if line.strip(" |,"))

    def _lines(self) -> Iterator[str]:
        who = self.contact
        yield who.name
        yield " | ".join(part for part in (who.email, who.phone, who.location, *who.links) if part)
        yield self.summary
        for job in self.experience:
            yield _joined(job.title, job.company, job.location, job.dates)
            yield from (f"- {bullet}" for bullet in job.bullets)
        for degree in self.education:
            yield _joined(degree.degree, degree.school, degree.location, degree.dates)
            yield from (f"- {detail}" for detail in degree.details)
        for group in self.skills:
            yield f"{group.category}: {', '.join(group.items)}".removeprefix(": ")
        for award in self.awards:
            yield _joined(award.title, award.date)
        for section in self.other:
            yield section.title
            yield from section.lines


@dataclass(frozen=True, slots=True)
class Bullet:
    """A line of a tailored résumé and the address of the master's line that it says."""

    text: str
    source: str


@dataclass(frozen=True, slots=True)
class TailoredJob:
    """A position in a tailored résumé: the master's facts, some of its bullets."""

    title: str
    company: str
    dates: str
    bullets: tuple[Bullet, ...] = ()


@dataclass(frozen=True, slots=True)
class TailoredResume:
    """A résumé written for one posting."""

    name: str
    email: str
    summary: str
    skills: tuple[str, ...] = ()
    experience: tuple[TailoredJob, ...] = ()
    education: tuple[str, ...] = ()

    def passages(self) -> Iterator[tuple[str, str]]:
        """Yield the sentences that were written, each with its address in this résumé."""
        yield "summary", self.summary
        for j, job in enumerate(self.experience):
            for b, bullet in enumerate(job.bullets):
                yield f"experience[{j}].bullets[{b}]", bullet.text

    def text(self) -> str:
        """Return it as plain text, as an applicant tracking system would read it."""
        lines = [self.name, self.email, "", self.summary]
        if self.skills:
            lines += ["", f"Skills: {', '.join(self.skills)}"]
        for job in self.experience:
            lines += ["", _joined(job.title, job.company, job.dates)]
            lines += [f"- {bullet.text}" for bullet in job.bullets]
        if self.education:
            lines += ["", *self.education]
        return "\n".join(lines).strip()


def _joined(*parts: str) -> str:
    return ", ".join(part for part in parts if part)
