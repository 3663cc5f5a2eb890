"""The guide with a chat model: a fake one on this machine, which also misbehaves."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from probare.errors import InfraError, InputError, TargetError
from probare.grading import usercode
from probare.model.event import Message, Note, Usage
from probare.model.outcome import Outcome
from probare.targets.recorder import Recorder
from probare.testing.servers import Reply, serving

FOLDER = Path(__file__).parent
HelpTarget = usercode.load("agent:HelpTarget", FOLDER)
from_environment = usercode.load("chat_model:from_environment", FOLDER)
ModelMisconfigured = usercode.load("chat_model:ModelMisconfigured", FOLDER)

VARIABLES = (
    "HELP_MODEL",
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "AZURE_OPENAI_ENDPOINT",
    "AZURE_OPENAI_API_KEY",
    "AZURE_OPENAI_DEPLOYMENT",
    "AZURE_OPENAI_API_VERSION",
)
REQUEST = {
    "state": {"analysis": "done", "goal": "omzet"},
    "report_ready": {"ready": False, "missing": ["delta"]},
    "history": [{"role": "user", "content": "tolong bantu saya membaca ini"}],
    "message": None,
}
TOKENS = {
    "prompt_tokens": 900,
    "completion_tokens": 12,
    "prompt_tokens_details": {"cached_tokens": 800},
}
USAGE = {"choices": [], "model": "fake-1-2024", "usage": TOKENS}


def piece(text: str | None, finish: str | None = None) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": finish}]}


WHOLE = Reply.sse(
    piece(""), piece("Silakan buka "), piece("Bandingkan."), piece(None, "stop"), USAGE, "[DONE]"
)


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)


def reply_of(target: Any, recorder: Recorder) -> list[Any]:
    found: list[Any] = []

    async def run() -> None:
        target.set_up()
        async for part in target.run(REQUEST, recorder):
            found.append(part)

    try:
        asyncio.run(run())
    except Exception as error:
        error.add_note(repr(found))
        raise
    return found


def use(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("HELP_MODEL", "fake-1")
    monkeypatch.setenv("OPENAI_BASE_URL", f"{url}v1")
    monkeypatch.setenv("OPENAI_API_KEY", "not-a-real-key")


def test_a_models_reply_is_streamed_and_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder()
    with serving(WHOLE) as server:
        use(monkeypatch, server.url)
        assert reply_of(HelpTarget(), recorder) == ["Silakan buka ", "Bandingkan."]
    [request] = server.requests
    assert request.path == "/v1/chat/completions"
    headers = {name.lower(): value for name, value in request.headers.items()}
    assert headers["authorization"] == "Bearer not-a-real-key"
    assert request.value["model"] == "fake-1"
    assert request.value["temperature"] == 0.3
    assert request.value["stream"] is True
    assert "[Reply language] Indonesian (id)" in request.value["messages"][0]["content"]
    [note] = [event for event in recorder.events if isinstance(event, Note)]
    assert note.text == "the reply is written by the chat model fake-1"
    assert (note.data["model"], note.data["temperature"]) == ("fake-1", 0.3)
    [usage] = [event for event in recorder.events if isinstance(event, Usage)]
    assert (usage.input_tokens, usage.output_tokens, usage.cached_tokens) == (900, 12, 800)
    assert (usage.model, usage.cost_usd) == ("fake-1-2024", None)
    messages = [event for event in recorder.events if isinstance(event, Message)]
    assert [message.role for message in messages] == ["system", "user", "assistant"]
    assert messages[-1].content == "Silakan buka Bandingkan."


@pytest.mark.parametrize(
    "broken",
    [
        Reply.sse(piece("Silakan buka "), ends="cut"),
        Reply.sse(piece("Silakan buka "), ends="reset"),
        Reply.sse(piece("Silakan buka ")),
        Reply.sse(piece("Silakan buka "), "[DONE]"),
        Reply.sse(piece("Silakan buka "), '{"choices": [{"del'),
        Reply.sse(piece("Silakan buka "), "[1]"),
        Reply.sse(piece("Silakan buka "), {"error": {"message": "overloaded"}}),
    ],
    ids=["cut", "reset", "unfinished", "done too early", "half a chunk", "no chunk", "error"],
)
def test_a_stream_that_breaks_is_a_failure_around_the_agent(
    broken: Reply, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(broken) as server:
        use(monkeypatch, server.url)
        with pytest.raises(InfraError) as caught:
            reply_of(HelpTarget(), Recorder())
    assert caught.value.retryable
    assert caught.value.__notes__ == ["['Silakan buka ']"]


@pytest.mark.parametrize("finish", ["length", "content_filter"])
def test_a_reply_that_the_model_did_not_finish_is_the_agents_fault(
    finish: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(Reply.sse(piece("Silakan"), piece(None, finish), "[DONE]")) as server:
        use(monkeypatch, server.url)
        with pytest.raises(TargetError, match=finish):
            reply_of(HelpTarget(), Recorder())


@pytest.mark.parametrize(
    ("status", "headers", "retryable", "wait"),
    [
        (429, {"Retry-After": "7"}, True, 7.0),
        (429, {}, True, None),
        (503, {"Retry-After": "Thu, 01 Jan 2015 00:00:00 GMT"}, True, 0.0),
        (401, {}, False, None),
        (400, {}, False, None),
    ],
)
def test_an_error_answer_says_whether_to_try_again_and_when(
    status: int,
    headers: dict[str, str],
    retryable: bool,
    wait: float | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    refusal = Reply.of({"error": {"message": "not now"}}, status=status, headers=headers)
    with serving(refusal) as server:
        use(monkeypatch, server.url)
        with pytest.raises(InfraError, match=f"{status}.*not now") as caught:
            reply_of(HelpTarget(), Recorder())
    assert (caught.value.retryable, caught.value.retry_after) == (retryable, wait)


def test_an_answer_that_is_no_stream_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(Reply.text("<html>", "text/html")) as server:
        use(monkeypatch, server.url)
        with pytest.raises(InfraError, match="text/event-stream"):
            reply_of(HelpTarget(), Recorder())


def test_a_server_that_is_not_there_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(WHOLE) as server:
        use(monkeypatch, server.url)
    with pytest.raises(InfraError, match="connection"):
        reply_of(HelpTarget(), Recorder())


def test_a_model_that_says_nothing_has_an_empty_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(Reply.sse(piece(None, "stop"), "[DONE]")) as server:
        use(monkeypatch, server.url)
        assert reply_of(HelpTarget(), Recorder()) == [Outcome(output="")]


def test_without_a_models_name_nothing_leaves_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder()
    with serving(WHOLE) as server:
        monkeypatch.setenv("OPENAI_API_KEY", "not-a-real-key")
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        text = "".join(reply_of(HelpTarget(), recorder))
    assert server.requests == []
    assert "Bandingkan periode" in text
    [note] = [event for event in recorder.events if isinstance(event, Note)]
    assert note.text == "the reply is written by the offline writer"
    assert (note.data["model"], note.data["temperature"]) == (None, None)


def test_the_commands_model_wins_over_the_environments(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(WHOLE) as server:
        use(monkeypatch, server.url)
        reply_of(HelpTarget(model="openai:other"), Recorder())
    assert server.requests[0].value["model"] == "other"


def test_a_missing_key_is_named_before_the_first_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HELP_MODEL", "fake-1")
    with pytest.raises(InputError, match="OPENAI_API_KEY"):
        HelpTarget().set_up()


AZURE = {"AZURE_OPENAI_ENDPOINT": "https://x.example/", "AZURE_OPENAI_API_KEY": "k"}


def test_azure_is_asked_at_its_deployment() -> None:
    model = from_environment({**AZURE, "HELP_MODEL": "guide", "AZURE_OPENAI_API_VERSION": "v1"})
    assert model.url == (
        "https://x.example/openai/deployments/guide/chat/completions?api-version=v1"
    )
    assert model.headers == {"api-key": "k"}
    assert "'k'" not in repr(model)
    named = from_environment({**AZURE, "HELP_MODEL": "m", "AZURE_OPENAI_DEPLOYMENT": "d"})
    assert "/deployments/d/" in named.url


def test_a_prefix_chooses_the_provider() -> None:
    both = {**AZURE, "OPENAI_API_KEY": "o"}
    assert from_environment(both, "openai:a").url == "https://api.openai.com/v1/chat/completions"
    assert "/deployments/a/" in from_environment(both, "azure:a").url
    assert from_environment(both, "llama3:8b").model == "llama3:8b"


def test_a_server_of_ones_own_needs_no_key() -> None:
    model = from_environment({"HELP_MODEL": "m", "OPENAI_BASE_URL": "http://127.0.0.1:1/v1/"})
    assert (model.url, dict(model.headers)) == ("http://127.0.0.1:1/v1/chat/completions", {})


@pytest.mark.parametrize("variable", ["AZURE_OPENAI_ENDPOINT", "AZURE_OPENAI_API_KEY"])
def test_azure_without_its_variables_names_the_one_that_is_missing(variable: str) -> None:
    environment = {key: value for key, value in AZURE.items() if key != variable}
    with pytest.raises(ModelMisconfigured, match=variable):
        from_environment(environment, "azure:guide")
