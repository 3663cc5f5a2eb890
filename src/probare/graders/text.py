"""Texts inside texts: equals, contains, starts_with, ends_with, contains_any, contains_all.

Both sides are normalised first (`probare.graders.normal`); the reason says so where that
changed anything. These look for characters, not for words or numbers: '10' is in '2100'. What
is meant as a number belongs to the grader `number`.
"""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec import UNSET

from probare.errors import GraderError
from probare.graders import compare, normal
from probare.graders.compare import shown
from probare.grading.placeholders import text_of
from probare.model.verdict import Span, Verdict
from probare.ports.grader import Grader, TrialView, holds

_AROUND = 30
_MOST_SPANS = 20


def as_text(seen: Any) -> str:
    """Return the text form of what a check looks at: a string itself, else `text_of`.

    Raises GraderError for null and for nothing: there is no text to judge, and what is missing
    is never evidence.
    """
    if isinstance(seen, str):
        return seen
    if seen is None or seen is UNSET:
        raise GraderError("there is no text to look at", hint="it is null or absent")
    text: str = text_of(seen)
    return text


def check_needle(text: str) -> None:
    """Refuse a text that stands in every text. Raises ValueError."""
    if not normal.normalise(text):
        what = "is empty" if not text else "holds only invisible characters"
        raise ValueError(f"the text to look for {what}, so it would be found everywhere")


def note(*texts: str, ignore_case: bool = False) -> str:
    """Return the end of a reason: what was done to the texts before they were compared."""
    parts = ("ignoring case" if ignore_case else "", normal.changes(*texts))
    said = "; ".join(part for part in parts if part)
    return f" ({said})" if said else ""


def excerpt(text: str, start: int, end: int) -> str:
    """Return the stretch of `text` in single quotes, with a little of what stands around it."""
    left, right = max(0, start - _AROUND), min(len(text), end + _AROUND)
    if end - start > 2 * _AROUND:
        right = min(right, start + 2 * _AROUND)
    before, after = ("…" if left else ""), ("…" if right < len(text) else "")
    return f"'{before}{text[left:right]}{after}'"


class _Needle:
    """A text looked for in another, with both prepared."""

    def __init__(self, seen: str, ignore_case: bool) -> None:
        self.seen = seen
        self.ignore_case = ignore_case
        self.hay = normal.prepare(seen, ignore_case=ignore_case)

    def find(self, text: str) -> int:
        """Return where `text` first stands in the prepared text, or -1."""
        return self.hay.find(normal.prepare(text, ignore_case=self.ignore_case))

    def spans(self, texts: tuple[str, ...]) -> tuple[Span, ...]:
        """Return where the texts stand in what was seen: each occurrence, at most 20 in all."""
        found: list[tuple[int, int]] = []
        for text in texts:
            needle = normal.prepare(text, ignore_case=self.ignore_case)
            at = self.hay.find(needle)
            while at >= 0 and len(found) < _MOST_SPANS:
                found.append((at, at + len(needle)))
                at = self.hay.find(needle, at + len(needle))
        return normal.original_spans(self.seen, sorted(found), ignore_case=self.ignore_case)

    def present(self, text: str) -> Verdict:
        """Return a pass that says where the text stands."""
        return self.all_present((text,))

    def all_present(self, texts: tuple[str, ...]) -> Verdict:
        """Return a pass that says what was found, and where the first of them stands."""
        spans = self.spans(texts)
        first = spans[0]
        reason = (
            f"found {_listed(texts)} at character {first.start}: "
            f"{excerpt(self.seen, first.start, first.end)}{self.note(*texts)}"
        )
        return holds(True, reason, spans=spans)

    def note(self, *texts: str) -> str:
        """Return the reason's end for these needles."""
        return note(self.seen, *texts, ignore_case=self.ignore_case)


