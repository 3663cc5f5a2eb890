"""JSON in texts: the whole of one, or what stands in its fences and its prose.

A real decoder decides what is JSON (RFC 8259): NaN and Infinity are not, and neither is an
object that names one key twice, since readers disagree about what that means.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from probare.encoding.jsonbytes import DuplicateKey, decode_strict
from probare.errors import GraderError
from probare.graders.compare import shown

_MOST_STARTS = 10_000
_OPENING = re.compile(r"[{\[]")
_FENCE = re.compile(
    r"^[ \t]*(```+|~~~+)[^\n`]*\n(.*?)\n?^[ \t]*\1[ \t]*$", re.DOTALL | re.MULTILINE
)


class Found(NamedTuple):
    """A JSON value in a text, and where: characters, end excluded."""

    value: Any
    start: int
    end: int


class NotJson(Exception):  # noqa: N818 - an answer, not an error
    """What was looked at is not JSON; the message says why."""


def whole(text: str) -> Any:
    """Return the value that a whole text is. Raises NotJson."""
    try:
        return decode_strict(text)
    except json.JSONDecodeError as error:
        what = f"{error.msg} at character {error.pos}"
        raise NotJson(f"{shown(text)} is not JSON: {what}") from None
    except (ValueError, RecursionError) as error:
        raise NotJson(f"{shown(text)} is not JSON: {_why(error)}") from None


def plain(value: Any) -> Any:
    """Return a value that is no text in JSON's own types. Raises NotJson where it has none."""
    try:
        built: Any = msgspec.to_builtins(value)
        json.dumps(built, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise NotJson(f"the output is not JSON: {_why(error)}") from None
    return built


def search(text: str) -> list[Found]:
    """Return the JSON values in a text, in order.

    A text that is JSON as a whole holds that value alone. Otherwise: fenced blocks that are
    JSON as a whole, of any type, and the outermost objects and arrays in what is left. Raises
    GraderError where there are too many brackets to try.
    """
    try:
        return [Found(whole(text), 0, len(text))]
    except NotJson:
        pass
    found = list(_in_fences(text))
    spans = [(each.start, each.end) for each in found]
    return sorted([*found, *_in_prose(text, spans)], key=lambda each: each.start)


def _in_fences(text: str) -> Iterator[Found]:
    for fence in _FENCE.finditer(text):
        try:
            yield Found(whole(fence[2]), fence.start(2), fence.end(2))
        except NotJson:
            continue


def _in_prose(text: str, taken: list[tuple[int, int]]) -> Iterator[Found]:
    at = tries = 0
    while (opening := _OPENING.search(text, at)) is not None:
        start = opening.start()
        inside = next((end for begin, end in taken if begin <= start < end), None)
        if inside is not None:
            at = inside
            continue
        tries += 1
        if tries > _MOST_STARTS:
            raise GraderError(f"more than {_MOST_STARTS:,} brackets to search for JSON")
        try:
            value, at = _decode_at(text, start)
        except (ValueError, RecursionError):
            at = start + 1
        else:
            yield Found(value, start, at)


def _decode_at(text: str, start: int) -> tuple[Any, int]:
    return _DECODER.raw_decode(text, start)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        keys = [key for key, _ in pairs]
        raise DuplicateKey(next(key for key in keys if keys.count(key) > 1))
    return result


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_refuse)


def _why(error: Exception) -> str:
    return "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
