"""Numbers in a text that its source knows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, ClassVar, NamedTuple

from probare.errors import GraderError
from probare.graders import normal, numeric_text, prose
from probare.graders.compare import shown
from probare.graders.numeric_text import Numeral
from probare.model.verdict import Verdict
from probare.ports.grader import Grader, TrialView, holds

_RANGE = re.compile(r"\s?(?:[-–—]|to|and|or)\s?\Z", re.IGNORECASE)
_MARKER = re.compile(r"(?m)^[ \t]*\d{1,2}[.)](?=[ \t])")
_YEAR = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)")
_MOST_NAMED = 5
_MOST_SPANS = 20


class NumbersGrounded(Grader, frozen=True, kw_only=True):
    """Every number in the text stands in the source (a text, or any value with texts in it).

    Numbers compare by what they are worth: 40%, 40 percent and 40 per cent are one number, as
    are 1,200, 1.2k and 1200, $5M and 5 million; the sign and the currency do not matter. A
    percentage is grounded by a percentage (or by its fraction, 0.4), a plain number by a plain
    one: "40 engineers" is not in "40%". Both ends of "40-50%" are percentages. Years count as
    numbers, and are found inside the source's dates.

    Passed over in the text, as no numbers: numbering at the start of a line ("1. "), ordinals
    (3rd), whole dates, times, versions, and digits inside names (GPT-4, k8s, S3). What cannot be
    read as one number (24/7, 10x) must stand in the source letter by letter. Numbers in words
    are not read on either side. A text without numbers holds. The score is the share grounded.
    """

    NAME: ClassVar[str] = "numbers_grounded"
    MAIN: ClassVar[str | None] = "source"

    source: Any

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Look each number up; a failure names those that the source lacks."""
        text, as_seen = prose.of(seen)
        normalised = normal.normalise(text)
        if self.source is None:
            raise GraderError("there is no source to look in", hint="it is null")
        own = _numbers(normalised)
        if not own:
            return holds(True, "there are no numbers in the text")
        known = _Known(normal.normalise(prose.whole(self.source)))
        strange = [number for number in own if not known.has(number)]
        count = "1 number" if len(own) == 1 else f"{len(own)} numbers"
        if not strange:
            return holds(True, f"{count} in the text, each in the source")
        named = ", ".join(shown(number.text) for number in strange[:_MOST_NAMED])
        more = f" and {len(strange) - _MOST_NAMED} more" if len(strange) > _MOST_NAMED else ""
        places = [(number.start, number.end) for number in strange[:_MOST_SPANS]]
        return holds(
            False,
            f"not in the source: {named}{more} ({len(strange)} of {count})",
            score=1 - len(strange) / len(own),
            spans=normal.original_spans(text, places) if as_seen else (),
        )


class _Number(NamedTuple):
    """A number as it counts here: its magnitude, null where it cannot be read."""

    worth: Decimal | None
    percent: bool
    text: str
    start: int
    end: int


class _Known:
    """The numbers of the source."""

    def __init__(self, text: str) -> None:
        found = _numbers(text, markers=True)
        self._plain = {n.worth for n in found if n.worth is not None and not n.percent}
        self._plain |= {Decimal(year[0]) for year in _YEAR.finditer(text)}
        self._percents = {n.worth for n in found if n.worth is not None and n.percent}
        self._unread = {_spelt(n.text) for n in found if n.worth is None}

    def has(self, number: _Number) -> bool:
        if number.worth is None:
            return _spelt(number.text) in self._unread
        if number.percent:
            return number.worth in self._percents or number.worth / 100 in self._plain
        return number.worth in self._plain


def _spelt(text: str) -> str:
    return "".join(text.casefold().split())


def _numbers(text: str, *, markers: bool = False) -> list[_Number]:
    """Return the numbers of a normalised text; with `markers` also those that number lines."""
    skipped = set[int]() if markers else {_digits_at(m) for m in _MARKER.finditer(text)}
    found = [each for each in numeric_text.numerals(text) if each.start not in skipped]
    return [_number(each, index, found, text) for index, each in enumerate(found)]


def _digits_at(match: re.Match[str]) -> int:
    return match.start() + len(match[0]) - len(match[0].lstrip())


def _number(numeral: Numeral, index: int, found: Sequence[Numeral], text: str) -> _Number:
    percent = numeral.percent
    if not percent and index + 1 < len(found):
        after = found[index + 1]
        percent = after.percent and _RANGE.match(text[numeral.end : after.start]) is not None
    worth = None if numeral.value is None else abs(numeral.value)
    return _Number(worth, percent, numeral.text, numeral.start, numeral.end)


GRADERS: tuple[type[Grader], ...] = (NumbersGrounded,)
