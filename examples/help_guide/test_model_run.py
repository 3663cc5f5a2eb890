"""The suite with a chat model: what a run keeps of it, and how its faults end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from probare import run
from probare.model.event import Note, Usage
from probare.pipeline.runs import Run
from probare.testing.servers import Reply, serving

FOLDER = Path(__file__).parent
CASE = "guard_ready_button_en"
TEXT = ("Everything is there, so you can ", "generate the report now: ", "open Report.")


def piece(text: str | None, finish: str | None = None) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": finish}]}


USAGE = {"choices": [], "usage": {"prompt_tokens": 900, "completion_tokens": 12}}
WHOLE = Reply.sse(*map(piece, TEXT), piece(None, "stop"), USAGE, "[DONE]")


def ran(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, retries: int) -> Run:
    monkeypatch.setenv("HELP_MODEL", "openai:fake-1")
    monkeypatch.setenv("OPENAI_BASE_URL", url)
    monkeypatch.setenv("OPENAI_API_KEY", "not-a-real-key")
    return run(FOLDER, cases=[CASE], runs=tmp_path, retries=retries)


def test_a_limited_endpoint_is_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limited = Reply.of({"error": "slow down"}, status=429, headers={"Retry-After": "0"})
    with serving(limited, WHOLE) as server:
        result = ran(server.url, tmp_path, monkeypatch, retries=1)
    [record] = result.records()
    assert (record.status, len(server.requests)) == ("passed", 2)
    assert record.first_token_ms is not None
    events = result.transcript(record).events
    assert [e.data["temperature"] for e in events if isinstance(e, Note) and e.data] == [0.3, 0.3]
    [usage] = [event for event in events if isinstance(event, Usage)]
    assert (usage.input_tokens, usage.output_tokens, usage.model) == (900, 12, "fake-1")


def test_a_stream_cut_in_the_middle_is_neither_passed_nor_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(Reply.sse(*map(piece, TEXT[:2]), ends="cut")) as server:
        result = ran(server.url, tmp_path, monkeypatch, retries=0)
    [record] = result.records()
    assert (record.stop, record.status, result.exit_code) == ("infra_error", "errored", 3)
    outcome = result.transcript(record).outcome
    assert outcome.truncated
    assert str(outcome.output).startswith("".join(TEXT[:2]))


def test_the_key_stands_nowhere_in_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refusal = Reply.of({"error": "no access with Bearer not-a-real-key"}, status=401)
    with serving(refusal) as server:
        result = ran(server.url, tmp_path, monkeypatch, retries=2)
    assert (result.exit_code, len(server.requests)) == (3, 1)
    files = [path for path in result.folder.rglob("*") if path.is_file()]
    assert files
    assert [path.name for path in files if b"not-a-real-key" in path.read_bytes()] == []
