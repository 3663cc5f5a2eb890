from typing import Any

import msgspec
import pytest

from probare.errors import GraderError
from probare.graders import similarity
from probare.graders.similarity import Similar, WordCount, count_words
from probare.model.case import Case
from probare.model.outcome import Transcript
from probare.ports.grader import GradingSettings, TrialView

TRIAL = TrialView(case=Case(id="c"), transcript=Transcript(case="c"), settings=GradingSettings())


@pytest.mark.parametrize(
    ("a", "b", "score"),
    [
        ("kitten", "sitting", 1 - 3 / 7),
        ("yes", "no", 0.0),
        ("is safe", "is unsafe", 1 - 2 / 9),
        ("", "", 1.0),
        ("", "abc", 0.0),
        ("café", "cafe\u0301", 1.0),
        ("Same", "same", 0.75),
    ],
)
def test_the_score_is_one_minus_the_share_of_edits(a: str, b: str, score: float) -> None:
    verdict = Similar(to=b, at_least=0.5).grade(a, TRIAL)
    assert verdict.score == pytest.approx(score)
    assert verdict.result == ("pass" if score >= 0.5 else "fail")


def test_the_reason_states_score_and_bound() -> None:
    verdict = Similar(to="no", at_least=0.8).grade("yes", TRIAL)
    assert verdict.reason == "similarity 0.000, wanted at least 0.8: 'yes' against 'no'"


@pytest.mark.parametrize("args", [{"to": "a"}, {"to": "a", "at_least": 1.5}, {"at_least": 0.5}])
def test_bounds_are_required_and_checked(args: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(args, Similar)


def test_texts_beyond_reason_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(similarity, "_MOST_CELLS", 100)
    with pytest.raises(GraderError, match="too long"):
        Similar(to="a" * 11, at_least=0.5).grade("b" * 10, TRIAL)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("— … !", 0),
        ("Hello, world.", 2),
        ("I don’t stop 1,000 times", 5),
        ("well-known co\u00adoperation", 2),
        ("one,two", 2),
        ("3.5 mg", 2),
        ("snake_case _x", 2),
        ("a\u00a0b\nc", 3),
        ("नमस्ते दुनिया", 2),
        ("你好世界", 4),
        ("私はPythonが好き", 6),
        ("안녕 세상", 2),
        ("สวัสดีครับ", None),
    ],
)
def test_words(text: str, count: int | None) -> None:
    assert count_words(text) == count


def test_word_count_in_a_range() -> None:
    assert WordCount(min=2, max=3).grade("one two", TRIAL).result == "pass"
    verdict = WordCount(min=3).grade("one two", TRIAL)
    assert (verdict.result, verdict.reason) == ("fail", "2 words, wanted at least 3")
    verdict = WordCount(max=1).grade("one two", TRIAL)
    assert (verdict.result, verdict.reason) == ("fail", "2 words, wanted at most 1")
    assert WordCount(max=0).grade("", TRIAL).result == "pass"
    assert WordCount(min=1).grade("", TRIAL).result == "fail"
    assert WordCount(max=5).grade("สวัสดี", TRIAL).result == "unknown"


@pytest.mark.parametrize("args", [{}, {"min": 5, "max": 4}, {"min": -1}, {"max": 2.5}])
def test_a_range_that_is_none_is_a_load_error(args: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(args, WordCount)
