"""The stretches of a text that a check hit, with a little of what stands around them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from probare.model.verdict import Span
from probare.reporting.words import visible

_AROUND = 40
_LONGEST = 160
_MOST = 3


def excerpts(text: str, spans: Sequence[Span]) -> Iterator[Text]:
    """Yield a line for each of the first hits: the hit between « and », and highlighted."""
    inside = [span for span in spans if 0 <= span.start < span.end <= len(text)]
    for span in inside[:_MOST]:
        start, end = max(0, span.start - _AROUND), min(len(text), span.end + _AROUND)
        hit = text[span.start : span.end]
        if len(hit) > _LONGEST:
            hit = f"{hit[:_LONGEST]}…"
        yield Text.assemble(
            "…" if start else "",
            _flat(text[start : span.start]),
            "«",
            (_flat(hit), "reverse"),
            "»",
            _flat(text[span.end : end]),
            "…" if end < len(text) else "",
        )
    if len(inside) > _MOST:
        yield Text(f"and {len(inside) - _MOST} more", "dim")


def _flat(text: str) -> str:
    """Return data on one line; its spaces stay, so that a hit of spaces is one."""
    return visible(text).replace("\n", "⏎").replace("\t", " ")
