"""The suite with a chat model: what a run keeps of it, and how its faults end."""

from __future__ import annotations

from pathlib import Path

import pytest

from probare import run
from probare.model.event import Note, Usage
from probare.pipeline.runs import Run
from probare.testing.model_server import Fail, ModelServer, Say, model_server

FOLDER = Path(__file__).parent
CASE = "guard_ready_button_en"
TEXT = "Everything is there, so you can generate the report now: open Report."
USAGE = {"prompt_tokens": 900, "completion_tokens": 12, "total_tokens": 912}


def ran(server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, retries: int) -> Run:
    monkeypatch.setenv("HELP_MODEL", "openai:fake-1")
    for variable, value in server.environment.items():
        monkeypatch.setenv(variable, value)
    return run(FOLDER, cases=[CASE], runs=tmp_path, retries=retries)


def test_a_limited_endpoint_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with model_server(Fail(429, "slow down", retry_after=0), Say(TEXT, usage=USAGE)) as server:
        result = ran(server, tmp_path, monkeypatch, retries=0)
    [record] = result.records()
    assert (record.status, record.attempts, len(server.requests)) == ("passed", 1, 2)
    assert record.first_token_ms is not None
    events = result.transcript(record).events
    assert [e.data["temperature"] for e in events if isinstance(e, Note) and e.data] == [0.3]
    [usage] = [event for event in events if isinstance(event, Usage)]
    assert (usage.input_tokens, usage.output_tokens, usage.model) == (900, 12, "fake-1")


def test_a_stream_cut_in_the_middle_is_neither_passed_nor_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with model_server(Say(TEXT, ends="cut", delay=0.01)) as server:
        result = ran(server, tmp_path, monkeypatch, retries=0)
    [record] = result.records()
    assert (record.stop, record.status, result.exit_code) == ("infra_error", "errored", 3)
    outcome = result.transcript(record).outcome
    assert outcome.truncated
    assert str(outcome.output).startswith("Everything is there")


def test_the_key_stands_nowhere_in_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with model_server(Fail(401, "no access with Bearer not-a-real-key")) as server:
        result = ran(server, tmp_path, monkeypatch, retries=2)
    assert (result.exit_code, len(server.requests)) == (3, 1)
    files = [path for path in result.folder.rglob("*") if path.is_file()]
    assert files
    assert [path.name for path in files if b"not-a-real-key" in path.read_bytes()] == []
