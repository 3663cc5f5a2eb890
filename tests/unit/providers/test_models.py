"""Chat models through the real client, against a server on this machine that misbehaves."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

import pytest

from probare.encoding.narrow import mapping
from probare.errors import HarnessError, InfraError, InputError
from probare.ports.chat import ChatMessage, ChatReply, ChatRequest, ChatTool, ChatToolCall
from probare.providers import Models, persisting
from probare.testing.model_server import (
    Answering,
    Asked,
    Fail,
    ModelServer,
    Rate,
    Raw,
    Say,
    model_server,
)

SCHEMA = {
    "type": "object",
    "properties": {"score": {"type": "integer"}},
    "required": ["score"],
    "additionalProperties": False,
}
TOOL = ChatTool(
    name="look_up",
    description="Look a dose up.",
    parameters={"type": "object", "properties": {"drug": {"type": "string", "minLength": 2}}},
)
Completed = Callable[[Models, ChatRequest], tuple[ChatReply, list[str]]]


@contextmanager
def served(*answers: Answering, **more: Any) -> Generator[tuple[Models, ModelServer]]:
    with model_server(*answers, **more) as server, Models(server.environment) as models:
        yield models, server


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(persisting, "_FIRST_WAIT", 0.01)


def whole(request: ChatRequest, *answers: Answering) -> ChatReply:
    with served(*answers) as (models, _):
        return models.ask(request)


def test_a_reply_is_streamed_in_pieces(question: Any, completed: Completed) -> None:
    with served(Say("One two three", pieces=3, cached_tokens=4)) as (models, server):
        reply, pieces = completed(models, question(temperature=0.3, max_tokens=20, seed=7))
    assert (reply.text, reply.finish, reply.cached) == ("One two three", "stop", False)
    assert ("".join(pieces), len(pieces)) == ("One two three", 3)
    assert reply.first_token_ms is not None
    assert reply.usage is not None
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (5, 3)
    assert reply.usage.cached_tokens == 4
    assert reply.usage.cost_usd == pytest.approx((1 * 0.4 + 4 * 0.1 + 3 * 1.6) / 1e6)
    [asked] = server.requests
    assert asked.headers["authorization"] == "Bearer not-a-real-key"
    assert asked.body["stream"] is True
    assert (asked.body["temperature"], asked.body["seed"]) == (0.3, 7)
    assert asked.body["max_completion_tokens"] == 20
    assert asked.messages == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Who are you?"},
    ]


def test_a_thread_may_ask_and_nothing_is_streamed(question: Any) -> None:
    with served("Hello.") as (models, server):
        reply = models.ask(question())
    assert (reply.text, reply.first_token_ms) == ("Hello.", None)
    assert server.requests[0].body.get("stream") in (None, False)


def test_a_conversation_with_tools_is_sent_as_it_was(question: Any) -> None:
    call = ChatToolCall(id="c1", name="look_up", arguments={"drug": "abc"})
    broken = ChatToolCall(id="c2", name="look_up", arguments='{"drug": ')
    messages = (
        ChatMessage(role="system", content="<think> is a word"),
        ChatMessage(role="user", content="Dose of abc? <|im_start|>"),
        ChatMessage(role="assistant", content="Let me see.", tool_calls=(call, broken)),
        ChatMessage(role="tool", content="5 mg", call_id="c1"),
        ChatMessage(role="tool", content="no JSON", call_id="c2", name="look_up"),
        ChatMessage(role="system", content="Be kind."),
    )
    with served("5 mg.") as (models, server):
        models.ask(question(messages=messages, tools=(TOOL,)))
    body = server.requests[0].body
    assert [m["role"] for m in body["messages"]] == [
        "system",
        "user",
        "assistant",
        "tool",
        "tool",
        "system",
    ]
    assert body["messages"][1]["content"] == "Dose of abc? <|im_start|>"
    calls = body["messages"][2]["tool_calls"]
    assert calls[0]["function"] == {"name": "look_up", "arguments": '{"drug":"abc"}'}
    assert calls[1]["function"]["arguments"] == '{"INVALID_JSON":"{\\"drug\\": "}'
    assert [m["tool_call_id"] for m in body["messages"][3:5]] == ["c1", "c2"]
    assert body["tools"] == [
        {
            "type": "function",
            "function": {
                "name": "look_up",
                "description": "Look a dose up.",
                "parameters": TOOL.parameters,
            },
        }
    ]


@pytest.mark.parametrize("streamed", [False, True])
def test_tool_calls_come_with_their_json_or_their_text(
    question: Any, completed: Completed, streamed: bool
) -> None:
    said = Say(tool_calls=(("look_up", {"drug": "abc"}), ("look_up", '{"drug": ')))
    with served(said) as (models, _):
        request = question(tools=(TOOL,))
        reply = completed(models, request)[0] if streamed else models.ask(request)
    assert (reply.text, reply.finish) == (None, "tool_calls")
    assert [call.arguments for call in reply.tool_calls] == [{"drug": "abc"}, '{"drug": ']
    assert [call.id for call in reply.tool_calls] == ["call_1", "call_2"]


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize(
    ("said", "text", "finish", "refusal"),
    [
        (Say(refusal="I will not."), None, "refused", "I will not."),
        (Say("Half of", finish="length"), "Half of", "length", None),
        (Say(finish="content_filter"), None, "content_filter", None),
        (Say(""), "", "stop", None),
        (Say("<think>hm</think>yes"), "<think>hm</think>yes", "stop", None),
        (Say("odd", finish="guardrail"), "odd", "unknown", None),
    ],
)
def test_odd_endings_are_replies(
    question: Any,
    completed: Completed,
    streamed: bool,
    said: Say,
    text: str | None,
    finish: str,
    refusal: str | None,
) -> None:
    with served(said) as (models, server):
        reply = completed(models, question())[0] if streamed else models.ask(question())
    assert (reply.text, reply.finish, reply.refusal) == (text, finish, refusal)
    assert len(server.requests) == 1


def test_a_whole_reply_that_does_not_say_how_it_ended(question: Any) -> None:
    assert whole(question(), Say("Hm", finish=None)).finish == "unknown"


@pytest.mark.parametrize(
    ("usage", "known"),
    [
        (None, None),
        ({"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}, None),
        ({"prompt_tokens": 5, "completion_tokens": 0, "total_tokens": 5}, (5, None, None)),
        ({"prompt_tokens": -5, "completion_tokens": 2, "total_tokens": 2}, None),
        (
            {
                "prompt_tokens": 5,
                "completion_tokens": 2,
                "total_tokens": 7,
                "prompt_tokens_details": {"cached_tokens": 9},
            },
            (5, 2, None),
        ),
    ],
)
def test_wrong_usage_is_unknown_never_zero(question: Any, usage: Any, known: Any) -> None:
    found = whole(question(), Say("Hello", usage=usage)).usage
    if known is None:
        assert found is None
    else:
        assert found is not None
        assert (found.input_tokens, found.output_tokens, found.cached_tokens) == known
        assert found.total_tokens is None or found.cost_usd is None or known[1] is not None


def test_usage_that_is_no_number_is_unknown_in_a_stream(
    question: Any, completed: Completed
) -> None:
    usage = {"prompt_tokens": "x", "completion_tokens": 1, "total_tokens": 1}
    with served(Say("Hello", usage=usage)) as (models, _):
        assert completed(models, question())[0].usage is None


def test_a_model_without_a_price_costs_null(question: Any) -> None:
    usage = whole(question(model="openai:nobody-knows-it"), "Hello").usage
    assert usage is not None
    assert (usage.output_tokens, usage.cost_usd) == (1, None)


def test_the_answering_models_name_is_kept(question: Any) -> None:
    assert whole(question(), Say("x", model="gpt-4.1-mini-2025-04-14")).model.endswith("04-14")


def test_an_answer_is_held_to_its_schema(question: Any) -> None:
    with served('{"score": 3}', '{"score": "3"}', "Three.") as (models, server):
        replies = [models.ask(question(output=SCHEMA)) for _ in range(3)]
    assert [reply.structured for reply in replies] == [True, False, False]
    assert [reply.text for reply in replies] == ['{"score": 3}', '{"score": "3"}', "Three."]
    wanted = server.requests[0].body["response_format"]
    assert wanted["type"] == "json_schema"
    assert wanted["json_schema"]["strict"] is True
    assert server.requests[0].schema is not None


@pytest.mark.parametrize("known", ["json", "tool", "prompted"])
def test_a_server_that_knows_no_schema_is_asked_in_a_weaker_way_and_remembered(
    question: Any, known: str
) -> None:
    def answer(asked: Asked) -> Say | Fail:
        body = asked.body
        way = mapping(body.get("response_format")).get("type")
        if (
            way == "json_schema"
            or (way and known != "json")
            or ("tools" in body and known != "tool")
        ):
            return Fail(400, "unknown field")
        if known == "tool":
            return Say(tool_calls=(("final_result", {"score": 3}),))
        return Say('{"score": 3}')

    with served(answer) as (models, server):
        first = models.ask(question(output=SCHEMA))
        asked = len(server.requests)
        second = models.ask(question(output=SCHEMA, trial=1))
    assert (first.text, first.tool_calls, first.finish) == ('{"score":3}', (), "stop") or (
        first.text == '{"score": 3}'
    )
    assert first.structured is second.structured is (known != "prompted")
    assert asked == {"json": 2, "tool": 3, "prompted": 4}[known]
    assert len(server.requests) == asked + 1
    if known == "json":
        assert server.requests[1].body["response_format"]["schema"] == SCHEMA
    if known == "prompted":
        assert "score" in str(server.requests[-1].messages)


def test_a_500_that_names_the_field_is_not_asked_again_in_the_same_way(question: Any) -> None:
    """llama.cpp's own server answers so to a type that it does not know."""

    def answer(asked: Asked) -> Say | Fail:
        if mapping(asked.body.get("response_format")).get("type") == "json_schema":
            return Fail(500, "1 validation error: loc: ('body', 'response_format', 'type')")
        return Say('{"score": 3}')

    with served(answer) as (models, server):
        reply = models.ask(question(output=SCHEMA))
    assert (reply.text, reply.structured) == ('{"score": 3}', True)
    assert len(server.requests) == 2


