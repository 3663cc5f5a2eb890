import unicodedata
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probare.errors import GraderError
from probare.graders.text import (
    GRADERS,
    Contains,
    ContainsAll,
    ContainsAny,
    EndsWith,
    Equals,
    StartsWith,
)
from probare.grading.judging import judge
from probare.grading.ready import make_ready
from probare.model.case import Case, Check
from probare.model.outcome import Outcome, Transcript
from probare.ports.grader import Grader, GradingSettings, TrialView

SETTINGS = GradingSettings()


def trial(output: Any = "") -> TrialView:
    transcript = Transcript(case="c", outcome=Outcome(output=output))
    return TrialView(case=Case(id="c"), transcript=transcript, settings=SETTINGS)


TRIAL = trial()


def marked(grader: Grader, text: str) -> list[str]:
    return [text[span.start : span.end] for span in grader.grade(text, TRIAL).spans]


@pytest.mark.parametrize("output", [False, 0, 0.0, "", [], {}, None])
def test_falsy_outputs_are_values(output: Any) -> None:
    assert Equals(value=output).grade(output, TRIAL).result == "pass"
    is_false = output is False
    assert Equals(value=False).grade(output, TRIAL).result == ("pass" if is_false else "fail")


def test_equals_states_expected_and_got() -> None:
    assert Equals(value="0").grade("1", TRIAL).reason == "expected '0', got '1'"


def test_equals_says_what_was_normalised() -> None:
    verdict = Equals(value="café").grade("cafe\u0301", TRIAL)
    assert verdict.result == "pass"
    assert verdict.reason == "equals 'café' (normalised: NFC)"


def test_equals_keeps_compatibility_characters_apart() -> None:
    assert Equals(value="file").grade("ﬁle", TRIAL).result == "fail"
    assert Equals(value="x2").grade("x²", TRIAL).result == "fail"


@pytest.mark.parametrize(("value", "seen"), [(1, True), (12, "12"), ("12", 12), (None, "")])
def test_equals_does_not_confuse_types(value: Any, seen: Any) -> None:
    assert Equals(value=value).grade(seen, TRIAL).result == "fail"


def test_equals_ignores_case_only_where_asked() -> None:
    assert Equals(value="Yes").grade("yes", TRIAL).result == "fail"
    assert Equals(value="Yes", ignore_case=True).grade("yes", TRIAL).result == "pass"


def test_contains_says_what_and_where() -> None:
    verdict = Contains(text="paris").grade("It is Paris, surely. Paris!", TRIAL)
    assert verdict.result == "pass"
    assert verdict.reason == (
        "found 'paris' at character 6: 'It is Paris, surely. Paris!' (ignoring case)"
    )
    assert [(span.start, span.end) for span in verdict.spans] == [(6, 11), (21, 26)]


def test_contains_says_what_is_missing() -> None:
    verdict = Contains(text="Rome", ignore_case=False).grade("It is Paris", TRIAL)
    assert (verdict.result, verdict.score) == ("fail", 0.0)
    assert verdict.reason == "'Rome' is not in 'It is Paris'"


def test_inner_spaces_of_a_needle_count() -> None:
    assert Contains(text=" Paris").grade("Paris", TRIAL).result == "fail"
    assert Contains(text="Paris").grade("Paris", TRIAL).result == "pass"


def test_a_word_split_by_a_zero_width_space_is_found() -> None:
    text = "I will de\u200blete it"
    verdict = Contains(text="delete").grade(text, TRIAL)
    assert verdict.result == "pass"
    assert "invisible characters dropped" in verdict.reason
    assert marked(Contains(text="delete"), text) == ["de\u200blete"]


def test_a_no_break_space_is_a_space() -> None:
    assert Contains(text="10 km").grade("only 10\u00a0km", TRIAL).result == "pass"


def test_case_folding_keeps_places() -> None:
    assert marked(Contains(text="STRASSE"), "die Straße hier") == ["Straße"]
    assert marked(Contains(text="b"), "İİb") == ["b"]


def test_starts_and_ends() -> None:
    text = "\ufeffDear Ana, …\u00a0Bye"
    assert StartsWith(text="dear").grade(text, TRIAL).result == "pass"
    assert marked(StartsWith(text="dear"), text)[0].endswith("Dear")
    assert StartsWith(text="ana").grade(text, TRIAL).result == "fail"
    assert EndsWith(text=" bye").grade(text, TRIAL).result == "pass"
    assert marked(EndsWith(text=" bye"), text) == ["\u00a0Bye"]
    verdict = EndsWith(text="dear", ignore_case=False).grade("Hello", TRIAL)
    assert (verdict.result, verdict.reason) == ("fail", "expected an end of 'dear', got 'Hello'")


