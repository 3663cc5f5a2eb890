"""Where a stretch of a text stands once the text is masked."""

from __future__ import annotations

import re
from collections.abc import Iterable

_TOKEN = re.compile(r"(\[secret:[A-Za-z0-9_.-]*#[a-p]{8}\]|\[planted(?:-part)?:[^\]]*\])")


def moved(
    original: str, masked: str, stretches: Iterable[tuple[int, int]]
) -> list[tuple[int, int]] | None:
    """Return the stretches of a text as stretches of the same text masked; None where the two
    cannot be brought together. One that ends inside what was masked grows to the whole token.
    """
    parts = _brought_together(original, masked)
    if parts is None:
        return None
    return [(_place(parts, start, False), _place(parts, end, True)) for start, end in stretches]


def _brought_together(original: str, masked: str) -> list[tuple[int, int, int, int]] | None:
    """Return what was masked: start and end in the original, start and end in the masked text."""
    parts: list[tuple[int, int, int, int]] = []
    pieces = _TOKEN.split(masked)
    at = shown = 0
    for number, piece in enumerate(pieces):
        if number % 2:  # a token
            parts.append((at, at, shown, shown + len(piece)))
        elif piece:
            found = original.find(piece, at) if parts else 0
            found = len(original) - len(piece) if number == len(pieces) - 1 and parts else found
            if found < at or not original.startswith(piece, found):
                return None
            if parts:
                parts[-1] = (parts[-1][0], found, *parts[-1][2:])
            at = found + len(piece)
        shown += len(piece)
    if parts and not pieces[-1]:
        parts[-1] = (parts[-1][0], len(original), *parts[-1][2:])
    elif at != len(original):
        return None
    return parts


def _place(parts: list[tuple[int, int, int, int]], position: int, is_end: bool) -> int:
    moved_by = 0
    for start, end, shown_start, shown_end in parts:
        if position < start or (is_end and position == start):
            break
        if position < end or (is_end and position == end):
            return shown_end if is_end else shown_start
        moved_by = shown_end - end
    return position + moved_by
