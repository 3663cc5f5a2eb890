from typing import Any

from msgspec import UNSET

from probare.targets import limits


def test_a_cut_says_what_is_missing_and_splits_no_character() -> None:
    assert limits.cut("äöü", 3) == "ä… [cut: 3 more bytes]"
    assert limits.cut("abcdef", 2, more="at least ") == "ab… [cut: at least 4 more bytes]"


def test_sizes_are_of_utf8_and_lone_surrogates_count() -> None:
    assert limits.size("aä€") == 6
    assert limits.size("\ud800") == 3


def test_outputs_that_fit_stay() -> None:
    outputs: list[Any] = [UNSET, None, True, 0, 1.5, "abc", {"a": 1}, []]
    for output in outputs:
        assert limits.fitted(output, 10) is UNSET


def test_long_outputs_are_cut_as_text() -> None:
    assert limits.fitted("x" * 11, 10) == "x" * 10 + "… [cut: 1 more bytes]"
    assert limits.fitted({"a": "x" * 20}, 10) == '{"a":"xxxx… [cut: 18 more bytes]'
    assert limits.fitted("ä" * 5, 10) is UNSET
    assert limits.fitted("ä" * 6, 10) is not UNSET


def test_notes_are_cut_by_characters() -> None:
    assert limits.short("abc") == "abc"
    assert limits.short("x" * 20_001).endswith("… [cut: 1 more characters]")
