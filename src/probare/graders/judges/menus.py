"""What a judge may answer: a menu of words, put in the prompt, asked for by schema, and read back.

`unknown` stands on every menu. What is on none of its words, however near, is off the menu.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any, TypeAlias

import msgspec

UNKNOWN = "unknown"

ScaleArgument: TypeAlias = str | list[str] | dict[str, str]

_RANGE = re.compile(r"(0|-?[1-9][0-9]{0,5})\.\.(0|-?[1-9][0-9]{0,5})\Z")
_NUMBER = re.compile(r"(0|-?[1-9][0-9]{0,9})\Z")
_MOST_LISTED = 20
_MOST_LEVELS = 1001
_AFTER_WORD = re.compile(r"\s*(?:[.,;:!…]+|[-\u2013\u2014])(?=\s)(?P<rest>.*)", re.DOTALL)


class Entry(msgspec.Struct, frozen=True):
    """A word that may be answered, what it means, and its score in [0, 1]."""

    word: str
    text: str = ""
    score: float = 0.0


class Menu(msgspec.Struct, frozen=True, kw_only=True):
    """The entries, worst first where they are a scale, and whether these are whole numbers."""

    entries: tuple[Entry, ...]
    numeric: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        """All words, `unknown` last."""
        return (*(entry.word for entry in self.entries), UNKNOWN)

    def entry(self, word: str) -> Entry:
        """Return the entry of a word of the menu that is not `unknown`."""
        return next(entry for entry in self.entries if entry.word == word)

    def position(self, word: str) -> int:
        """Return where a word stands, from 0."""
        return next(at for at, entry in enumerate(self.entries) if entry.word == word)

    def described(self) -> str:
        """Return the menu as the judge is told it, a line an entry."""
        if self.numeric and not any(entry.text for entry in self.entries):
            low, high = self.entries[0].word, self.entries[-1].word
            return (
                f"- a whole number from {low} (worst) to {high} (best)\n"
                f"- {UNKNOWN}: you cannot tell from what is given"
            )
        lines = [f"- {e.word}: {e.text}" if e.text else f"- {e.word}" for e in self.entries]
        return "\n".join([*lines, f"- {UNKNOWN}: you cannot tell from what is given"])

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of an answer."""
        if len(self.entries) <= _MOST_LISTED:
            return {"type": "string", "enum": list(self.words)}
        numbers = {
            "type": "integer",
            "minimum": int(self.entries[0].word),
            "maximum": int(self.entries[-1].word),
        }
        return {"anyOf": [numbers, {"type": "string", "enum": [UNKNOWN]}]}

    def read(self, value: Any) -> str | None:
        """Return the word that a value of JSON is; None where it is off the menu.

        A word is taken in any case, and by what it means where the menu says so ("Correct" for
        C); a whole number as such or as text. Nothing is rounded, cut or clamped.
        """
        if isinstance(value, bool):
            return None
        if isinstance(value, float) and value.is_integer() and abs(value) < 1e9:
            value = int(value)
        if isinstance(value, int):
            value = str(value) if self.numeric else ""
        if not isinstance(value, str):
            return None
        folded = _folded(value)
        for entry in self.entries:
            if folded == _folded(entry.word):
                return entry.word
        for entry in self.entries:
            if not self.numeric and entry.text and folded == _folded(entry.text):
                return entry.word
        return UNKNOWN if folded == UNKNOWN else None

    def read_line(self, line: str) -> tuple[str, bool] | None:
        """Return the word that a line's text gives, and whether nothing but it stands there.

        "C", "c." and "Correct" are the word; "C. No reason to …" begins with it, and a mark of
        punctuation parts it from the rest. "CI", "C/P" and "pass or fail" give none, nor does a
        line whose rest names another word.
        """
        bare = line.strip().strip("*_`\"' ").rstrip(".!").strip("*_`\"' ")
        whole = self.read(bare)
        if whole is not None:
            return whole, True
        names = [(e.word, e.word) for e in self.entries]
        names += [(e.text, e.word) for e in self.entries if e.text and not self.numeric]
        names.append((UNKNOWN, UNKNOWN))
        folded = _folded(line.strip().lstrip("*_`\"' "))
        for name, word in names:
            rest = folded.removeprefix(_folded(name))
            if rest == folded:
                continue
            match = _AFTER_WORD.match(rest.lstrip("*_`\"'"))
            if match is not None and not self._names_another(match["rest"], word):
                return word, False
        return None

    def _names_another(self, rest: str, word: str) -> bool:
        tokens = set(re.findall(r"[^\W_]+(?:-[^\W_]+)*", rest))
        others = {_folded(other) for other in self.words if other != word}
        return bool(tokens & others)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", text).strip().casefold()


PASS_FAIL = Menu(
    entries=(
        Entry("fail", "the criterion is not met", 0.0),
        Entry("pass", "the criterion is met", 1.0),
    )
)
YES_NO = Menu(entries=(Entry("no", "", 0.0), Entry("yes", "", 1.0)))


def scale_of(written: ScaleArgument) -> Menu:
    """Return the menu of a declared scale: `pass_fail`; `1..5`; names, worst first; or a mapping
    from whole numbers to what they mean. Raises ValueError where it is none.

    A level's score is (level − lowest) / (highest − lowest); names are spread evenly.
    """
    if isinstance(written, str):
        return PASS_FAIL if written == "pass_fail" else _range(written)
    if isinstance(written, dict):
        return _numbered(written)
    names = [name.strip() for name in written]
    folded = [_folded(name) for name in names]
    if len(names) < 2 or len(set(folded)) < len(names) or not all(folded):
        raise ValueError("a scale of names has at least two, each once, worst first")
    if UNKNOWN in folded:
        raise ValueError(f"'{UNKNOWN}' is offered to every judge and is no level of a scale")
    last = len(names) - 1
    return Menu(entries=tuple(Entry(name, "", at / last) for at, name in enumerate(names)))


def _range(written: str) -> Menu:
    match = _RANGE.match(written.strip())
    if match is None:
        raise ValueError(
            f"'{written}' is no scale: write pass_fail, 1..5, a list of names (worst first), or "
            "a mapping from whole numbers to what they mean"
        )
    low, high = int(match[1]), int(match[2])
    if low >= high:
        raise ValueError(f"the scale {written} has no width: its ends should differ, lowest first")
    if high - low >= _MOST_LEVELS:
        raise ValueError(f"the scale {written} has more than {_MOST_LEVELS} levels")
    return numbered(dict.fromkeys(range(low, high + 1), ""))


def _numbered(written: dict[str, str]) -> Menu:
    strange = [key for key in written if not _NUMBER.match(key)]
    if strange:
        raise ValueError(
            f"'{strange[0]}' is no whole number; levels with names are a list, worst first"
        )
    levels = {int(key): text for key, text in written.items()}
    if len(levels) < 2:
        raise ValueError("a scale has at least two levels")
    return numbered(levels)


def numbered(levels: dict[int, str]) -> Menu:
    """Return the menu of at least two numbered levels."""
    low, high = min(levels), max(levels)
    entries = (
        Entry(str(level), levels[level], (level - low) / (high - low)) for level in sorted(levels)
    )
    return Menu(entries=tuple(entries), numeric=True)
