"""A suite whose target is a model, on the command line, against a loopback server."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from probare.encoding.narrow import mapping
from probare.testing.model_server import Asked, Fail, Say, model_server

pytestmark = pytest.mark.slow

Probare = Callable[..., Any]
WriteSuite = Callable[..., Path]
OnlyRun = Callable[[], Path]

SUITE = """
suite: desk
target:
  model: "openai:agent"
  prompt: "Q: {{ input.question }}"
  system: system.md
  config: {who: kind}
  tools:
    - "tools:weather"
    - name: book
      parameters: {properties: {n: {type: integer}}, required: [n]}
      result: booked
cases:
"""
TOOLS = '''
def weather(city: str, days: int = 1) -> dict:
    """Tell the weather."""
    if city == "Nowhere":
        raise LookupError("no such city")
    return {"city": city, "sky": "sunny"}
'''
ONE = """
  - id: one
    input: {question: what is the weather in Oslo}
    expect:
      - contains: sunny
      - tool_called: {name: weather, args: {city: Oslo}}
      - max_tokens: 1000
      - max_first_token: 60s
    forbid: [{contains: rain}]
"""
TALK = """
  - id: talk
    input: {question: unused}
    turns:
      - user: hello
        no_tool_call: true
        expect: [{contains: hello}]
        forbid: [{contains: sunny}]
      - user: and the weather in Oslo?
        expect: [{tool_called: weather}, {contains: rain}]
    expect:
      - equals: {value: script, in: $ended}
      - contains: {text: hello, in: "$turns[0].text"}
"""
PLAYED = """
  - id: played
    input: {question: unused}
    simulate: {model: "openai:user", goal: the weather in Oslo, persona: a farmer}
    expect:
      - equals: {value: goal_reached, in: $ended}
      - tool_called: weather
      - max_tokens: 40
