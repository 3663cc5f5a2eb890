"""Small words that reasons share."""

from __future__ import annotations

from collections.abc import Sequence

SHOWN = 5


def names(ids: Sequence[str]) -> str:
    """Return the first few ids, and how many more there are."""
    shown = ", ".join(ids[:SHOWN])
    return f"{shown} and {len(ids) - SHOWN} more" if len(ids) > SHOWN else shown


def plural(count: int, noun: str) -> str:
    """Return "1 case", "2 cases"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
