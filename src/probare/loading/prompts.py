"""The marked examples of a prompt: `<!-- id: help_ex_orient -->` and what follows it.

An example ends at the next mark, or at a heading as high as the one under which the first mark
stands. Headings inside fenced code are text.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from probare.encoding import digest

_MARK = re.compile(r"\s*<!--\s*id:\s*(.*?)\s*-->\s*\Z")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:\s|\Z)")
_FENCE = re.compile(r" {0,3}(```|~~~)")


class Example(NamedTuple):
    """A marked example: its id, the line of its mark (from 1), its text."""

    id: str
    line: int
    text: str

    @property
    def digest(self) -> str:
        """The digest of the text, whatever its line ends and the blank lines around it."""
        lines = [line.rstrip() for line in self.text.strip().splitlines()]
        return digest.of_bytes("\n".join(lines).encode())


def examples(text: str) -> list[Example]:
    """Return the marked examples of a prompt, in order; an id may stand twice."""
    found: list[Example] = []
    lines: list[str] = []
    mark: tuple[str, int] | None = None
    heading, highest, fence = 0, 0, ""

    def close() -> None:
        if mark is not None:
            found.append(Example(*mark, "\n".join(lines)))
        lines.clear()

    for number, line in enumerate(text.splitlines(), start=1):
        fenced = _FENCE.match(line)
        if fenced is not None and fence in ("", fenced[1]):
            fence = "" if fence else fenced[1]
        marked = None if fence else _MARK.match(line)
        level = 0 if fence else _level(line)
        if marked is not None:
            close()
            mark = (marked[1], number)
            highest = highest or heading or 1
            continue
        if level:
            heading = level
            if mark is not None and level <= highest:
                close()
                mark = None
        if mark is not None:
            lines.append(line)
    close()
    return found


def _level(line: str) -> int:
    match = _HEADING.match(line)
    return len(match[1]) if match else 0
