"""Values as plain text, cut where they are very long."""

from __future__ import annotations

from typing import Any, cast

from probare.reporting.events import value_text

LONGEST = 100_000
_FEW = 5


def text_of_value(value: Any) -> str:
    """Return a value as it is read; a small mapping on one line."""
    if isinstance(value, dict):
        named = cast("dict[str, Any]", value)
        if 0 < len(named) <= _FEW and all(short(each) for each in named.values()):
            return ", ".join(f"{name}: {each}" for name, each in named.items())
    return cut_short(value_text(value))


def cut_short(text: str) -> str:
    """Return at most LONGEST characters, and how many more there are."""
    more = len(text) - LONGEST
    return text if more <= 0 else f"{text[:LONGEST]}… [{more:,} more characters]"


def short(value: Any) -> bool:
    """Whether a value fits on a line with others."""
    return isinstance(value, str | int | float) and len(str(value)) <= 80