class Equals(Grader, frozen=True, kw_only=True):
    """The output equals a JSON value.

    Numbers compare as numbers (12 is 12.0), true is not 1, "12" is not 12; 0, false, "" and
    null are values like any other. Strings compare normalised, at any depth, with
    `ignore_case` there too; keys exactly.
    """

    NAME: ClassVar[str] = "equals"
    MAIN: ClassVar[str | None] = "value"
    LOOKS_AT: ClassVar[str | None] = "$output"

    value: Any
    ignore_case: bool = False

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Compare the two values; the reason names the first difference."""
        both_text = isinstance(seen, str) and isinstance(self.value, str)
        end = note(seen, self.value, ignore_case=self.ignore_case) if both_text else ""
        if compare.same(self.value, seen, ignore_case=self.ignore_case):
            return holds(True, f"equals {shown(self.value)}{end}")
        reason = compare.difference(self.value, seen, ignore_case=self.ignore_case)
        return holds(False, f"{reason}{end}")


class _OneText(Grader, frozen=True, kw_only=True):
    MAIN: ClassVar[str | None] = "text"

    text: str
    ignore_case: bool = True

    def __post_init__(self) -> None:
        check_needle(self.text)


class Contains(_OneText, frozen=True, kw_only=True):
    """The text contains another, as characters: '10' is in '2100' (for numbers: `number`)."""

    NAME: ClassVar[str] = "contains"

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Look for the text; a pass says where it stands."""
        looked = _Needle(as_text(seen), self.ignore_case)
        if looked.find(self.text) >= 0:
            return looked.present(self.text)
        return holds(
            False, f"{shown(self.text)} is not in {shown(looked.seen)}{looked.note(self.text)}"
        )


class StartsWith(_OneText, frozen=True, kw_only=True):
    """The text starts with another. Leading spaces count; a byte order mark does not."""

    NAME: ClassVar[str] = "starts_with"

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Compare the text's start."""
        looked = _Needle(as_text(seen), self.ignore_case)
        wanted = normal.prepare(self.text, ignore_case=self.ignore_case)
        end = looked.note(self.text)
        if looked.hay.startswith(wanted):
            spans = normal.original_spans(
                looked.seen, [(0, len(wanted))], ignore_case=self.ignore_case
            )
            return holds(True, f"starts with {shown(self.text)}{end}", spans=spans)
        got = shown(looked.seen[: len(self.text) + _AROUND])
        return holds(False, f"expected a start of {shown(self.text)}, got {got}{end}")


class EndsWith(_OneText, frozen=True, kw_only=True):
    """The text ends with another. Trailing spaces and line feeds count."""

    NAME: ClassVar[str] = "ends_with"

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Compare the text's end."""
        looked = _Needle(as_text(seen), self.ignore_case)
        wanted = normal.prepare(self.text, ignore_case=self.ignore_case)
        end = looked.note(self.text)
        if looked.hay.endswith(wanted):
            size = len(looked.hay)
            spans = normal.original_spans(
                looked.seen, [(size - len(wanted), size)], ignore_case=self.ignore_case
            )
            return holds(True, f"ends with {shown(self.text)}{end}", spans=spans)
        got = shown(looked.seen[-len(self.text) - _AROUND :])
        return holds(False, f"expected an end of {shown(self.text)}, got {got}{end}")


class _ManyTexts(Grader, frozen=True, kw_only=True):
    MAIN: ClassVar[str | None] = "texts"

    texts: tuple[str, ...]
    ignore_case: bool = True

    def __post_init__(self) -> None:
        if not self.texts:
            raise ValueError("`texts` is empty: name at least one text to look for")
        for text in self.texts:
            check_needle(text)


class ContainsAny(_ManyTexts, frozen=True, kw_only=True):
    """The text contains at least one of several texts, as characters."""

    NAME: ClassVar[str] = "contains_any"

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Look for each text; a pass names those that were found."""
        looked = _Needle(as_text(seen), self.ignore_case)
        found = tuple(text for text in self.texts if looked.find(text) >= 0)
        if found:
            return looked.all_present(found)
        return holds(
            False,
            f"none of {_listed(self.texts)} is in {shown(looked.seen)}{looked.note(*self.texts)}",
        )


class ContainsAll(_ManyTexts, frozen=True, kw_only=True):
    """The text contains every one of several texts, as characters. The score is their share."""

    NAME: ClassVar[str] = "contains_all"

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Look for each text; a failure names those that are missing."""
        looked = _Needle(as_text(seen), self.ignore_case)
        found = tuple(text for text in self.texts if looked.find(text) >= 0)
        if len(found) == len(self.texts):
            return looked.all_present(found)
        missing = tuple(text for text in self.texts if text not in found)
        reason = (
            f"{len(found)} of {len(self.texts)} texts found; {_listed(missing)} not in "
            f"{shown(looked.seen)}{looked.note(*self.texts)}"
        )
        score = len(found) / len(self.texts)
        return holds(False, reason, score=score, spans=looked.spans(found))


def _listed(texts: tuple[str, ...]) -> str:
    head = ", ".join(shown(text) for text in texts[:5])
    return head if len(texts) <= 5 else f"{head} and {len(texts) - 5} more"


GRADERS: tuple[type[Grader], ...] = (
    Equals,
    Contains,
    StartsWith,
    EndsWith,
    ContainsAny,
    ContainsAll,
)