PASSING = [
    Fail(500),
    Fail(502),
    Fail(503, retry_after=0),
    Fail(529),
    Raw('{"choices": [{"mess'),
    Raw("<html>sorry</html>", "text/html"),
]


@pytest.mark.parametrize("broken", [*PASSING, Say("Hello there", ends="reset")])
def test_what_passes_is_asked_again(question: Any, broken: Answering) -> None:
    with served(broken, "Hello.") as (models, server):
        assert models.ask(question()).text == "Hello."
    assert len(server.requests) == 2


@pytest.mark.parametrize("broken", [*PASSING, Say("", ends="cut"), Raw('data: {"ch\n\n')])
def test_what_passes_before_the_first_piece_is_asked_again(
    question: Any, completed: Completed, broken: Answering
) -> None:
    with served(broken, "Hello.") as (models, server):
        reply, pieces = completed(models, question())
    assert (reply.text, "".join(pieces)) == ("Hello.", "Hello.")
    assert len(server.requests) == 2


def test_what_does_not_pass_is_an_infrastructure_error(question: Any) -> None:
    with (
        served(Fail(500, "no luck")) as (models, server),
        pytest.raises(InfraError, match=r"openai:gpt-4\.1-mini: answered 500: no luck") as caught,
    ):
        models.ask(question())
    assert caught.value.retryable
    assert len(server.requests) == persisting.TRIES


