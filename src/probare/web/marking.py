"""Verdicts, each with the text that it looked at and its hits marked."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from probare.grading.placeholders import text_of
from probare.model.case import Case
from probare.model.outcome import Transcript
from probare.model.verdict import CheckVerdict, Span
from probare.reporting.looked import looked_at

_LONGEST = 20_000
_MOST = 200


class Piece(msgspec.Struct, frozen=True):
    """A stretch of text, and whether the check hit it."""

    text: str
    hit: bool


class Marked(msgspec.Struct, frozen=True, kw_only=True):
    """A verdict with what it looked at; `why` says why no hit can be shown."""

    verdict: CheckVerdict
    pieces: tuple[Piece, ...] = ()
    why: str = ""


def marked(
    case: Case | None, verdicts: Sequence[CheckVerdict], transcript: Transcript
) -> list[Marked]:
    """Return the verdicts of a trial, with their hits."""
    looked = {each.verdict: each for each in looked_at(case, verdicts, transcript)}
    found: list[Marked] = []
    for number, verdict in enumerate(verdicts):
        seen = looked.get(number)
        if seen is None:
            found.append(Marked(verdict=verdict))
        elif seen.why is not None:
            found.append(Marked(verdict=verdict, why=seen.why))
        else:
            text = seen.text
            if text is None:
                text = str(text_of(transcript.outcome.output))
            found.append(Marked(verdict=verdict, pieces=tuple(pieces(text, verdict.spans))))
    return found


def pieces(text: str, spans: Sequence[Span]) -> list[Piece]:
    """Cut a text at the ends of its hits. Hits that overlap become one; those outside are left."""
    found: list[Piece] = []
    at = 0
    inside = [each for each in spans if 0 <= each.start < each.end <= len(text)]
    for span in sorted(inside, key=lambda each: (each.start, each.end))[:_MOST]:
        start = max(at, span.start)
        if span.end <= at:
            continue
        if start > at:
            found.append(Piece(text[at:start], hit=False))
        found.append(Piece(text[start : span.end], hit=True))
        at = span.end
    rest = text[at:]
    if rest:
        more = len(rest) - _LONGEST
        cut = rest if more <= 0 else f"{rest[:_LONGEST]}… [{more:,} more characters]"
        found.append(Piece(cut, hit=False))
    return found