"""


@pytest.fixture
def desk(write_suite: WriteSuite) -> Callable[[str], Path]:
    def write(cases: str, suite: str = SUITE) -> Path:
        system = "You are {{ config.who }}."
        return write_suite(suite + cases, system__md=system, tools__py=TOOLS)

    return write


def said(status: str, message: str) -> str:
    return json.dumps({"status": status, "message": message})


def serve(asked: Asked) -> Say | str:
    """Answer as the agent, or as the user it talks with."""
    if asked.body["model"] == "user":
        if "begins" in asked.last:
            return said("continue", "How is the weather in Oslo?")
        return said("goal_reached", "Thanks.")
    if asked.messages[-1]["role"] == "tool":
        return "It is sunny."
    if "weather" in asked.last:
        return Say("Let me look. ", tool_calls=(("weather", {"city": "Oslo"}),))
    return "hello to you"


def records(run: Path) -> dict[str, dict[str, Any]]:
    lines = (run / "trials.jsonl").read_text().splitlines()
    return {record["case"]: record for record in map(json.loads, lines)}


def events(run: Path, case: str) -> list[dict[str, Any]]:
    lines = (run / "transcripts.jsonl").read_text().splitlines()
    return next(line["events"] for line in map(json.loads, lines) if line["case"] == case)


def test_one_question_with_tools(probare: Probare, desk: Any, only_run: OnlyRun) -> None:
    with model_server(serve) as server:
        done = probare("run", desk(ONE), env=server.environment)
    assert done.code == 0, done.out
    body = server.requests[0].body
    assert body["messages"][0] == {"role": "system", "content": "You are kind."}
    assert body["messages"][1]["content"] == "Q: what is the weather in Oslo"
    assert [tool["function"]["name"] for tool in body["tools"]] == ["weather", "book"]
    record = records(only_run())["one"]
    assert record["first_token_ms"] is not None
    assert record["usage"]["input_tokens"] > 0
    plan = json.loads((only_run() / "run.json").read_text())
    assert plan["target_settings"]["system"] == "You are {{ config.who }}."
    verified = probare("verify", only_run())
    assert verified.code == 0, verified.out


def test_scripted_turns_are_judged_one_by_one_and_again(
    probare: Probare, desk: Any, only_run: OnlyRun, tmp_path: Path
) -> None:
    with model_server(serve) as server:
        done = probare("run", desk(TALK), env=server.environment)
    assert done.code == 1
    run = only_run()
    results = {v["label"]: v["result"] for v in records(run)["talk"]["verdicts"]}
    assert results == {
        "equals: script": "pass",
        "contains: hello": "pass",
        "turn 1: contains: hello": "pass",
        "turn 1: no tool call": "pass",
        "turn 1: contains: sunny": "pass",
        "turn 2: tool_called: weather": "pass",
        "turn 2: contains: rain": "fail",
    }
    assert "turn 2: contains: rain" in (run / "report.md").read_text()
    again = probare("regrade", run, "--runs", tmp_path / "again")
    assert again.code == 1
    (new,) = (tmp_path / "again").iterdir()
    assert records(new)["talk"]["verdicts"] == records(run)["talk"]["verdicts"]
    assert probare("verify", run).code == 0


def test_a_simulated_user_reaches_its_goal(probare: Probare, desk: Any, only_run: OnlyRun) -> None:
    with model_server(serve) as server:
        done = probare("run", desk(PLAYED), env=server.environment)
    assert done.code == 0, done.out
    mine = [e for e in events(only_run(), "played") if mapping(e.get("attributes"))]
    assert {e["kind"] for e in mine if "simulated" in e["attributes"]} == {
        "message",
        "usage",
        "note",
    }


def test_a_simulator_that_refuses_leaves_the_trial_errored_not_failed(
    probare: Probare, desk: Any, only_run: OnlyRun
) -> None:
    def refuse(asked: Asked) -> Say | str:
        return Say(refusal="I cannot.") if asked.body["model"] == "user" else serve(asked)

    with model_server(refuse) as server:
        done = probare("run", desk(PLAYED), env=server.environment)
    assert done.code == 3, done.out
    record = records(only_run())["played"]
    assert (record["stop"], record["status"]) == ("infra_error", "errored")
    assert (
        "the simulated user (openai:user) did not play its part: it refused"
        in (record["error"]["message"])
    )


def test_turns_that_are_never_reached_are_errors(
    probare: Probare, desk: Any, only_run: OnlyRun
) -> None:
    def loops(asked: Asked) -> Say | str:
        if "weather" in str(asked.messages):
            return Say(tool_calls=(("book", {"n": "x"}),))
        return "hello"

    later = "\n      - {user: bye, expect: [{contains: bye}], forbid: [{contains: hi}]}\n"
    cases = TALK.replace("    expect:\n      - equals", f"{later}    expect:\n      - equals")
    with model_server(loops) as server:
        done = probare("run", desk(cases), env=server.environment)
    assert done.code == 3, done.out
    record = records(only_run())["talk"]
    assert record["stop"] == "limit"
    last = [v for v in record["verdicts"] if v["label"].startswith("turn 3")]
    assert [v["result"] for v in last] == ["error", "error"]
    assert "turn 3 was never reached" in last[0]["reason"]
    told = [e["error"] for e in events(only_run(), "talk") if e["kind"] == "tool_result"]
    assert len(told) == 10
    assert "'x' is not of type 'integer'" in told[0]


def test_an_error_of_a_tool_goes_back_to_the_model(
    probare: Probare, desk: Any, only_run: OnlyRun
) -> None:
    def ask_nowhere(asked: Asked) -> Say | str:
        if asked.messages[-1]["role"] == "tool":
            return f"told: {asked.last}"
        return Say(tool_calls=(("weather", {"city": "Nowhere"}),))

    case = "  - {id: a, input: {question: x}, expect: [{contains: 'LookupError: no such city'}]}\n"
    with model_server(ask_nowhere) as server:
        done = probare("run", desk(case), env=server.environment)
    assert done.code == 0, done.out


def test_a_refusal_is_judged(probare: Probare, desk: Any) -> None:
    case = "  - {id: a, input: {question: x}, expect: [{contains: cannot}]}\n"
    with model_server(Say(refusal="I cannot do that.")) as server:
        done = probare("run", desk(case), env=server.environment)
    assert done.code == 0, done.out


def test_a_provider_that_refuses_the_key_is_infrastructure_and_not_tried_again(
    probare: Probare, desk: Any, only_run: OnlyRun
) -> None:
    with model_server(Fail(401, "who are you?")) as server:
        done = probare("run", desk(ONE), "--retries", "1", env=server.environment)
    assert done.code == 3, done.out
    record = records(only_run())["one"]
    assert (record["stop"], record["attempts"]) == ("infra_error", 1)
    assert "401" in record["error"]["message"]


RETRIED = """
from probare.errors import InfraError

