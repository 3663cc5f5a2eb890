"""Chat models that say what they are told to say."""

from __future__ import annotations

import asyncio

import pytest

from probare.errors import InfraError, InputError
from probare.ports.chat import ChatMessage, ChatModels, ChatReply, ChatRequest
from probare.testing.fakes import FakeModels, Reply


def request(model: str = "openai:m", text: str = "hi") -> ChatRequest:
    return ChatRequest(model=model, messages=(ChatMessage(role="user", content=text),))


def test_answers_come_in_order_and_the_last_again() -> None:
    models: ChatModels = FakeModels("one", Reply("two"))
    assert [models.ask(request()).text for _ in range(3)] == ["one", "two", "two"]
    assert FakeModels().ask(request()).text == "Hello."


def test_an_answer_may_be_made_of_the_request() -> None:
    models = FakeModels(lambda asked: asked.messages[-1].content.upper())
    reply = models.ask(request(text="abc"))
    assert (reply.text, reply.model, reply.finish) == ("ABC", "m", "stop")
    assert reply.usage is not None
    assert [r.messages[-1].content for r in models.requests] == ["abc"]


def test_models_may_have_answers_of_their_own() -> None:
    models = FakeModels("others", by_model={"openai:u": ["user", "again"]})
    assert models.ask(request("openai:u")).text == "user"
    assert models.ask(request()).text == "others"
    assert models.ask(request("openai:u")).text == "again"
    assert len(models.asked("openai:u")) == 2


def test_calls_refusals_and_whole_replies() -> None:
    whole = ChatReply(text="x", model="y")
    models = FakeModels(Reply(tool_calls=(("a", {}), ("b", "broken"))), Reply(refusal="no"), whole)
    first, second, third = (models.ask(request()) for _ in range(3))
    assert first.finish == "tool_calls"
    assert [(c.name, c.arguments) for c in first.tool_calls] == [("a", {}), ("b", "broken")]
    assert len({c.id for c in first.tool_calls}) == 2
    assert (second.finish, second.refusal) == ("refused", "no")
    assert third is whole


def test_errors_are_raised_and_missing_models_named() -> None:
    models = FakeModels(InfraError("down"), missing={"openai:x": "OPENAI_API_KEY"})
    with pytest.raises(InfraError, match="down"):
        models.ask(request())
    with pytest.raises(InputError, match="OPENAI_API_KEY"):
        models.check("openai:x")
    models.check("openai:m")


def test_pieces_join_to_the_text() -> None:
    pieces: list[str] = []
    reply = asyncio.run(FakeModels("a  b c ").complete(request(), pieces.append))
    assert "".join(pieces) == reply.text == "a  b c "
    assert len(pieces) > 1
