"""Leading a conversation: turns, how it ends, what is recorded."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from probare.errors import InfraError
from probare.model.case import AgentStop, Case, Simulation
from probare.model.event import Message, Note, ToolCall, Usage
from probare.model.outcome import UsageTotal, agent_usage, total_usage
from probare.model.suite import TargetSpec
from probare.targets.model import MODEL
from probare.targets.modelsettings import ModelSettings
from probare.testing.fakes import FakeModels, Reply

USER = Simulation(model="openai:u", goal="a refund", first="Hi")


def played(status: str = "continue", message: str = "And now?") -> str:
    return json.dumps({"status": status, "message": message})


@pytest.fixture
def talk(services: Any, tried: Any, call: Any) -> Callable[..., Any]:
    """Let a simulated user talk with a model: `talk(users_replies, agents_replies, **simulate)`."""

    def run(users: list[Any], agents: list[Any], **simulate: Any) -> Any:
        models = FakeModels(by_model={"openai:u": users, "openai:a": agents})
        case = Case(id="c", simulate=msgspec.structs.replace(USER, **simulate))
        settings = msgspec.convert(
            {"model": "openai:a", "tools": [{"name": "hang_up", "result": "ok"}]}, ModelSettings
        )

        async def main() -> Any:
            target = MODEL.build(TargetSpec(name="t", kind="model"), settings)
            await target.open(services(chat=models))
            try:
                return await tried(target, call(case))
            finally:
                await target.close()

        return asyncio.run(main())

    return run


def end_of(got: Any) -> dict[str, Any]:
    return got.only(Note)[-1].data


def test_the_goal_is_reached(talk: Any) -> None:
    got = talk([played(), played("goal_reached", "Thanks")], ["Order?", "Refunded."])
    assert got.error is None
    assert got.outcome.output == "Refunded."
    said = [(m.role, m.content, m.attributes) for m in got.only(Message)]
    assert said == [
        ("user", "Hi", {"turn": 1, "simulated": True}),
        ("assistant", "Order?", {"turn": 1}),
        ("user", "And now?", {"turn": 2, "simulated": True}),
        ("assistant", "Refunded.", {"turn": 2}),
    ]
    assert end_of(got) == {"conversation_ended": "goal_reached", "turns": 2, "said": "Thanks"}


def test_the_users_usage_is_counted_apart(talk: Any) -> None:
    got = talk([played("gave_up")], ["No."])
    assert len(got.only(Usage)) == 2
    one = UsageTotal(input_tokens=10, output_tokens=5, cost_usd=0.001)
    assert agent_usage(got.events) == one
    both = total_usage(got.events)
    assert both is not None
    assert (both.input_tokens, both.cost_usd) == (20, 0.002)


@pytest.mark.parametrize(("turns", "asked"), [(1, 1), (3, 3)])
def test_it_ends_after_so_many_messages(talk: Any, turns: int, asked: int) -> None:
    got = talk([played()], ["Well."], max_turns=turns)
    assert end_of(got) == {"conversation_ended": "max_turns", "turns": turns}
    assert len([m for m in got.only(Message) if m.role == "user"]) == asked


def test_the_agent_ends_it_by_a_tool(talk: Any) -> None:
    hangs_up = Reply(tool_calls=(("hang_up", {}),))
    got = talk([played()], [hangs_up, "Bye"], stop=AgentStop(tools=("hang_up",)))
    assert end_of(got) == {"conversation_ended": "agent", "turns": 1}
    assert [event.name for event in got.only(ToolCall)] == ["hang_up"]


def test_the_agent_ends_it_by_its_words(talk: Any) -> None:
    stop = AgentStop(texts=("Good BYE",))
    got = talk([played()], ["Well.", "So good bye then."], stop=stop)
    assert end_of(got) == {"conversation_ended": "agent", "turns": 2}


def test_a_simulator_that_fails_is_told_apart_from_the_agent(talk: Any) -> None:
    got = talk([Reply(refusal="no")], ["Order?"])
    assert isinstance(got.error, InfraError)
    assert "the simulated user (openai:u) did not play its part: it refused" in got.error.message
    assert got.only(Note)[-1].attributes == {"simulated": True}


def test_an_agents_provider_that_fails_is_not_the_simulator(talk: Any) -> None:
    got = talk([played()], [InfraError("503")])
    assert isinstance(got.error, InfraError)
    assert got.error.message == "503"
