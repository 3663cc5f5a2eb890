"""The whole tailor: its steps in order, each seen, and what it does with the critic's word."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from probare.grading import usercode
from probare.testing import Recorder

FOLDER = Path(__file__).parent
tailor = usercode.load("tailor.pipeline:tailor", FOLDER)
Tools = usercode.load("tailor.pipeline:Tools", FOLDER)
NoPosting = usercode.load("tailor.pipeline:NoPosting", FOLDER)
Bullet = usercode.load("tailor.resume:Bullet", FOLDER)
write = usercode.load("tailor.writer:write", FOLDER)
summary = usercode.load("tailor.writer:summary", FOLDER)
Fetcher = usercode.load("tailor.fetcher:Fetcher", FOLDER)
PostingGone = usercode.load("tailor.fetcher:PostingGone", FOLDER)
careers_site = usercode.load("careers_site:careers_site", FOLDER)

TEX = (FOLDER / "fixtures" / "sample.tex").read_text(encoding="utf-8")
STEPS = ["parse_resume", "fetch_posting", "analyse_posting", "write_resume", "critique_resume"]


def tailored(
    write_resume: Any = write,
    request: str = "{}postings/platform_engineer.html",
    tex: str = TEX,
) -> tuple[Any, Recorder]:
    recorder = Recorder()
    with careers_site() as site:
        tools = Tools(fetch_posting=Fetcher(first_wait=0.001).fetch, write_resume=write_resume)
        made = tailor(request.format(*[site.url] * 2), tex, tools.wrapped(recorder.tool))
    return made, recorder


def test_each_step_is_observed_once_in_order_with_what_it_was_passed() -> None:
    made, recorder = tailored()
    assert made.report.passed
    assert recorder.calls == STEPS
    assert {call.source for call in recorder.of("tool_call")} == {"observed"}
    assert recorder.of("tool_call")[0].arguments == {"tex": TEX}
    assert recorder.of("tool_call")[1].arguments["url"].endswith("/postings/platform_engineer.html")
    results = recorder.of("tool_result")
    assert results[2].result["role"] == "Platform Engineer"
    assert results[3].result["summary"] == made.resume.summary


def test_what_the_critic_objects_to_is_put_right_once() -> None:
    def careless(master: Any, analysis: Any) -> Any:
        good = write(master, analysis)
        first, *others = good.experience
        own = first.bullets[0].source
        bullets = (Bullet("Saved 99% of all costs", own), Bullet("Led a choir", "nowhere"))
        return replace(
            good,
            summary="Rockstar.",
            skills=("Rust", *good.skills),
            experience=(replace(first, bullets=bullets), *others, replace(first, company="Acme")),
        )

    made, recorder = tailored(careless)
    assert made.report.passed
    assert recorder.calls == [*STEPS, "critique_resume"]
    assert recorder.of("tool_call")[4].arguments != recorder.of("tool_call")[5].arguments
    assert made.resume.summary == summary(made.master, made.analysis)
    [bullet] = made.resume.experience[0].bullets
    assert bullet.text == "Used Terraform to describe 12 AWS accounts as code"
    assert "Rust" not in made.resume.skills
    assert [job.company for job in made.resume.experience] == [
        "Nordlicht Systems",
        "Café Data GmbH",
    ]


def test_what_cannot_be_put_right_stands_in_the_report() -> None:
    made, recorder = tailored(tex="Ada\\section{Experience}Engineer \\hfill 2020\\\\ Acme")
    [violation] = made.report.violations
    assert (violation.kind, violation.where) == ("ats", "summary")
    assert made.resume.summary == "Engineer at Acme."
    assert recorder.calls == STEPS


def test_an_address_that_is_gone_is_passed_over_while_there_are_others() -> None:
    made, recorder = tailored(request="me: {}people/nobody.html, job: {}jobs?id=senior_ml")
    assert made.posting.title == "Senior Machine Learning Engineer"
    assert recorder.calls.count("fetch_posting") == 2
    with pytest.raises(PostingGone):
        tailored(request="{}jobs?id=none {}jobs?id=neither")


def test_a_request_without_an_address_is_refused_before_anything_is_done() -> None:
    with pytest.raises(NoPosting, match="no web address"):
        tailored(request="please tailor my résumé")
