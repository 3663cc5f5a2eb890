"""Both writers: the deterministic one, and the one with a model (a fake one on this machine)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from probare.errors import InfraError
from probare.grading import usercode
from probare.providers import Models
from probare.testing.model_server import Answering, Asked, Fail, Say, model_server

FOLDER = Path(__file__).parent
parse_resume = usercode.load("tailor.parser:parse_resume", FOLDER)
write = usercode.load("tailor.writer:write", FOLDER)
plain = usercode.load("tailor.style:plain", FOLDER)
banned_in = usercode.load("tailor.style:banned_in", FOLDER)
Analysis = usercode.load("tailor.posting:Analysis", FOLDER)
MasterResume = usercode.load("tailor.resume:MasterResume", FOLDER)
ModelWriter = usercode.load("tailor.model_writer:ModelWriter", FOLDER)
DraftRejected = usercode.load("tailor.model_writer:DraftRejected", FOLDER)
DraftModel = usercode.load("tailor.draft_model:DraftModel", FOLDER)
ModelStopped = usercode.load("tailor.draft_model:ModelStopped", FOLDER)
name_of = usercode.load("tailor.draft_model:name_of", FOLDER)

MASTER = parse_resume((FOLDER / "fixtures" / "sample.tex").read_text(encoding="utf-8"))
ANALYSIS = Analysis(
    role="Engineer",
    seniority="senior",
    must_haves=("Python", "PostgreSQL"),
    keywords=("Python", "PostgreSQL", "Rust"),
)
TERRAFORM = "experience[0].bullets[1]"


def test_the_fitting_lines_come_first_each_with_its_source() -> None:
    tailored = write(MASTER, ANALYSIS)
    sources = MASTER.sources()
    for job in tailored.experience:
        for bullet in job.bullets:
            assert bullet.text == plain(sources[bullet.source])
    second = [bullet.source for bullet in tailored.experience[1].bullets]
    assert second == [f"experience[1].bullets[{n}]" for n in (0, 2, 1)]
    assert tailored.skills[:2] == ("Python", "PostgreSQL")
    assert set(tailored.skills) == set(MASTER.skill_names())


def test_the_summary_names_what_both_sides_have() -> None:
    summary = write(MASTER, ANALYSIS).summary
    assert "Python and PostgreSQL" in summary
    assert "Rust" not in summary


def test_it_is_the_same_each_time_and_changes_nothing() -> None:
    assert write(MASTER, ANALYSIS) == write(MASTER, ANALYSIS)
    assert write(MASTER, ANALYSIS).experience[0].company == MASTER.experience[0].company


def test_an_empty_resume_stays_empty() -> None:
    tailored = write(MasterResume(), ANALYSIS)
    assert (tailored.summary, tailored.experience, tailored.text()) == ("", (), "")


@pytest.mark.parametrize(
    ("text", "plainer"),
    [
        ("Leveraged Go and utilizes C", "Used Go and uses C"),
        ("we SPEARHEADED it", "we Led it"),
        ("passionate ninja", "passionate ninja"),
        ("clever edges", "clever edges"),
    ],
)
def test_plainer_words(text: str, plainer: str) -> None:
    assert plain(text) == plainer


def test_banned_words_are_whole_words() -> None:
    assert banned_in("A world-class Ninja, not ninjas or other-world-class") == (
        "world-class",
        "Ninja",
    )


def draft(summary: str, *bullets: tuple[str, str], **usage: Any) -> Say:
    value = {"summary": summary, "bullets": [{"source": s, "text": t} for s, t in bullets]}
    return Say(json.dumps(value), usage=usage or None, model="fake-2")


def written(reply: Answering, **more: Any) -> tuple[Any, Asked]:
    with model_server(reply) as server, Models(server.environment) as models:
        model = DraftModel("openai:fake-1", models)
        tailored = ModelWriter(model, **more)(MASTER, ANALYSIS)
    [request] = server.requests
    return tailored, request


def test_a_grounded_draft_is_taken() -> None:
    replies: list[Any] = []
    summary = "Platform Engineer who keeps 60 services on Kubernetes, and writes Python and Go."
    usage = {"prompt_tokens": 9, "completion_tokens": 5, "total_tokens": 14}
    tailored, sent = written(
        draft(summary, (TERRAFORM, "Described 12 AWS accounts in Terraform"), **usage),
        on_reply=replies.append,
    )
    assert tailored.summary == summary
    [bullet] = tailored.experience[0].bullets
    assert (bullet.text, bullet.source) == ("Described 12 AWS accounts in Terraform", TERRAFORM)
    assert tailored.experience[1].bullets == ()
    [reply] = replies
    assert (reply.model, reply.usage.input_tokens, reply.structured) == ("fake-2", 9, True)
    assert sent.body["response_format"]["json_schema"]["strict"] is True
    assert "Leveraged Terraform" in sent.messages[1]["content"]


@pytest.mark.parametrize(
    "invented",
    ["Described 120 AWS accounts in Terraform", "Described 12 AWS accounts with Ansible", " "],
)
def test_what_its_source_does_not_say_gives_way_to_the_source(invented: str) -> None:
    replaced: list[str] = []
    tailored, _ = written(draft("", (TERRAFORM, invented)), on_replaced=replaced.append)
    assert tailored.experience[0].bullets[0].text == plain(MASTER.sources()[TERRAFORM])
    assert tailored.summary == write(MASTER, ANALYSIS).summary
    assert len(replaced) == 2


def test_lines_that_do_not_exist_are_left_out_and_doubles_too() -> None:
    tailored, _ = written(
        draft(
            "Ten years of Rust",
            (TERRAFORM, "Leveraged Terraform"),
            (TERRAFORM, "Terraform again"),
            ("experience[7].bullets[0]", "King of Spain"),
        )
    )
    [bullet] = tailored.experience[0].bullets
    assert bullet.text == "Used Terraform"
    assert "Rust" not in tailored.summary


@pytest.mark.parametrize(
    "answer",
    [
        "no JSON",
        "[]",
        "null",
        '{"summary": "x"}',
        '{"summary": 1, "bullets": []}',
        '{"summary": "x", "bullets": []}',
        '{"summary": "x", "bullets": [{"text": "y"}]}',
    ],
)
def test_a_draft_of_another_shape_is_rejected(answer: str) -> None:
    with pytest.raises(DraftRejected):
        written(answer)


@pytest.mark.parametrize(
    ("broken", "kind"),
    [
        (Fail(401, "no"), InfraError),
        (Say("{", finish="length"), ModelStopped),
        (Say(finish="content_filter"), ModelStopped),
        (Say(refusal="I will not"), ModelStopped),
    ],
)
def test_half_an_answer_is_none(broken: Answering, kind: type[Exception]) -> None:
    with pytest.raises(kind):
        written(broken)


def test_which_model_is_asked() -> None:
    variables = {"MODEL": "general", "DRAFT_MODEL": "ollama:drafts"}
    assert name_of(variables, "named") == "openai:named"
    assert name_of(variables) == "ollama:drafts"
    assert name_of({**variables, "DRAFT_MODEL": ""}) == "openai:general"
    assert name_of({}) is None