seen = []

def run(message, recorder):
    seen.append(message)
    recorder.tool(lambda n: n, "count")(len(seen))
    if seen == ["hi", "more"]:
        raise InfraError("the backend is away", retry_after=0)
    return f"{message} {len(seen)}"
"""


def test_a_conversation_that_is_tried_again_is_judged_by_its_last_attempt(
    probare: Probare, write_suite: WriteSuite, only_run: OnlyRun
) -> None:
    suite = """
suite: again
target: {python: "agent:run"}
cases:
  - id: talk
    turns:
      - user: hi
        expect: [{equals: hi 3}, {tool_called: {name: count, times: 2}}]
        forbid: [{tool_called: {name: count, args: {n: 1}}}]
      - user: more
        expect: [{equals: more 4}]
"""
    done = probare("run", write_suite(suite, RETRIED), "--retries", "1")
    assert done.code == 1, done.out
    record = records(only_run())["talk"]
    assert (record["stop"], record["attempts"]) == ("completed", 2)
    assert [v["result"] for v in record["verdicts"]] == ["pass", "pass", "pass", "fail"]


def test_the_option_names_another_model(probare: Probare, desk: Any) -> None:
    with model_server(serve) as server:
        done = probare("run", desk(ONE), "--model", "openai:other", env=server.environment)
    assert done.code == 0, done.out
    assert {asked.body["model"] for asked in server.requests} == {"other"}


@pytest.mark.parametrize(
    ("cases", "options"),
    [(ONE, ()), (PLAYED, ("--model", "ollama:any")), (ONE, ("--model", "anthropic:x"))],
)
def test_a_missing_key_is_named_before_anything_runs(
    probare: Probare, desk: Any, tmp_path: Path, cases: str, options: tuple[str, ...]
) -> None:
    names = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY")
    env = {name: "" for name in names if name in os.environ}
    done = probare("run", desk(cases), *options, env={"OLLAMA_BASE_URL": "http://x", **env})
    assert done.code == 2
    wanted = "ANTHROPIC_API_KEY" if "anthropic:x" in options else "OPENAI_API_KEY"
    assert wanted in done.err
    assert list((tmp_path / "runs").glob("*")) == []


def test_a_prompt_that_names_what_no_case_has_is_a_load_error(
    probare: Probare, desk: Any, tmp_path: Path
) -> None:
    suite = SUITE.replace("input.question", "input.qestion")
    done = probare("run", desk(ONE, suite))
    assert done.code == 2
    assert "target.prompt: case 'one': {{ input.qestion }} does not exist" in done.err
    assert "did you mean 'question'?" in done.err
    assert not (tmp_path / "runs").exists()


def test_a_target_that_holds_no_conversation_is_refused(
    probare: Probare, write_suite: WriteSuite
) -> None:
    suite = 'suite: s\ntarget: {command: ["true"]}\ncases: [{id: a, turns: [{user: hi}]}]\n'
    done = probare("run", write_suite(suite))
    assert done.code == 2
    assert "case 'a' is a conversation, and the target can hold none" in done.err
