from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from probare.errors import InputError
from probare.loading.importing import import_file
from probare.model.event import Message, ToolCall, Usage

TALK = [
    {"role": "system", "content": "Be kind."},
    {"role": "user", "content": "hi"},
    {"role": "assistant", "content": "hello"},
    {"role": "user", "content": "bye"},
    {"role": "assistant", "content": "goodbye"},
]


def lines(*values: Any) -> str:
    return "".join(json.dumps(value) + "\n" for value in values)


def test_a_line_is_a_conversation(imported: Any) -> None:
    found = imported("chat", lines(TALK, {"messages": TALK, "id": "two"}))
    assert set(found.cases) == {"conversation_1", "two"}
    assert found.cases["two"]["input"] == {"messages": TALK[:2]}
    transcript = found.transcripts[0]
    assert transcript.outcome.output == "goodbye"
    assert [event.kind for event in transcript.events] == ["message"] * 5
    assert isinstance(transcript.events[0], Message)
    assert "2 of 2 cases have no recorded score" in found.written.notes[0]


def test_scores_become_required_checks(imported: Any) -> None:
    line = {"messages": TALK, "scores": {"is polite": True, "note": "x"}, "reward": 0.5}
    found = imported("chat", lines(line))
    assert [check["in"] for check in found.cases["conversation_1"]["expect"]] == [
        "$recorded.is_polite",
        "$recorded.reward",
    ]
    assert found.transcripts[0].outcome.recorded == {"is_polite": 1.0, "note": "x", "reward": 0.5}


def test_a_trial_without_a_score_does_not_free_the_others_of_theirs(imported: Any) -> None:
    scored = {"messages": TALK, "id": "a", "trial": 1, "reward": 0}
    found = imported("chat", lines({"messages": TALK, "id": "a"}, scored))
    assert len(found.cases["a"]["expect"]) == 1
    assert found.written.notes == ()


def test_usage_counts_cached_tokens_once(imported: Any) -> None:
    usage = {
        "prompt_tokens": 10,
        "completion_tokens": 20,
        "prompt_tokens_details": {"cached_tokens": 5},
    }
    found = imported("chat", lines({"messages": TALK, "usage": usage, "model": "m"}))
    event = found.transcripts[0].events[-1]
    assert isinstance(event, Usage)
    assert (event.input_tokens, event.cached_tokens, event.output_tokens) == (10, 5, 20)
    assert (event.model, event.cost_usd) == ("m", None)


def test_odd_usage_is_unknown(imported: Any) -> None:
    usage = {"prompt_tokens": "many", "completion_tokens": -1, "prompt_tokens_details": 3}
    found = imported("chat", lines({"messages": TALK, "usage": usage, "model": 7}))
    event = found.transcripts[0].events[-1]
    assert isinstance(event, Usage)
    assert (event.input_tokens, event.output_tokens, event.model) == (None, None, None)


def test_tool_calls_with_odd_ids(imported: Any) -> None:
    call = {"id": 7, "function": {"name": "t", "arguments": '{"a": 1, "a": 2}'}}
    found = imported("chat", lines([{"role": "assistant", "content": "x", "tool_calls": [call]}]))
    event = found.transcripts[0].events[-1]
    assert isinstance(event, ToolCall)
    assert (event.call_id, event.arguments) == ("7", '{"a": 1, "a": 2}')


def test_no_reply_is_no_output(imported: Any) -> None:
    found = imported("chat", lines([{"role": "user", "content": "hi"}]))
    assert not isinstance(found.transcripts[0].outcome.output, str)


def test_blank_lines_and_a_byte_order_mark_are_fine(imported: Any) -> None:
    text = b"\xef\xbb\xbf" + json.dumps(TALK).encode() + b"\r\n\r\n" + json.dumps(TALK).encode()
    assert set(imported("chat", text).cases) == {"conversation_1", "conversation_3"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1\n", r"recording:1: not a line of JSON"),
        (lines(TALK) + "{}\n", r"recording:2: no conversation"),
        (lines({"messages": []}), r"recording:1: no conversation"),
        (lines("hello"), r"recording:1: no conversation"),
        (lines({"messages": TALK, "trial": "x"}), r"recording:1: a trial should be"),
        (lines({"messages": TALK, "trial": 10**9}), r"recording:1: a trial should be"),
        ('{"messages": [1], "messages": [2]}', "duplicate key 'messages'"),
        ("", "nothing is recorded in chat: recording"),
        (lines({"messages": TALK, "id": 1}, {"messages": TALK, "id": 1}), "trial 0 twice"),
    ],
)
def test_bad_lines_are_told_with_their_place(text: str, message: str, imported: Any) -> None:
    with pytest.raises(InputError, match=message):
        imported("chat", text)


class TestImportFile:
    def test_unknown_formats(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="no format 'tau'") as caught:
            import_file("tau", tmp_path / "x", tmp_path / "out")
        assert "tau_bench" in caught.value.hint

    def test_a_missing_file(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="there is no file"):
            import_file("chat", tmp_path, tmp_path / "out")

    def test_nothing_is_written_over(self, tmp_path: Path) -> None:
        """Field report B62."""
        file = tmp_path / "talk.jsonl"
        file.write_text(lines(TALK))
        out = tmp_path / "out"
        import_file("chat", file, out)
        before = {path.name: path.read_bytes() for path in out.iterdir()}
        with pytest.raises(InputError, match="exists already"):
            import_file("chat", file, out)
        assert {path.name: path.read_bytes() for path in out.iterdir()} == before

    def test_a_place_that_cannot_be_written(self, tmp_path: Path) -> None:
        file = tmp_path / "talk.jsonl"
        file.write_text(lines(TALK))
        with pytest.raises(InputError, match=r"talk\.jsonl"):
            import_file("chat", file, file / "inside")

    def test_missing_trials_are_said(self, imported: Any) -> None:
        found = imported("chat", lines({"messages": TALK, "trial": 2}))
        assert any("trials are missing" in note for note in found.written.notes)
