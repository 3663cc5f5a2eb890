r"""Words and phrases in what an agent wrote: what of it is prose, and how whole words are found.

A text that is JSON as a whole, and any value that is no text, is read as the texts inside it
(keys too), one a line: in the JSON itself a line feed is written `\n`, which would glue an n to
the word after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, cast

import msgspec
from msgspec import UNSET

from probare.encoding import jsonbytes
from probare.errors import GraderError
from probare.graders import normal
from probare.grading import transforms
from probare.grading.placeholders import text_of

if TYPE_CHECKING:
    import regex

_WORD = r"[\w\p{M}]"
_APART = "\n|\n"
_BETWEEN = r"[\s\-\u2010-\u2013]+"


def of(seen: Any) -> tuple[str, bool]:
    """Return the prose of what a check looks at, and whether that is the very text seen.

    A mapping with a `text` is that text. Raises GraderError for null and for nothing: there is
    no text to judge.
    """
    if seen is None or seen is UNSET:
        raise GraderError("there is no text to look at", hint="it is null or absent")
    if isinstance(seen, dict) and isinstance(cast("dict[str, Any]", seen).get("text"), str):
        return cast("str", text_of(seen)), False
    text = whole(seen)
    return text, text is seen


def whole(value: Any) -> str:
    """Return all the texts and numbers inside a value, as one text: that of a source."""
    if isinstance(value, str):
        bare = transforms.strip_fences(value)
        if not bare.lstrip().startswith(("{", "[", '"')):
            return value
        try:
            return _APART.join(leaves(jsonbytes.decode_strict(bare)))
        except (ValueError, RecursionError):
            return value
    return _APART.join(leaves(value))


def leaves(value: Any) -> Iterator[str]:
    """Yield the texts inside a value, numbers as JSON writes them; keys stand before values."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, bool) or value is None:
        return
    elif isinstance(value, int | float):
        yield jsonbytes.encode(value).decode()
    elif isinstance(value, dict):
        for key, item in cast("dict[Any, Any]", value).items():
            yield str(key)
            yield from leaves(item)
    elif isinstance(value, list | tuple):
        for item in cast("list[Any]", value):
            yield from leaves(item)
    else:
        yield from leaves(msgspec.to_builtins(value, str_keys=True))


def pattern(phrases: Iterable[str]) -> regex.Pattern[str]:
    """Return a pattern that finds phrases as whole words in text prepared without case.

    The words of a phrase may stand apart by spaces, line feeds or hyphens. Letters, digits,
    marks and underscores of any script make a word; where a phrase ends in another character
    (`C++`), that end needs no boundary.
    """
    import regex

    folded = {normal.fold(phrase) for phrase in phrases}
    longest_first = sorted(folded, key=lambda phrase: (-len(phrase), phrase))
    return regex.compile("|".join(_whole(phrase) for phrase in longest_first) or r"(?!)")


def _whole(phrase: str) -> str:
    import regex

    words = phrase.replace("-", " ").split() or [phrase.strip()]
    before = rf"(?<!{_WORD})" if is_word_character(words[0][0]) else ""
    after = rf"(?!{_WORD})" if is_word_character(words[-1][-1]) else ""
    return before + _BETWEEN.join(regex.escape(word) for word in words) + after


def is_word_character(char: str) -> bool:
    """Whether a character is part of a word."""
    return _word_pattern().match(char) is not None


@cache
def _word_pattern() -> regex.Pattern[str]:
    import regex

    return regex.compile(f"{_WORD}+")


def words(prepared: str) -> list[tuple[str, int, int]]:
    """Return the words of a prepared text, each with where it starts and ends.

    An apostrophe inside a word belongs to it (don't), so that `s` and `t` are no words.
    """
    return [(m[0], m.start(), m.end()) for m in _prose_word().finditer(prepared)]


@cache
def _prose_word() -> regex.Pattern[str]:
    import regex

    return regex.compile(rf"{_WORD}+(?:['\u2019]{_WORD}+)*")


def check_phrases(name: str, phrases: tuple[str, ...]) -> None:
    """Refuse phrases in which nothing is written. Raises ValueError."""
    for phrase in phrases:
        if not normal.normalise(phrase).strip():
            raise ValueError(f"`{name}` holds a text in which nothing is written")
