from __future__ import annotations

from typing import Any

import pytest

from probare.errors import GraderError
from probare.graders.banned import BannedWords
from probare.model.verdict import Span


def test_it_holds_where_the_text_is_free_of_them(ask: Any) -> None:
    verdict = ask(BannedWords, "We start now.", words=["art", "synergy"])
    assert (verdict.result, verdict.score) == ("pass", 1.0)
    assert ask(BannedWords, "", words=["art"]).result == "pass"


def test_a_hit_fails_with_its_place(ask: Any) -> None:
    verdict = ask(BannedWords, "Passionate: we LEVERAGE synergy", words=["leverage", "synergy"])
    assert verdict.result == "fail"
    assert verdict.spans == (Span(15, 23), Span(24, 31))
    assert "'leverage', 'synergy'" in verdict.reason
    assert "character 15" in verdict.reason


def test_inflections_are_found_only_where_asked(ask: Any) -> None:
    text = "She leveraged it"
    assert ask(BannedWords, text, words=["leverage"]).result == "pass"
    assert ask(BannedWords, text, words=["leverage"], inflections=True).result == "fail"
    assert ask(BannedWords, "restart", words=["art"], inflections=True).result == "pass"
    circled = ask(BannedWords, "We circled back.", words=["circle back"], inflections=True)
    assert circled.result == "fail"


def test_an_allowed_phrase_shields_what_stands_in_it_and_no_more(ask: Any) -> None:
    args = {"words": ["art"], "allow": ["state of the art"]}
    assert ask(BannedWords, "A state-of-the-art system", **args).result == "pass"
    verdict = ask(BannedWords, "state of the art is art", **args)
    assert verdict.result == "fail"
    assert verdict.spans == (Span(20, 23),)


def test_escapes_in_json_hide_nothing(ask: Any) -> None:
    args = {"words": ["leverage"]}
    assert ask(BannedWords, '{"summary": "x\\nleverage it"}', **args).result == "fail"
    assert ask(BannedWords, {"bullets": ["we leverage"]}, **args).result == "fail"


def test_places_are_those_of_the_text_as_it_was_seen(ask: Any) -> None:
    text = "Stra\u00dfe\u200b art"
    verdict = ask(BannedWords, text, words=["art"])
    assert [text[span.start : span.end] for span in verdict.spans] == ["art"]


@pytest.mark.parametrize("words", [[], [""], ["ok", " \u200b"]])
def test_lists_that_ban_nothing_are_refused(ask: Any, words: list[str]) -> None:
    with pytest.raises(ValueError, match="words"):
        ask(BannedWords, "x", words=words)


def test_null_is_no_text(ask: Any) -> None:
    with pytest.raises(GraderError):
        ask(BannedWords, None, words=["art"])
