"""What stands across the ends of pieces: a secret of which each event holds a part."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple


class Found(NamedTuple):
    """A stretch of a text to be masked, and what to put in its place."""

    start: int
    end: int
    token: str


def mask_spans(text: str, found: Iterable[Found]) -> str:
    """Return the text with the stretches replaced; of two that overlap, the rest of the later."""
    out: list[str] = []
    at = 0
    for start, end, token in sorted(found, key=lambda item: (item.start, -item.end)):
        if end <= at:
            continue
        out += (text[at : max(start, at)], token if start >= at else "")
        at = end
    return "".join((*out, text[at:]))


def mask_across(
    pieces: Sequence[str],
    find: Callable[[str], Iterable[Found]],
    own: Callable[[str], Iterable[Found]],
    *,
    between: str = "",
) -> list[str]:
    """Return pieces with what stands across their ends masked, the token in the first of them.

    `find` finds what to mask in the pieces joined by `between`. A piece that has a part of
    something is masked whole, with what `own` finds in it: that may not be recognised in what
    would be left of it.
    """
    ends = list(accumulate(len(piece) + len(between) for piece in pieces))
    cuts: dict[int, list[Found]] = {}
    for start, end, token in find(between.join(pieces)):
        first, last = bisect_right(ends, start), bisect_right(ends, end - 1)
        if first == last:
            continue
        for index in range(first, last + 1):
            length = len(pieces[index])
            before = ends[index] - length - len(between)
            shown = token if index == first else ""
            cut = Found(max(start - before, 0), min(end - before, length), shown)
            cuts.setdefault(index, []).append(cut)
    return [
        mask_spans(piece, [*cuts[index], *own(piece)]) if index in cuts else piece
        for index, piece in enumerate(pieces)
    ]
