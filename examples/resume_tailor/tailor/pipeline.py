"""The tailor, end to end: from a request that names a posting to a résumé for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from tailor import critic, description, parser, writer
from tailor.critic import Report
from tailor.fetcher import Fetched, Fetcher, PostingGone, find_urls
from tailor.posting import Analysis, Posting
from tailor.resume import Bullet, MasterResume, TailoredJob, TailoredResume
from tailor.style import plain


class NoPosting(ValueError):
    """The request names no posting."""


@dataclass(frozen=True)
class Tools:
    """The steps, each a callable that can be exchanged, or wrapped to see what it is passed."""

    parse_resume: Callable[[str], MasterResume] = parser.parse_resume
    fetch_posting: Callable[[str], Fetched] = Fetcher().fetch
    analyse_posting: Callable[[Posting], Analysis] = description.analyse
    write_resume: Callable[[MasterResume, Analysis], TailoredResume] = writer.write
    critique_resume: Callable[[TailoredResume, MasterResume, Analysis, str], Report] = (
        critic.critique
    )

    def wrapped(self, wrap: Callable[[Callable[..., Any], str], Callable[..., Any]]) -> Tools:
        """Return the same tools, each wrapped by `wrap(tool, name)`."""
        return Tools(**{f.name: wrap(getattr(self, f.name), f.name) for f in fields(self)})


@dataclass(frozen=True, slots=True)
class Tailored:
    """What the tailor made, and everything that it made it from."""

    resume: TailoredResume
    report: Report
    master: MasterResume
    posting: Posting
    analysis: Analysis


def tailor(request: str, tex: str, tools: Tools) -> Tailored:
    """Return a résumé for the posting whose address stands in the request; of several addresses
    it is the first that is not gone.

    What the critic objects to is put into the master's own words, or left out, once; what it
    still objects to then stands in the report. Raises NoPosting where the request has no
    address, and what the tools raise: ResumeError, FetchError, the writer's failures.
    """
    urls = find_urls(request)
    if not urls:
        raise NoPosting("the request names no posting: there is no web address in it")
    master = tools.parse_resume(tex)
    posting = _first_that_is_there(urls, tools)
    analysis = tools.analyse_posting(posting)
    resume = tools.write_resume(master, analysis)
    report = tools.critique_resume(resume, master, analysis, posting.text)
    if not report.passed:
        revised = revise(resume, report, master, analysis)
        if revised != resume:
            resume = revised
            report = tools.critique_resume(resume, master, analysis, posting.text)
    return Tailored(resume, report, master, posting, analysis)


def _first_that_is_there(urls: Sequence[str], tools: Tools) -> Posting:
    *others, last = urls
    for url in others:
        try:
            return tools.fetch_posting(url).posting
        except PostingGone:
            continue
    return tools.fetch_posting(last).posting


def revise(
    resume: TailoredResume, report: Report, master: MasterResume, analysis: Analysis
) -> TailoredResume:
    """Return the résumé without what the critic objects to.

    A bullet becomes what its source says, and is left out where it was that already or has no
    source; a summary becomes the deterministic one; positions and skills that the master lacks
    are left out.
    """
    wrong = {violation.where for violation in report.violations}
    sources = master.sources()

    def bullets(j: int, job: TailoredJob) -> tuple[Bullet, ...]:
        kept: list[Bullet] = []
        for b, bullet in enumerate(job.bullets):
            if f"experience[{j}].bullets[{b}]" not in wrong:
                kept.append(bullet)
                continue
            own = plain(sources.get(bullet.source, ""))
            if own not in ("", bullet.text):
                kept.append(Bullet(own, bullet.source))
        return tuple(kept)

    return replace(
        resume,
        summary=writer.summary(master, analysis) if "summary" in wrong else resume.summary,
        skills=tuple(s for n, s in enumerate(resume.skills) if f"skills[{n}]" not in wrong),
        experience=tuple(
            replace(job, bullets=bullets(j, job))
            for j, job in enumerate(resume.experience)
            if f"experience[{j}]" not in wrong
        ),
    )
