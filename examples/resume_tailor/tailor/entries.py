"""The entries of a section: what belongs together, and which column is which.

A column's content tells what it is: a date looks like a date, a title or a degree has its
words. Of the others, the organisation stands before the place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tailor.latex import Line

_POINT = r"(?:(?:[^\W\d]{3,9}\.?|\d{1,2})[\s/.]+)?(?:19|20)\d\d"
_OPEN = r"present|today|now|current|ongoing"
_DATE = re.compile(
    rf"(?:(?:since|from|until|expected)\s+)?{_POINT}(?:\s*(?:[–—-]|to|until)\s*(?:{_POINT}|{_OPEN})?)?",
    re.IGNORECASE,
)
_TRAILING_DATE = re.compile(rf"[\s,;(]+({_DATE.pattern})\)?\s*$", re.IGNORECASE)

TITLE = re.compile(
    r"\b(?:engineer|developer|scientist|analyst|architect|administrator|designer|researcher"
    r"|consultant|manager|director|lead|head|officer|assistant|intern|specialist|tutor)\b",
    re.IGNORECASE,
)
DEGREE = re.compile(
    r"\b(?:[bm]\.?\s?(?:sc|a|s|eng|ed)\b|bachelor|master|ph\.?\s?d|doctor|diploma?\b"
    r"|licence|mba\b|minor\b|abitur|certificate)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One job or degree: `role` is its title or degree, `place` the employer or school."""

    role: str
    place: str
    location: str
    dates: str
    details: tuple[str, ...]


def entries(lines: Iterable[Line], roles: re.Pattern[str]) -> Iterator[Entry]:
    """Yield a section's entries; `roles` finds the column that is the title or the degree."""
    above: list[Line] = []
    details: list[str] = []
    for line in lines:
        if line.kind == "bullet" or _is_detail(line, above, roles):
            details.append(line.text)
            continue
        if above and (details or line.kind == "heading" or _is_complete(above, line)):
            yield _entry(above, details, roles)
            above, details = [], []
        above.append(line)
    if above or details:
        yield _entry(above, details, roles)


def without_date(text: str) -> tuple[str, str]:
    """Return a text without the date at its end, and that date (empty where there is none)."""
    found = _TRAILING_DATE.search(text)
    return (text[: found.start()].strip(), found[1]) if found else (text, "")


def is_date(text: str) -> bool:
    """Whether a text is a date or a span of time and nothing else."""
    return _DATE.fullmatch(text.strip("() ")) is not None


def _dated(line: Line) -> bool:
    return any(is_date(column) or without_date(column)[1] for column in line.columns)


def _is_complete(above: list[Line], line: Line) -> bool:
    """Whether a line begins another entry: this one has its date already, and is long enough."""
    if not any(map(_dated, above)):
        return False
    return len(above) > 1 or above[0].kind == "heading" or _dated(line)


def _is_detail(line: Line, above: list[Line], roles: re.Pattern[str]) -> bool:
    """Whether a plain line under a complete entry only says more of it, such as a grade."""
    plain = line.kind == "line" and len(line.columns) == 1 and not _dated(line)
    return plain and bool(above) and _is_complete(above, line) and not roles.search(line.text)


def _entry(above: list[Line], details: list[str], roles: re.Pattern[str]) -> Entry:
    columns = [column for line in above for column in line.columns if column]
    dates = next((column for column in columns if is_date(column)), "")
    rest = [column for column in columns if not dates or column != dates]
    if not dates and rest:
        rest[-1], dates = without_date(rest[-1])
    if len(rest) == 1:
        rest = rest[0].split(", ", 2)
    role = next((column for column in rest if roles.search(column)), rest[0] if rest else "")
    if role in rest:
        rest.remove(role)
    place, location, *more = [*rest, "", ""]
    return Entry(role, place, location, dates, (*filter(None, more), *details))
