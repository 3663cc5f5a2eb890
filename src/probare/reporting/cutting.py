"""Cutting what is too long to send by mail, and saying so in its place."""

from __future__ import annotations

from typing import Any, cast

LONGEST_TEXT = 20_000
_MOST_ITEMS = 500


def cut(value: Any, longest: int = LONGEST_TEXT) -> Any:
    """Return a JSON value whose texts have at most `longest` characters and its lists and
    objects at most 500 items; what was left out is counted in its place.
    """
    if isinstance(value, str):
        return cut_text(value, longest)
    if isinstance(value, dict):
        items = list(cast("dict[str, Any]", value).items())
        kept = {key: cut(item, longest) for key, item in items[:_MOST_ITEMS]}
        if len(items) > _MOST_ITEMS:
            kept["…"] = f"[{len(items) - _MOST_ITEMS:,} more keys]"
        return kept
    if isinstance(value, list | tuple):
        listed = cast("list[Any]", value)
        shown = [cut(item, longest) for item in listed[:_MOST_ITEMS]]
        if len(listed) > _MOST_ITEMS:
            shown.append(f"… [{len(listed) - _MOST_ITEMS:,} more items]")
        return shown
    return value


def cut_text(text: str, longest: int = LONGEST_TEXT) -> str:
    """Return a text, or its start and how many characters follow."""
    if len(text) <= longest:
        return text
    return f"{text[:longest]}… [{len(text) - longest:,} more characters]"
