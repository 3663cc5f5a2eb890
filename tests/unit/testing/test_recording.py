"""A recorder to look into."""

from __future__ import annotations

import pytest

from probare.model.event import Message, ToolCall
from probare.targets.recorder import current
from probare.testing import Recorder


def test_what_was_recorded_is_there_to_ask() -> None:
    recorder = Recorder()

    def search_pages(query: str) -> list[str]:
        return [query]

    search = recorder.tool(search_pages, name="search")
    recorder.message("user", "hi")
    search("one")
    search("two")
    recorder.decision("send", "deny")
    assert recorder.kinds == ["message", *["tool_call", "tool_result"] * 2, "decision"]
    assert recorder.calls == ["search", "search"]
    assert [call.arguments for call in recorder.of("tool_call")] == [
        {"query": "one"},
        {"query": "two"},
    ]
    assert recorder.of("approval") == []
    assert recorder.last.kind == "decision"


def test_it_becomes_a_transcript() -> None:
    recorder = Recorder()
    recorder.tool(lambda: 1, name="act")()
    transcript = recorder.transcript("a", 2)
    assert (transcript.case, transcript.trial) == ("a", 2)
    assert isinstance(transcript.events[0], ToolCall)
    assert transcript.observes == ("tools",)


def test_inside_its_block_it_is_the_current_one() -> None:
    assert current() is None
    with Recorder() as outer:
        assert current() is outer
        with Recorder() as inner:
            assert current() is inner
            inner.message("user", "hi")
        assert current() is outer
    assert current() is None
    assert isinstance(inner.last, Message)
    assert outer.events == ()


def test_it_is_given_back_after_an_error() -> None:
    with pytest.raises(ZeroDivisionError), Recorder():
        raise ZeroDivisionError
    assert current() is None


def test_an_empty_one_has_no_last_event() -> None:
    with pytest.raises(IndexError):
        _ = Recorder().last
