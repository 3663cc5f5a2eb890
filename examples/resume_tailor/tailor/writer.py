"""The writer that needs no model: picks and orders what the master says, and says it plainly."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tailor.posting import Analysis
from tailor.resume import Bullet, Job, MasterResume, TailoredJob, TailoredResume
from tailor.style import plain
from tailor.terms import names_term

NAME = "deterministic writer"
MOST_BULLETS = 4
MOST_KEYWORDS = 5
_SMALL = frozenset({"and", "are", "for", "from", "into", "our", "that", "the", "with", "your"})


def write(master: MasterResume, analysis: Analysis) -> TailoredResume:
    """Return a résumé for the posting: the master's own bullets, the most fitting ones first.

    Every bullet says where in the master it is from. Nothing is added; words that the house
    does not use give way to plainer ones.
    """
    return TailoredResume(
        name=master.contact.name,
        email=master.contact.email,
        summary=summary(master, analysis),
        skills=_skills(master, analysis),
        experience=tuple(_job(job, j, analysis) for j, job in enumerate(master.experience)),
        education=tuple(
            ", ".join(filter(None, (d.degree, d.school, d.dates))) for d in master.education
        ),
    )


def summary(master: MasterResume, analysis: Analysis) -> str:
    """Return two sentences: who the person is and where, and what of the posting they know."""
    sentences: list[str] = []
    if master.experience:
        latest, *earlier = master.experience
        sentences.append(f"{latest.title} at {latest.company}" if latest.company else latest.title)
        if earlier and earlier[0].company:
            before = f"{earlier[0].title} at {earlier[0].company}"
            sentences[0] += f", before that {before}"
    known = master.text()
    keywords = [term for term in analysis.keywords if names_term(known, term)]
    named = keywords[:MOST_KEYWORDS] or list(master.skill_names()[:MOST_KEYWORDS])
    if named:
        sentences.append(f"Brings hands-on experience with {_listed(named)}")
    return plain(" ".join(f"{sentence}." for sentence in sentences))


def _job(job: Job, index: int, analysis: Analysis) -> TailoredJob:
    ranked = sorted(
        range(len(job.bullets)), key=lambda b: (-relevance(job.bullets[b], analysis), b)
    )
    bullets = (
        Bullet(plain(job.bullets[b]), f"experience[{index}].bullets[{b}]")
        for b in ranked[:MOST_BULLETS]
    )
    return TailoredJob(job.title, job.company, job.dates, tuple(bullets))


def relevance(bullet: str, analysis: Analysis) -> int:
    """Return how well a bullet fits: keywords count more than other words they share, and those
    of the must-haves most.
    """
    musts = "\n".join(analysis.must_haves)
    shared = [term for term in analysis.keywords if names_term(bullet, term)]
    score = sum(6 if names_term(musts, term) else 3 for term in shared)
    wanted = _stems([*analysis.must_haves, *analysis.responsibilities])
    return score + len(_stems([bullet]) & wanted)


def _skills(master: MasterResume, analysis: Analysis) -> tuple[str, ...]:
    """Return all skills, those that the posting names first, in its order."""
    skills = list(dict.fromkeys(master.skill_names()))
    first = [s for term in analysis.keywords for s in skills if names_term(s, term)]
    return tuple(dict.fromkeys([*first, *skills]))


def _stems(texts: Iterable[str]) -> set[str]:
    words = (word for text in texts for word in re.findall(r"[^\W\d]{3,}", text.casefold()))
    return {re.sub(r"(?:ments?|ing|ed|es|s|e)$", "", word) for word in words if word not in _SMALL}


def _listed(items: list[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"
