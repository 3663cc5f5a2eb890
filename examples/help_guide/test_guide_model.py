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
from probare.testing.model_server import Fail, ModelServer, Say, model_server

FOLDER = Path(__file__).parent
HelpTarget = usercode.load("agent:HelpTarget", FOLDER)
name_of = usercode.load("guide_model:name_of", FOLDER)

VARIABLES = ("HELP_MODEL", "OPENAI_API_KEY", "OPENAI_BASE_URL", "AZURE_OPENAI_ENDPOINT")
REQUEST = {
    "state": {"analysis": "done", "goal": "omzet"},
    "report_ready": {"ready": False, "missing": ["delta"]},
    "history": [{"role": "user", "content": "tolong bantu saya membaca ini"}],
    "message": None,
}
USAGE = {
    "prompt_tokens": 900,
    "completion_tokens": 12,
    "total_tokens": 912,
    "prompt_tokens_details": {"cached_tokens": 800},
}
WHOLE = Say("Silakan buka Bandingkan.", pieces=2, usage=USAGE, model="fake-1-2024")


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)


def reply_of(target: Any, recorder: Recorder) -> list[Any]:
    found: list[Any] = []

    async def run() -> None:
        target.set_up()
        try:
            async for part in target.run(REQUEST, recorder):
                found.append(part)
        finally:
            target.tear_down()

    try:
        asyncio.run(run())
    except Exception as error:
        error.add_note(repr(found))
        raise
    return found


def use(monkeypatch: pytest.MonkeyPatch, server: ModelServer) -> None:
    monkeypatch.setenv("HELP_MODEL", "fake-1")
    for variable, value in server.environment.items():
        monkeypatch.setenv(variable, value)


def test_a_models_reply_is_streamed_and_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder()
    with model_server(WHOLE) as server:
        use(monkeypatch, server)
        assert reply_of(HelpTarget(), recorder) == ["Silakan buka", " Bandingkan."]
    [asked] = server.requests
    assert (asked.body["model"], asked.body["temperature"]) == ("fake-1", 0.3)
    assert asked.body["stream"] is True
    assert "[Reply language] Indonesian (id)" in asked.messages[0]["content"]
    [note] = [event for event in recorder.events if isinstance(event, Note)]
    assert note.text == "the reply is written by the chat model openai:fake-1"
    assert (note.data["model"], note.data["temperature"]) == ("openai:fake-1", 0.3)
    [usage] = [event for event in recorder.events if isinstance(event, Usage)]
    assert (usage.input_tokens, usage.output_tokens, usage.cached_tokens) == (900, 12, 800)
    assert (usage.model, usage.cost_usd) == ("fake-1-2024", None)
    messages = [event for event in recorder.events if isinstance(event, Message)]
    assert [message.role for message in messages] == ["system", "user", "assistant"]
    assert messages[-1].content == "Silakan buka Bandingkan."


def test_a_stream_that_breaks_is_a_failure_around_the_agent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with model_server(Say("Silakan buka", pieces=1, ends="cut", delay=0.01)) as server:
        use(monkeypatch, server)
        with pytest.raises(InfraError) as caught:
            reply_of(HelpTarget(), Recorder())
    assert caught.value.retryable
    assert caught.value.__notes__ == ["['Silakan buka']"]


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (Say("Silakan", finish="length"), "length"),
        (Say("Silakan", finish="content_filter"), "content_filter"),
        (Say(refusal="I may not."), "I may not"),
    ],
)
def test_a_reply_that_the_model_did_not_finish_is_the_agents_fault(
    said: Say, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with model_server(said) as server:
        use(monkeypatch, server)
        with pytest.raises(TargetError, match=why):
            reply_of(HelpTarget(), Recorder())


def test_a_refused_key_is_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with model_server(Fail(401, "no")) as server:
        use(monkeypatch, server)
        with pytest.raises(InfraError, match="401: no") as caught:
            reply_of(HelpTarget(), Recorder())
    assert not caught.value.retryable
    assert len(server.requests) == 1


def test_a_model_that_says_nothing_has_an_empty_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    with model_server(Say("")) as server:
        use(monkeypatch, server)
        assert reply_of(HelpTarget(), Recorder()) == [Outcome(output="")]


def test_without_a_models_name_nothing_leaves_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder()
    with model_server(WHOLE) as server:
        use(monkeypatch, server)
        monkeypatch.delenv("HELP_MODEL")
        text = "".join(reply_of(HelpTarget(), recorder))
    assert server.requests == []
    assert "Bandingkan periode" in text
    [note] = [event for event in recorder.events if isinstance(event, Note)]
    assert note.text == "the reply is written by the offline writer"
    assert (note.data["model"], note.data["temperature"]) == (None, None)


def test_the_commands_model_wins_over_the_environments(monkeypatch: pytest.MonkeyPatch) -> None:
    with model_server(WHOLE) as server:
        use(monkeypatch, server)
        reply_of(HelpTarget(model="openai:other"), Recorder())
    assert server.requests[0].body["model"] == "other"


def test_a_missing_key_is_named_before_the_first_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HELP_MODEL", "fake-1")
    with pytest.raises(InputError, match="OPENAI_API_KEY"):
        HelpTarget().set_up()


def test_which_provider_a_name_means() -> None:
    azure = {"AZURE_OPENAI_ENDPOINT": "https://x.example/"}
    assert name_of({}) is None
    assert name_of({"HELP_MODEL": ""}) is None
    assert name_of({"HELP_MODEL": "llama3:8b"}) == "openai:llama3:8b"
    assert name_of({**azure, "HELP_MODEL": "guide"}) == "azure:guide"
    assert name_of({**azure, "HELP_MODEL": "guide"}, "openai:a") == "openai:a"
    assert name_of({}, "ollama:llama3:8b") == "ollama:llama3:8b"
