"""Broken tailors, one fault of one line each: what the suite must catch.

A fault stands in the place of one step, named first; the others stay as they are. The target's
`config` names it: `{defect: writer_invents_a_number}`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from agent import Given, ResumeTailor
from tailor.critic import Report
from tailor.fetcher import Fetched, PostingGone
from tailor.pipeline import Tailored, Tools
from tailor.posting import Posting
from tailor.resume import Bullet, TailoredResume

Fault: TypeAlias = Callable[..., Any]


def _parser_loses_awards(parse: Fault, tex: str) -> Any:
    """A section is forgotten."""
    return replace(parse(tex), awards=())


def _parser_keeps_first_job(parse: Fault, tex: str) -> Any:
    """The second heading does not begin another position."""
    return replace(parse(tex), experience=parse(tex).experience[:1])


def _fetcher_gone_is_empty(fetch: Fault, url: str) -> Any:
    """A posting that is gone counts as one that says nothing."""
    try:
        return fetch(url)
    except PostingGone:
        return Fetched(Posting(text=""), "miss")


def _fetcher_loses_the_query(fetch: Fault, url: str) -> Any:
    """What stands after the question mark is taken for tracking."""
    return fetch(url.partition("?")[0])


def _description_wishes_are_musts(analyse: Fault, posting: Posting) -> Any:
    """What is nice to have is asked for as if it were a must."""
    found = analyse(posting)
    return replace(found, must_haves=found.must_haves + found.nice_to_haves)


def _description_all_are_senior(analyse: Fault, posting: Posting) -> Any:
    """The level is a guess."""
    return replace(analyse(posting), seniority="senior")


def _with_first_bullet(resume: TailoredResume, text: str) -> TailoredResume:
    first, *others = resume.experience
    bullets = (Bullet(text, first.bullets[0].source), *first.bullets[1:])
    return replace(resume, experience=(replace(first, bullets=bullets), *others))


def _writer_invents_a_number(write: Fault, master: Any, analysis: Any) -> Any:
    """A bullet sounds better with a figure."""
    resume = write(master, analysis)
    return _with_first_bullet(resume, f"{resume.experience[0].bullets[0].text}, a gain of 87%")


def _writer_copies_the_posting(write: Fault, master: Any, analysis: Any) -> Any:
    """The posting's own sentence is given back to it."""
    return _with_first_bullet(write(master, analysis), max(analysis.responsibilities, key=len))


def _critic_trusts_every_claim(critique: Fault, *seen: Any) -> Any:
    """Whether the master says so is not looked at."""
    found = critique(*seen).violations
    return Report(tuple(violation for violation in found if violation.kind != "grounding"))


def _tailor_credits_other_lines(tailored: Fault, request: str, tex: str, tools: Tools) -> Any:
    """The bullets are counted from 1 where their sources are written."""
    made: Tailored = tailored(request, tex, tools)
    jobs = tuple(
        replace(
            job,
            bullets=tuple(
                Bullet(bullet.text, f"experience[{j}].bullets[{b + 1}]")
                for b, bullet in enumerate(job.bullets)
            ),
        )
        for j, job in enumerate(made.resume.experience)
    )
    return replace(made, resume=replace(made.resume, experience=jobs))


def _tailor_asks_the_critic_twice(tailored: Fault, request: str, tex: str, tools: Tools) -> Any:
    """What passed is looked at again, though nothing has changed."""
    made: Tailored = tailored(request, tex, tools)
    tools.critique_resume(made.resume, made.master, made.analysis, made.posting.text)
    return made


STEPS = {
    "parser": "parse_resume",
    "fetcher": "fetch_posting",
    "description": "analyse_posting",
    "writer": "write_resume",
    "critic": "critique_resume",
}
FAULTS: dict[str, Fault] = {
    "parser_loses_awards": _parser_loses_awards,
    "parser_keeps_first_job": _parser_keeps_first_job,
    "fetcher_gone_is_empty": _fetcher_gone_is_empty,
    "fetcher_loses_the_query": _fetcher_loses_the_query,
    "description_wishes_are_musts": _description_wishes_are_musts,
    "description_all_are_senior": _description_all_are_senior,
    "writer_invents_a_number": _writer_invents_a_number,
    "writer_copies_the_posting": _writer_copies_the_posting,
    "critic_trusts_every_claim": _critic_trusts_every_claim,
    "tailor_credits_other_lines": _tailor_credits_other_lines,
    "tailor_asks_the_critic_twice": _tailor_asks_the_critic_twice,
}


class DefectiveTailor(ResumeTailor):
    """The résumé tailor with the fault that `config` names."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        defect = config.get("defect")
        if defect not in FAULTS:
            raise ValueError(f"unknown defect {defect!r} (known: {', '.join(FAULTS)})")
        super().__init__()
        self._fault = FAULTS[defect]
        self._step = STEPS.get(defect.partition("_")[0])

    def steps(self, given: Given, recorder: Any, model: str | None, cache: Path) -> Tools:
        """Return the steps, the broken one among them."""
        steps = super().steps(given, recorder, model, cache)
        if self._step is None:
            return steps
        whole, fault = getattr(steps, self._step), self._fault

        def broken(*args: Any) -> Any:
            return fault(whole, *args)

        return replace(steps, **{self._step: broken})

    def tailored(self, request: str, tex: str, tools: Tools) -> Tailored:
        """Run the whole tailor, which may be what is broken."""
        if self._step is not None:
            return super().tailored(request, tex, tools)
        return self._fault(super().tailored, request, tex, tools)