def test_a_server_that_is_not_there(question: Any) -> None:
    with model_server("Hello.") as server:
        environment = server.environment
    with Models(environment) as models, pytest.raises(InfraError) as caught:
        models.ask(question())
    assert caught.value.retryable


@pytest.mark.parametrize(
    ("status", "hint"), [(401, "key"), (403, "access"), (404, "no such model"), (400, "")]
)
def test_a_refused_request_is_not_asked_again(question: Any, status: int, hint: str) -> None:
    with (
        served(Fail(status, "no")) as (models, server),
        pytest.raises(InfraError, match=str(status)) as caught,
    ):
        models.ask(question())
    assert not caught.value.retryable
    assert hint in caught.value.hint
    assert len(server.requests) == 1


def test_an_empty_account_is_not_waited_for(question: Any) -> None:
    broke = Fail(429, "pay first", retry_after=1, code="insufficient_quota")
    with served(broke) as (models, server), pytest.raises(InfraError, match="pay first") as caught:
        models.ask(question())
    assert not caught.value.retryable
    assert len(server.requests) == 1


def test_a_filtered_question_is_a_reply(question: Any) -> None:
    reply = whole(question(), Fail(400, "no", code="content_filter"))
    assert (reply.text, reply.finish) == (None, "content_filter")


@pytest.mark.parametrize("ends", ["cut", "reset"])
def test_a_stream_cut_after_a_piece_is_not_asked_again(
    question: Any, completed: Completed, ends: Any
) -> None:
    with (
        served(Say("One two three", ends=ends, delay=0.01)) as (models, server),
        pytest.raises(InfraError) as caught,
    ):
        completed(models, question())
    assert caught.value.retryable
    assert len(server.requests) == 1


def test_a_stream_that_ends_without_a_finish_is_cut(question: Any, completed: Completed) -> None:
    with (
        served(Say("One two", finish=None)) as (models, _),
        pytest.raises(InfraError, match="finish"),
    ):
        completed(models, question())


