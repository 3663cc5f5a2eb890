# Agents are written without types, as users write them.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportMissingParameterType=false, reportUnknownParameterType=false
"""Conversations with agents in Python: called once for each message."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec import UNSET

from probare.errors import InfraError, TargetError
from probare.model.case import Case, Simulation
from probare.model.event import Message, Note
from probare.model.outcome import Outcome
from probare.testing.fakes import FakeModels

TALK = Case(id="c", turns=("hi", "more"))
WITH_INPUT = Case(id="c", input={"name": "Ada"}, turns=("hi", "more"))

BESIDE = """
    def run(input, message, history, turn):
        return {"text": f"{turn} {message} {input['name']} {len(history)}"}

    async def later(message, history):
        return [message, [m["content"] for m in history]]

    def pieces(message):
        yield message[:1]
        yield message[1:]

    def breaks(message):
        if message == "more":
            raise ValueError("down")
        return message
"""


def _sees_all(input, message, history, turn):  # noqa: A002
    return [input, message, [(m["role"], m["content"]) for m in history], turn]


def test_it_is_called_with_message_history_and_turn(attempt: Any) -> None:
    got = attempt(_sees_all, case=WITH_INPUT)
    assert got.error is None
    first = [{"name": "Ada"}, "hi", [], 1]
    assert got.outcome.output == [
        {"name": "Ada"},
        "more",
        [["user", "hi"], ["assistant", first]],
        2,
    ]
    said = [(m.role, m.attributes["turn"], m.source) for m in got.only(Message)]
    assert said == [
        ("user", 1, "observed"),
        ("assistant", 1, "observed"),
        ("user", 2, "observed"),
        ("assistant", 2, "observed"),
    ]
    assert got.only(Note)[-1].data == {"conversation_ended": "script", "turns": 2}
    assert "messages" in got.observes


@pytest.mark.parametrize(
    "agent",
    [
        lambda input: f"{input}!",  # noqa: A006
        lambda message: f"{message}!",
        lambda anything: f"{anything}!",
        lambda question, history: f"{question}!",
        lambda *args: f"{args[0]}!",
        lambda **offers: f"{offers['message']}!",
    ],
)
def test_a_message_reaches_it_whatever_it_calls_it(attempt: Any, agent: Any) -> None:
    got = attempt(agent, case=TALK)
    assert got.error is None
    assert got.outcome.output == "more!"


@pytest.mark.parametrize("agent", [lambda input: 1, lambda input, history: 1])  # noqa: A006
def test_an_agent_that_cannot_hear_the_user_is_told_so(attempt: Any, agent: Any) -> None:
    got = attempt(agent, case=WITH_INPUT)
    assert isinstance(got.error, TargetError)
    assert "takes no `message`" in got.error.message


def test_an_agent_of_conversations_is_asked_nothing_else(attempt: Any) -> None:
    got = attempt(_sees_all, case=Case(id="c", input=1))
    assert isinstance(got.error, TargetError)
    assert "'message', 'history', 'turn'" in got.error.message
    assert "no turns" in got.error.hint


def test_a_lone_parameter_of_that_name_is_the_input_elsewhere(attempt: Any) -> None:
    got = attempt(lambda message: message, case=Case(id="c", input={"q": 1}))
    assert got.outcome.output == {"q": 1}


def test_no_answer_is_no_message_and_the_script_goes_on(attempt: Any) -> None:
    got = attempt(lambda message: "ok" if message == "more" else None, case=TALK)
    assert got.error is None
    assert got.outcome.output == "ok"
    assert [(m.role, m.attributes["turn"]) for m in got.only(Message)] == [
        ("user", 1),
        ("user", 2),
        ("assistant", 2),
    ]


@pytest.mark.parametrize("isolation", [None, "thread", "process"])
def test_every_isolation_holds_a_conversation(
    attempt: Any, agent_file: Any, isolation: Any
) -> None:
    agent_file(BESIDE)
    got = attempt("agent:run", case=WITH_INPUT, isolation=isolation)
    assert got.error is None
    assert got.outcome.output == {"text": "2 more Ada 2"}
    got = attempt("agent:later", case=TALK, isolation=isolation)
    assert got.outcome.output == ["more", ["hi", ["hi", []]]]
    got = attempt("agent:pieces", case=TALK, isolation=isolation)
    assert got.outcome == Outcome(output="more")
    assert [m.content for m in got.only(Message)] == ["hi", "hi", "more", "more"]


@pytest.mark.parametrize("isolation", [None, "process"])
def test_a_crash_keeps_the_turns_before_and_leaves_no_output(
    attempt: Any, agent_file: Any, isolation: Any
) -> None:
    agent_file(BESIDE)
    got = attempt("agent:breaks", case=TALK, isolation=isolation)
    assert isinstance(got.error, TargetError)
    assert got.outcome.output is UNSET
    assert [m.content for m in got.only(Message)] == ["hi", "hi", "more"]
    assert all("conversation_ended" not in (note.data or {}) for note in got.only(Note))


def test_the_cap_on_pieces_is_a_turns_own(attempt: Any, agent_file: Any) -> None:
    agent_file(BESIDE)
    case = Case(id="c", turns=("x" * 60, "y" * 60))
    for isolation in (None, "process"):
        lent = {"max_output": 80}
        got = attempt("agent:pieces", case=case, isolation=isolation, lent=lent)
        assert got.error is None
        assert got.outcome.output == "y" * 60


def played(status: str, message: str = "And?") -> str:
    return json.dumps({"status": status, "message": message})


def test_a_simulated_user_talks_with_an_agent(attempt: Any) -> None:
    case = Case(id="c", simulate=Simulation(model="openai:u", goal="g"))
    models = FakeModels(played("continue", "Hi"), played("continue"), played("goal_reached", ""))
    got = attempt(lambda message, turn: f"{turn} {message}", case=case, lent={"chat": models})
    assert got.error is None
    assert got.outcome.output == "2 And?"
    assert got.only(Note)[-1].data == {"conversation_ended": "goal_reached", "turns": 2}


def test_an_agent_that_answers_nothing_ends_a_simulated_conversation(attempt: Any) -> None:
    case = Case(id="c", simulate=Simulation(model="openai:u", goal="g"))
    models = FakeModels(played("continue", "Hi"))
    got = attempt(lambda message: None, case=case, lent={"chat": models})
    assert got.error is None
    assert got.only(Note)[-1].data == {"conversation_ended": "agent", "turns": 1}


@pytest.mark.parametrize(
    ("lent", "isolation", "told"),
    [({}, None, "no chat models"), ({"chat": FakeModels()}, "process", "a process of its own")],
)
def test_a_simulated_user_that_cannot_be_is_no_fault_of_the_agent(
    attempt: Any, agent_file: Any, lent: Any, isolation: Any, told: str
) -> None:
    agent_file(BESIDE)
    case = Case(id="c", simulate=Simulation(model="openai:u", goal="g"))
    got = attempt("agent:breaks", case=case, lent=lent, isolation=isolation)
    assert isinstance(got.error, InfraError)
    assert told in got.error.message
    assert not got.error.retryable
