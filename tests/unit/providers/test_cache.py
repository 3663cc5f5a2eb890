"""Replies kept on disk: what the key holds, what is kept, and what is never given again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from probare.errors import InfraError
from probare.masking import Masker
from probare.ports.chat import ChatReply, ChatTool
from probare.providers import Models
from probare.providers.cache import ReplyCache
from probare.testing.model_server import Fail, Say, model_server

SECRET = "correct-horse-battery"


@pytest.fixture
def warnings() -> list[str]:
    return []


@pytest.fixture
def cache(tmp_path: Path, warnings: list[str]) -> ReplyCache:
    return ReplyCache(tmp_path, Masker({"TOKEN": SECRET}), warnings.append)


def test_the_key_holds_the_whole_question_but_its_timeout(cache: ReplyCache, question: Any) -> None:
    asked = question()
    others = [
        question("Who is she?"),
        question(model="openai:gpt-4.1"),
        question(tools=(ChatTool(name="x"),)),
        question(output={"type": "object"}),
        question(temperature=0.0),
        question(max_tokens=1),
        question(seed=1),
        question(purpose="judge"),
        question(case="c"),
        question(trial=1),
        question(turn=1),
    ]
    keys = {cache.key(each, None) for each in [asked, *others]}
    assert len(keys) == len(others) + 1
    assert cache.key(asked, "http://x/v1") not in keys
    assert cache.key(question(timeout=5.0), None) == cache.key(asked, None)


def test_a_kept_reply_costs_nothing_and_took_no_time(tmp_path: Path, question: Any) -> None:
    with model_server(Say("One."), Say("Two.")) as server:
        with Models(server.environment, cache=tmp_path) as models:
            first = models.ask(question())
            other = models.ask(question(trial=1))
        with Models(server.environment, cache=tmp_path) as models:
            again = models.ask(question())
    assert [first.text, other.text, again.text] == ["One.", "Two.", "One."]
    assert (first.cached, again.cached) == (False, True)
    assert len(server.requests) == 2
    assert first.usage is not None
    assert again.usage is not None
    assert first.usage.cost_usd is not None
    assert (again.usage.cost_usd, again.first_token_ms) == (None, None)
    assert again.usage.input_tokens == first.usage.input_tokens


def test_a_kept_reply_is_told_as_one_piece(tmp_path: Path, question: Any, completed: Any) -> None:
    with model_server("One two.") as server, Models(server.environment, cache=tmp_path) as models:
        fresh, pieces = completed(models, question())
        kept, whole = completed(models, question())
    assert (fresh.text, "".join(pieces)) == (kept.text, "One two.")
    assert whole == ["One two."]


@pytest.mark.parametrize("finish", ["content_filter", "unknown"])
def test_what_the_model_did_not_end_is_not_kept(cache: ReplyCache, finish: Any) -> None:
    cache.put("ab" * 32, ChatReply(text="x", model="m", finish=finish))
    assert cache.get("ab" * 32) is None


@pytest.mark.parametrize("finish", ["stop", "length", "tool_calls", "refused"])
def test_what_the_model_ended_is_kept(cache: ReplyCache, finish: Any) -> None:
    cache.put("ab" * 32, ChatReply(text="x", model="m", finish=finish))
    kept = cache.get("ab" * 32)
    assert kept is not None
    assert kept.cached


def test_errors_are_not_kept(tmp_path: Path, question: Any) -> None:
    server = model_server(Fail(400), "Hello.")
    with server as running, Models(running.environment, cache=tmp_path) as models:
        with pytest.raises(InfraError):
            models.ask(question())
        assert models.ask(question()).text == "Hello."


def test_no_secret_is_kept(cache: ReplyCache, tmp_path: Path) -> None:
    cache.put("ab" * 32, ChatReply(text=f"It is {SECRET}.", model="m", finish="stop"))
    assert list(tmp_path.rglob("*.json")) == []


def test_the_question_is_not_kept(tmp_path: Path, question: Any) -> None:
    with model_server("Hello.") as server, Models(server.environment, cache=tmp_path) as models:
        models.ask(question("a very private thing"))
    [file] = tmp_path.rglob("*.json")
    assert b"private" not in file.read_bytes()


@pytest.mark.parametrize("spoiled", [b"", b"{", b"[]", b'{"format": 1}', b"\xff\xfe", b"null"])
def test_a_spoiled_entry_is_a_miss_with_a_warning(
    cache: ReplyCache, tmp_path: Path, warnings: list[str], spoiled: bytes
) -> None:
    key = "ab" * 32
    cache.put(key, ChatReply(text="x", model="m", finish="stop"))
    [file] = tmp_path.rglob("*.json")
    file.write_bytes(spoiled)
    assert cache.get(key) is None
    assert len(warnings) == 1
    assert str(file) in warnings[0]


def test_another_questions_entry_is_a_miss(
    cache: ReplyCache, tmp_path: Path, warnings: list[str]
) -> None:
    cache.put("ab" * 32, ChatReply(text="x", model="m", finish="stop"))
    [file] = tmp_path.rglob("*.json")
    entry = msgspec.json.decode(file.read_bytes())
    file.write_bytes(msgspec.json.encode({**entry, "key": "cd" * 32}))
    assert cache.get("ab" * 32) is None
    assert "another question's" in warnings[0]


def test_a_folder_that_cannot_be_written_is_a_warning(tmp_path: Path, warnings: list[str]) -> None:
    file = tmp_path / "file"
    file.touch()
    cache = ReplyCache(file, Masker({}), warnings.append)
    cache.put("ab" * 32, ChatReply(text="x", model="m", finish="stop"))
    assert "could not be cached" in warnings[0]
    assert cache.get("ab" * 32) is None