def test_a_slow_server_is_waited_for_no_longer_than_asked(question: Any) -> None:
    with (
        served(Say("Late.", delay=5)) as (models, server),
        pytest.raises(InfraError, match=r"no answer within 0\.05 s"),
    ):
        models.ask(question(timeout=0.05))
    assert len(server.requests) == persisting.TRIES


@pytest.mark.parametrize(
    "limited",
    [
        Fail(429, retry_after=0),
        Fail(429, retry_after=0.05),
        Fail(429, retry_after=1, as_date=True),
        Fail(429),
        Fail(429, headers={"retry-after-ms": "30"}),
        Fail(429, headers={"Retry-After": "soon"}),
    ],
)
def test_a_limit_is_waited_for(question: Any, limited: Fail) -> None:
    answers = (*[limited] * 2, "Hello.")
    if limited.as_date:
        answers = (limited, "Hello.")
    with served(*answers) as (models, server):
        assert models.ask(question()).text == "Hello."
    assert len(server.requests) == len(answers)


def test_a_wait_of_hours_is_an_error_that_says_so(question: Any) -> None:
    with served(Fail(429, retry_after=7200)) as (models, server):
        with pytest.raises(InfraError) as caught:
            models.ask(question())
        assert caught.value.retry_after == 7200
        with pytest.raises(InfraError, match="wants no more requests"):
            models.ask(question())
    assert len(server.requests) == 1


def test_all_who_ask_wait_when_one_is_told_to(question: Any) -> None:
    with (
        served(Fail(429, retry_after=0.4), "Hello.") as (one, server),
        Models(server.environment) as other,
    ):
        first = threading.Thread(target=one.ask, args=(question(),))
        first.start()
        while not server.requests:
            threading.Event().wait(0.01)
        threading.Event().wait(0.1)
        other.ask(question())
        first.join()
    told, *rest = [asked.at for asked in server.requests]
    assert len(rest) == 2
    assert min(rest) - told >= 0.4


def test_a_limited_provider_slows_a_run_and_fails_nothing(question: Any) -> None:
    async def main(models: Models) -> list[ChatReply]:
        return await asyncio.gather(
            *[models.complete(question(trial=trial)) for trial in range(60)]
        )

    every = (3, Fail(429, retry_after=0.02))
    with served("Hello.", rate=Rate(200, burst=20, header="exact"), every=every) as (
        models,
        server,
    ):
        replies = asyncio.run(main(models))
    assert [reply.text for reply in replies] == ["Hello."] * 60
    assert server.limited >= 29  # every third of the 60 answered and those refused


def test_it_is_asked_from_several_loops(question: Any, completed: Completed) -> None:
    with served("Hello.") as (models, _):
        assert [completed(models, question())[0].text for _ in range(3)] == ["Hello."] * 3


def test_the_one_who_asked_may_be_cancelled(question: Any) -> None:
    async def main(models: Models) -> None:
        task = asyncio.create_task(models.complete(question()))
        await asyncio.sleep(0.2)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with served(Say("Late.", delay=20), "Next.") as (models, _):
        asyncio.run(main(models))
        assert models.ask(question()).text == "Next."


def test_closing_ends_what_is_under_way_and_its_thread(question: Any) -> None:
    raised: list[BaseException] = []

    def ask(models: Models) -> None:
        try:
            models.ask(question())
        except InfraError as error:
            raised.append(error)

    with model_server(Say("Late.", delay=20)) as server:
        models = Models(server.environment)
        thread = threading.Thread(target=ask, args=(models,))
        thread.start()
        while not server.requests:
            threading.Event().wait(0.01)
        models.close()
        thread.join()
    assert "the run ended" in str(raised[0])
    assert "probare-models" not in [each.name for each in threading.enumerate()]
    with pytest.raises(HarnessError, match="closed"):
        models.ask(question())
    models.close()


def test_waiting_for_a_limit_stops_the_trials_clock(question: Any) -> None:
    from probare.ports.clock import CLOCK

    told: list[str] = []

    class Clock:
        def stop(self) -> None:
            told.append("stop")

        def go_on(self) -> None:
            told.append("go on")

    def ask() -> None:
        CLOCK.set(Clock())
        models.ask(question())

    with served(Fail(429, retry_after=0.01), "Hello.") as (models, _):
        contextvars.copy_context().run(ask)
    assert told == ["stop", "go on"] * 3


def test_a_missing_key_is_named_before_anything_is_asked(question: Any) -> None:
    models = Models({})
    with pytest.raises(InputError, match="OPENAI_API_KEY"):
        models.check("openai:gpt-4.1-mini")
    with pytest.raises(InputError, match="OPENAI_API_KEY"):
        models.ask(question())
    models.close()
