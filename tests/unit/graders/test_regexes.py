import msgspec
import pytest

from probare.errors import GraderError
from probare.graders.regexes import Regex, names_what_normalising_takes
from probare.model.case import Case
from probare.model.outcome import Transcript
from probare.ports.grader import GradingSettings, TrialView

TRIAL = TrialView(case=Case(id="c"), transcript=Transcript(case="c"), settings=GradingSettings())


def result(pattern: str, text: str, flags: str = "", full: bool = False) -> str:
    return Regex(pattern=pattern, flags=flags, full=full).grade(text, TRIAL).result


def test_searches_and_says_where() -> None:
    verdict = Regex(pattern=r"\d{4}").grade("in 1999 and 2004", TRIAL)
    assert verdict.reason == r"/\d{4}/ matches at character 3: 'in 1999 and 2004'"
    assert [(span.start, span.end) for span in verdict.spans] == [(3, 7), (12, 16)]
    verdict = Regex(pattern=r"\d{4}").grade("never", TRIAL)
    assert (verdict.result, verdict.reason) == ("fail", r"/\d{4}/ does not match 'never'")


def test_full_holds_from_end_to_end() -> None:
    assert result(r"\d+", "12", full=True) == "pass"
    assert result(r"\d+", "12 ", full=True) == "fail"


def test_flags() -> None:
    assert result("paris", "PARIS") == "fail"
    assert result("paris", "PARIS", "i") == "pass"
    assert result("(?i)paris", "PARIS") == "pass"
    assert result("^b$", "a\nb", "m") == "pass"
    assert result("a.b", "a\nb") == "fail"
    assert result("a.b", "a\nb", "s i") == "pass"
    assert result("a b # spaces go", "ab", "x") == "pass"


@pytest.mark.parametrize(
    ("pattern", "flags", "words"),
    [
        ("(", "", "not a regular expression"),
        ("a", "g", "unknown flag 'g'"),
        ("", "", "the pattern is empty"),
        ("[z-a]", "", "not a regular expression"),
    ],
)
def test_a_bad_pattern_or_flag_is_a_load_error(pattern: str, flags: str, words: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=words.replace("(", r"\(")):
        msgspec.convert({"pattern": pattern, "flags": flags}, Regex)


def test_endless_backtracking_is_an_error_in_time() -> None:
    grader = Regex(pattern="^(a|aa)+$")
    with pytest.raises(GraderError, match="regex timeout"):
        grader.grade("a" * 60 + "!", TRIAL)


def test_the_reported_pattern_never_passes() -> None:
    assert result("^(a+)+$", "a" * 40 + "!") == "fail"


def test_text_is_normalised_like_all_text() -> None:
    assert result("café", "cafe\u0301") == "pass"
    assert result("cafe\u0301", "café") == "pass"
    assert result("10 km", "10\u00a0km") == "pass"
    text = "I will de\u200blete it"
    verdict = Regex(pattern=r"\bdelete\b").grade(text, TRIAL)
    assert verdict.result == "pass"
    assert "invisible characters dropped" in verdict.reason
    assert [text[span.start : span.end] for span in verdict.spans] == ["de\u200blete"]


@pytest.mark.parametrize(
    "pattern",
    [r"\u200b", r"[\u200b-\u200f]", "\u200b", r"\p{Cf}", r"\x{0}|\u200B", r"[^\x00-\x7f]"],
)
def test_a_pattern_that_names_the_invisible_sees_it(pattern: str) -> None:
    assert names_what_normalising_takes(pattern)
    assert result(pattern.replace(r"\x{0}|", ""), "a\u200bb") == "pass"


@pytest.mark.parametrize("pattern", [r"\d+", r"\\u200b", "é", r"\p{L}+", r"a\sb", r"\n", r"(a)\1"])
def test_an_ordinary_pattern_does_not(pattern: str) -> None:
    assert not names_what_normalising_takes(pattern)


def test_a_named_no_break_space_is_told_from_a_space() -> None:
    assert result(r"10\xa0km", "10\u00a0km") == "pass"
    assert result(r"10\xa0km", "10 km") == "fail"


def test_an_empty_match_has_an_empty_span() -> None:
    (first, *_) = Regex(pattern="x*").grade("é\u200b", TRIAL).spans
    assert (first.start, first.end) == (0, 0)