def test_contains_any_names_what_was_found() -> None:
    verdict = ContainsAny(texts=("delta", "comparison")).grade("A comparison.", TRIAL)
    assert verdict.result == "pass"
    assert verdict.reason.startswith("found 'comparison' at character 2")
    verdict = ContainsAny(texts=("delta", "comparison")).grade("Nothing.", TRIAL)
    assert verdict.result == "fail"
    assert "none of 'delta', 'comparison' is in 'Nothing.'" in verdict.reason


def test_contains_all_names_what_is_missing() -> None:
    verdict = ContainsAll(texts=("a1", "b2", "c3")).grade("a1 and c3", TRIAL)
    assert (verdict.result, verdict.score) == ("fail", pytest.approx(2 / 3))
    assert "2 of 3 texts found; 'b2' not in" in verdict.reason
    assert ContainsAll(texts=("a1", "c3")).grade("a1 and c3", TRIAL).result == "pass"


@pytest.mark.parametrize("text", ["", "\u200b"])
@pytest.mark.parametrize("kind", [Contains, StartsWith, EndsWith])
def test_an_empty_needle_is_a_load_error(kind: type[Grader], text: str) -> None:
    with pytest.raises(msgspec.ValidationError, match="found everywhere"):
        msgspec.convert({"text": text}, kind)


@pytest.mark.parametrize("kind", [ContainsAny, ContainsAll])
@pytest.mark.parametrize("texts", [[], [""], ["a", ""]])
def test_empty_texts_are_a_load_error(kind: type[Grader], texts: list[str]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"texts": texts}, kind)


def test_an_unknown_argument_is_a_load_error() -> None:
    with pytest.raises(msgspec.ValidationError, match="ignorecase"):
        msgspec.convert({"text": "a", "ignorecase": True}, Contains)


def test_a_value_that_is_no_text_is_looked_at_as_text() -> None:
    assert Contains(text='"a":1').grade({"a": 1}, TRIAL).result == "pass"
    assert Contains(text="hello").grade({"text": "Hello!", "a": 1}, TRIAL).result == "pass"
    assert Equals(value=0).grade(0, TRIAL).result == "pass"
    assert Contains(text="false").grade(False, TRIAL).result == "pass"


@pytest.mark.parametrize("seen", [None, msgspec.UNSET])
def test_nothing_to_look_at_is_no_evidence(seen: Any) -> None:
    with pytest.raises(GraderError, match="no text"):
        Contains(text="secret").grade(seen, TRIAL)


def test_a_forbidden_text_in_nothing_is_an_error_not_a_pass() -> None:
    check = Check(grader="contains", args={"text": "secret"}, look_in="$output.reply")
    ready = make_ready(check, "forbid", {"contains": Contains}, SETTINGS)
    assert judge(ready, trial({"reply": None})).result == "error"
    assert judge(ready, trial({"reply": "no such thing"})).result == "pass"
    assert judge(ready, trial({"reply": "the SECRET"})).result == "fail"


def test_long_reasons_are_short() -> None:
    text = "x" * 5000 + "needle" + "y" * 5000
    assert len(Contains(text="needle").grade(text, TRIAL).reason) < 200
    assert len(Contains(text="other").grade(text, TRIAL).reason) < 200
    assert len(Contains(text="x" * 4000).grade(text, TRIAL).reason) < 400


def test_names_are_those_of_the_table() -> None:
    assert [grader.NAME for grader in GRADERS] == [
        "equals",
        "contains",
        "starts_with",
        "ends_with",
        "contains_any",
        "contains_all",
    ]


@given(st.text(min_size=1, max_size=10), st.text(max_size=10), st.text(max_size=10), st.booleans())
@settings(max_examples=150)
def test_composed_and_decomposed_texts_get_one_verdict(
    needle: str, before: str, after: str, ignore_case: bool
) -> None:
    try:
        grader = Contains(text=needle, ignore_case=ignore_case)
    except ValueError:
        return
    hay = before + needle + after
    results = {
        Contains(text=unicodedata.normalize(form, needle), ignore_case=ignore_case)
        .grade(unicodedata.normalize(other, hay), TRIAL)
        .result
        for form in ("NFC", "NFD")
        for other in ("NFC", "NFD")
    }
    assert results == {grader.grade(hay, TRIAL).result}
    assert all(0 <= s.start < s.end <= len(hay) for s in grader.grade(hay, TRIAL).spans)


@given(st.text("abcXYZ é\u00a0\u200b", max_size=20), st.text("abcxyz", min_size=1, max_size=2))
@settings(max_examples=100)
def test_found_exactly_where_it_stands(text: str, needle: str) -> None:
    verdict = Contains(text=needle).grade(text, TRIAL)
    plain = text.replace("\u200b", "").lower()
    assert (verdict.result == "pass") == (needle in plain)
    for span in verdict.spans:
        assert text[span.start : span.end].replace("\u200b", "").lower() == needle
