"""The target: its runners, which model writes, what trials share and what they do not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from probare import run
from probare.errors import InfraError, TargetError
from probare.grading import usercode
from probare.model.case import Case
from probare.model.event import Attempt, Note, Usage
from probare.targets.recorder import Recorder
from probare.testing.model_server import Fail, ModelServer, Say, model_server

FOLDER = Path(__file__).parent
ResumeTailor = usercode.load("agent:ResumeTailor", FOLDER)

WRITER = {"tex_path": "sample.tex", "posting": "postings/platform_engineer.html"}
DRAFT = json.dumps(
    {
        "summary": "Platform Engineer who keeps Kubernetes and Terraform going, in Go and Python.",
        "bullets": [
            {"source": "experience[0].bullets[0]", "text": "Put 60 services onto Kubernetes"}
        ],
    }
)
USAGE = {"prompt_tokens": 900, "completion_tokens": 50, "total_tokens": 950}
ANSWER = Say(DRAFT, usage=USAGE)


def answered(
    runner: str, given: dict[str, Any], variables: dict[str, str] | None = None, **more: Any
) -> tuple[dict[str, Any], Recorder]:
    recorder = Recorder()
    target = ResumeTailor(variables or {})
    target.set_up()
    try:
        answer = target.run(given, Case(id="c", runner=runner), recorder, **more)
    finally:
        target.tear_down()
    json.dumps(answer)
    return answer, recorder


def variables_for(server: ModelServer, **more: str) -> dict[str, str]:
    return {**server.environment, **more}


def notes(recorder: Recorder) -> list[str]:
    return [event.text for event in recorder.events if isinstance(event, Note)]


def test_an_unknown_runner_names_the_known_ones() -> None:
    with pytest.raises(TargetError, match=r"no runner 'prser'.*did you mean 'parser'"):
        answered("prser", {})
    with pytest.raises(TargetError, match="parser, fetcher, description, writer, critic, tailor"):
        answered("xyz", {})


def test_without_a_model_nothing_leaves_the_machine() -> None:
    answer, recorder = answered("writer", WRITER, {"OPENAI_API_KEY": "k"})
    assert notes(recorder) == ["the résumé is written by the deterministic writer"]
    assert "Platform Engineer, Nordlicht Systems" in answer["text"]
    assert json.loads(answer["json"])["name"] == "Renée Müller-Okafor"


@pytest.mark.parametrize("variable", ["MODEL", "DRAFT_MODEL"])
def test_a_named_model_writes(variable: str) -> None:
    with model_server(ANSWER) as server:
        answer, recorder = answered("writer", WRITER, variables_for(server, **{variable: "fake"}))
    assert server.requests[0].body["model"] == "fake"
    assert "Put 60 services onto Kubernetes" in answer["text"]
    [usage] = [event for event in recorder.events if isinstance(event, Usage)]
    assert (usage.input_tokens, usage.output_tokens) == (900, 50)


def test_a_deterministic_trial_knows_of_no_model_and_the_others_beside_it_do() -> None:
    with model_server(ANSWER) as server:
        target = ResumeTailor(variables_for(server, MODEL="fake", DRAFT_MODEL="fake"))
        target.set_up()
        case = Case(id="c", runner="writer")
        plain = [
            target.run({**WRITER, "deterministic": True}, case, Recorder(), model="other")
            for _ in range(2)
        ]
        assert server.requests == []
        drafted = target.run(WRITER, case, Recorder())
        target.tear_down()
        assert len(server.requests) == 1
    assert plain[0] == plain[1] == answered("writer", WRITER)[0]
    assert drafted["text"] != plain[0]["text"]


def test_the_environment_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEL", "no-such-model")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    target = ResumeTailor()
    target.set_up()
    case = Case(id="c", runner="writer")
    assert target.run({**WRITER, "deterministic": True}, case, Recorder())["text"]
    with pytest.raises(InfraError, match="OPENAI_API_KEY"):
        target.run(WRITER, case, Recorder())
    assert target.run({"tex_path": "minimal.tex"}, Case(id="p", runner="parser"), Recorder())


def test_failures_of_the_model_are_told_apart() -> None:
    busy = Fail(429, "come back tomorrow", retry_after=36000)
    with model_server(busy) as server, pytest.raises(InfraError) as caught:
        answered("writer", WRITER, variables_for(server), model="fake")
    assert (caught.value.retryable, caught.value.retry_after) == (True, 36000.0)
    with model_server("hm") as server, pytest.raises(TargetError, match="not JSON"):
        answered("writer", WRITER, variables_for(server), model="fake")


def test_no_trial_can_change_the_resume_of_another() -> None:
    target = ResumeTailor({})
    target.set_up()
    case = Case(id="c", runner="writer")
    first = target.run(WRITER, case, Recorder())
    first["master"]["experience"][0]["title"] = "King"
    first["tailored"]["skills"] = []
    second = target.run(WRITER, case, Recorder())
    assert second["master"]["experience"][0]["title"] == "Platform Engineer"
    assert second["tailored"]["skills"]


def test_each_try_of_the_fetcher_is_recorded() -> None:
    given = {"request": "{site}/jobs?id=senior_ml", "statuses": [503, 503]}
    answer, recorder = answered("fetcher", given)
    tries = [event for event in recorder.events if isinstance(event, Attempt)]
    assert [(each.number, each.ok) for each in tries] == [(1, False), (2, False), (3, True)]
    assert answer["requests"] == ["/jobs?id=senior_ml"] * 3
    assert answer["posting"]["url"] == "{site}/jobs?id=senior_ml"


def test_the_site_serves_nothing_but_the_fixtures() -> None:
    for path in ("../agent.py", "..%2Fagent.py", "jobs?id=../../agent", "nothing.html"):
        answer, _ = answered("fetcher", {"request": f"{{site}}/{path}"})
        assert answer["error"]["kind"] == "gone"


def test_a_run_with_a_model_keeps_no_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with model_server(ANSWER) as server:
        for variable, value in server.environment.items():
            monkeypatch.setenv(variable, value)
        monkeypatch.setenv("MODEL", "")
        result = run(
            FOLDER,
            cases=["writer_summary_keywords_001"],
            model="fake",
            runs=tmp_path,
            baseline=None,
        )
    assert (result.exit_code, len(server.requests)) == (0, 1)
    files = [path for path in result.folder.rglob("*") if path.is_file()]
    assert [path.name for path in files if b"not-a-real-key" in path.read_bytes()] == []
