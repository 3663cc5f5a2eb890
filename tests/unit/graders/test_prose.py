from __future__ import annotations

import msgspec
import pytest
from msgspec import UNSET

from probare.errors import GraderError
from probare.graders import normal, prose


class _Job(msgspec.Struct):
    title: str
    years: int


def test_a_text_is_itself() -> None:
    text = "Plain, {not} JSON."
    assert prose.of(text) == (text, True)
    assert prose.of("{broken") == ("{broken", True)
    assert prose.of('"Quoted," she said') == ('"Quoted," she said', True)


def test_json_is_read_as_the_texts_inside_it() -> None:
    text = prose.of('{"a": ["x\\nleverage", 1.5, true, null], "b": {"c": "d"}}')
    assert text == ("a\n|\nx\nleverage\n|\n1.5\n|\nb\n|\nc\n|\nd", False)
    assert prose.of('```json\n["a"]\n```') == ("a", False)
    assert prose.of([_Job("lead", 3)])[0] == "title\n|\nlead\n|\nyears\n|\n3"


def test_a_mapping_with_a_text_is_that_text_but_a_source_is_all_of_it() -> None:
    value = {"text": "hello", "note": "7"}
    assert prose.of(value) == ("hello", False)
    assert prose.whole(value) == "text\n|\nhello\n|\nnote\n|\n7"


@pytest.mark.parametrize("nothing", [None, UNSET])
def test_nothing_is_an_error(nothing: object) -> None:
    with pytest.raises(GraderError):
        prose.of(nothing)


@pytest.mark.parametrize(
    ("phrase", "text", "found"),
    [
        ("art", "start artful smart", False),
        ("art", "modern art.", True),
        ("art", "(Art)", True),
        ("art", "art_1", False),
        ("art", "art2", False),
        ("-art", "start", False),
        ("C++", "I know C++ well", True),
        ("C++", "abC++", False),
        ("C", "C++", True),
        ("state of the art", "state-of-the-art", True),
        ("state-of-the-art", "state of\nthe art", True),
        ("best practice", "best. Practice", False),
        ("straße", "STRASSE", True),
        ("हिन", "हिन्दी", False),
        ("café", "cafe\u0301s", False),
    ],
)
def test_phrases_are_found_as_whole_words(phrase: str, text: str, found: bool) -> None:
    assert (prose.pattern([phrase]).search(normal.fold(text)) is not None) is found


def test_words_keep_their_apostrophes_and_places() -> None:
    assert [word for word, _, _ in prose.words("don't stop, it's 5% off")] == [
        "don't",
        "stop",
        "it's",
        "5",
        "off",
    ]
    text = "a bc"
    assert [text[start:end] for _, start, end in prose.words(text)] == ["a", "bc"]


def test_no_phrase_is_found_nowhere() -> None:
    assert prose.pattern([]).search("anything") is None
