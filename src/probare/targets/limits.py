"""What is too long is cut, with a mark that says how much is missing."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from probare.encoding import jsonbytes
from probare.errors import LimitReached

LONGEST_NOTE = 20_000


def size(text: str) -> int:
    """Return a text's size in bytes of UTF-8."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def cut(text: str, room: int, *, more: str = "") -> str:
    """Return the first `room` bytes of a text, at a character's edge, and the mark."""
    data = text.encode("utf-8", "surrogatepass")
    kept = data[: max(room, 0)].decode("utf-8", "ignore")
    return f"{kept}… [cut: {more}{len(data) - max(room, 0):,} more bytes]"


def short(text: str) -> str:
    """Return a text for a note: at most 20,000 characters and the mark."""
    if len(text) <= LONGEST_NOTE:
        return text
    return f"{text[:LONGEST_NOTE]}… [cut: {len(text) - LONGEST_NOTE:,} more characters]"


def too_long(limit: int) -> LimitReached:
    """Return the error of an answer that is longer than `limit` bytes."""
    return LimitReached(
        f"the answer is longer than {limit:,} bytes and was cut",
        hint="does the agent write without end? else raise the limit of the output",
    )


def fitted(output: Any, limit: int) -> Any:
    """Return the cut text of an output that is longer than `limit` bytes, UNSET where it fits.

    A structured output is cut as its compact JSON, so it becomes text.
    """
    if isinstance(output, str):
        if len(output) * 4 <= limit or size(output) <= limit:
            return UNSET
        return cut(output, limit)
    if output is UNSET or output is None or isinstance(output, bool | int | float):
        return UNSET
    data = jsonbytes.encode(output)
    return UNSET if len(data) <= limit else cut(data.decode(), limit)
