"""The runners `code` and `model`, in front of a suite's target."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import probare
from probare.errors import InputError
from probare.model.case import Case, Simulation
from probare.model.event import Message
from probare.model.suite import TargetSpec
from probare.pipeline.corerunners import CoreRunners, in_front_of
from probare.pipeline.runs import Run
from probare.ports.target import Services, TrialCall
from probare.targets.command import COMMAND, CommandSettings
from probare.targets.model import MODEL
from probare.targets.modelsettings import ModelSettings
from probare.targets.python import PYTHON, PythonSettings
from probare.targets.replay import REPLAY, ReplaySettings
from probare.testing.fakes import FakeModels

AGENT = """
def run(case, input):
    if case.runner != "parser":
        raise LookupError(f"there is no runner {case.runner}")
    return {"master": {"name": input["name"]}}
"""
SUITE = """
suite: pipeline
target: {python: "agent:run"}
cases:
  - id: asked
    runner: parser
    input: {name: Ada}
    expect: [{equals: {value: Ada, in: $master.name}}]
  - id: given
    runner: code
    input: {__output__: {n: 3}}
    expect: [{equals: {value: 3, in: $n}}]
  - id: wrong
    runner: code
    input: {__output__: [1]}
    expect: [{equals: 1}]
  - id: told
    runner: model
    input: hi
    expect: [{contains: hi}]
  - id: strange
    runner: fetcher
    expect: [{contains: hi}]
    forbid: [{contains: no}]
"""


@pytest.fixture
def finished(write_suite: Callable[..., Path], tmp_path: Path) -> Run:
    return probare.run(write_suite(SUITE, AGENT), runs=str(tmp_path / "runs"), retries=3)


def test_each_runner_answers_its_own_cases(finished: Run) -> None:
    statuses = {record.case: record.status for record in finished.records()}
    assert statuses == {
        "asked": "passed",
        "given": "passed",
        "wrong": "failed",
        "told": "errored",
        "strange": "errored",
    }


def test_a_model_that_is_not_set_is_an_infrastructure_fault_not_tried_again(finished: Run) -> None:
    (record,) = [record for record in finished.records() if record.case == "told"]
    assert (record.stop, record.attempts) == ("infra_error", 1)
    assert record.error is not None
    assert "no model is set" in record.error.message


def test_a_runner_that_raises_is_an_errored_trial_with_its_traceback(finished: Run) -> None:
    (record,) = [record for record in finished.records() if record.case == "strange"]
    assert record.stop == "target_error"
    assert {verdict.result for verdict in record.verdicts} == {"skipped"}
    (event,) = finished.transcript(record).events
    traceback: Any = getattr(event, "traceback", None)
    assert "there is no runner fetcher" in traceback


def test_the_target_is_left_alone_where_no_case_needs_another() -> None:
    target: Any = object()
    assert in_front_of(target, [Case(id="a"), Case(id="b", runner="parser")]) is target
    assert isinstance(in_front_of(target, [Case(id="a", runner="code")]), CoreRunners)


class Here:
    """An executor that calls at once."""

    async def call(self, function: Callable[[], Any]) -> Any:
        return contextvars.copy_context().run(function)


def answered(
    target: Any, cases: list[Case], models: FakeModels | None, model: str | None = None
) -> list[Any]:
    """Run the cases in turn, and return what each left: its outcome and its events."""
    whole = in_front_of(target, cases)

    async def main() -> list[Any]:
        services = Services(executor=Here(), folder=Path(), chat=models, model=model)
        await whole.open(services)
        found: list[Any] = []
        try:
            for case in cases:
                recorder = whole.recorder()
                call = TrialCall(case=case, trial=0, attempt=1, seed=1, timeout=5)
                await whole.run(call, recorder)
                recorder.close()
                found.append((recorder.outcome.output, recorder.events))
        finally:
            await whole.close()
        return found

    return asyncio.run(main())


def echo(message: Any) -> Any:
    return message


def agent() -> Any:
    return PYTHON.build(TargetSpec(name="t", kind="python"), PythonSettings(python=echo))


@pytest.mark.parametrize(
    ("given", "messages"),
    [
        ("hi", [("user", "hi")]),
        ({"prompt": "hi {{ x }}"}, [("user", "hi {{ x }}")]),
        ({"prompt": "hi", "system": "be kind"}, [("system", "be kind"), ("user", "hi")]),
        ({"q": 1}, [("user", '{"q":1}')]),
    ],
)
def test_the_runner_model_asks_the_model_of_the_command(given: Any, messages: Any) -> None:
    models = FakeModels("Hello.")
    case = Case(id="a", input=given, runner="model")
    ((output, events),) = answered(agent(), [case], models, "openai:m")
    assert output == "Hello."
    assert [(m.role, m.content) for m in models.requests[0].messages] == messages
    assert any(isinstance(event, Message) for event in events)


def test_the_runner_model_asks_the_suites_target_where_that_is_a_model() -> None:
    models = FakeModels("Hello.")
    settings = ModelSettings(model="openai:own", prompt="Q: {{ input }}")
    target = MODEL.build(TargetSpec(name="t", kind="model"), settings)
    answered(target, [Case(id="a", input="x", runner="model")], models)
    (request,) = models.requests
    assert (request.model, request.messages[0].content) == ("openai:own", "Q: x")


def test_a_model_that_cannot_be_had_is_told_before_anything_runs() -> None:
    models = FakeModels(missing={"openai:m": "OPENAI_API_KEY", "openai:u": "USER_KEY"})
    case = Case(id="a", runner="model")
    with pytest.raises(InputError, match="OPENAI_API_KEY"):
        answered(agent(), [case], models, "openai:m")
    simulated = Case(id="b", simulate=Simulation(model="openai:u", goal="g"))
    with pytest.raises(InputError, match=r"case 'b', simulate: .*USER_KEY"):
        answered(agent(), [simulated], models)
    with pytest.raises(InputError, match="no chat models"):
        answered(agent(), [simulated], None)
    assert models.requests == []


def test_a_target_that_holds_no_conversation_is_given_none() -> None:
    settings = CommandSettings(command=["true"])
    target = COMMAND.build(TargetSpec(name="t", kind="command"), settings)
    with pytest.raises(InputError, match="case 'a' is a conversation, and the target can hold"):
        answered(target, [Case(id="a", turns=("hi",))], None)


def test_a_conversation_of_the_runner_model_has_the_instructions_of_its_input() -> None:
    models = FakeModels("Hello.")
    case = Case(id="a", input={"system": "be kind", "q": 1}, turns=("hi",), runner="model")
    answered(agent(), [case], models, "openai:m")
    assert [m.content for m in models.requests[0].messages] == ["be kind", "hi"]


def test_a_recorded_conversation_needs_no_model(tmp_path: Path) -> None:
    case = Case(id="a", simulate=Simulation(model="openai:u", goal="g"))
    line = '{"case": "a", "outcome": {"output": "bye"}}\n'
    (tmp_path / "said.jsonl").write_text(line)
    settings = ReplaySettings(replay=str(tmp_path / "said.jsonl"))
    target = REPLAY.build(TargetSpec(name="t", kind="replay"), settings)
    assert answered(target, [case], None)[0][0] == "bye"


def test_conversations_go_to_the_target_and_other_cases_too() -> None:
    cases = [Case(id="a", turns=("hi", "more")), Case(id="b", input="x")]
    found = answered(agent(), cases, None)
    assert [output for output, _ in found] == ["more", "x"]
