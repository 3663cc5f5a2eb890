"""The JSON objects of a reply that are the judge's own: they end with the reply's token.

Each question bears a token that nobody but the judge is told. An object that the judge copies
from the text that it judges cannot have it, so that such an object is not read. Nor is one in
which the token stands before the end, unless the provider was held to the schema: a judge that
copies text into its own object without escaping it lets that text end the object early, but not
with the token.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, cast

import msgspec

from probare.encoding import jsonbytes
from probare.model.judged import ReadFrom

TOKEN = "token"  # noqa: S105 - the name of a key

_LONGEST = 20_000
_MOST_STARTS = 200
_TRAILING_COMMA = re.compile(r'("(?:[^"\\]|\\.)*+")|,(\s*[}\]])')
_FENCE_BEFORE = re.compile(r"```[A-Za-z0-9_-]*[ \t]*\n?[ \t]*\Z")
_FENCE_AFTER = re.compile(r"[ \t]*\n?[ \t]*```")


class Own(msgspec.Struct, frozen=True, kw_only=True):
    """An object of the judge's own, where it stood, and what was mended; or what is wrong with
    an object that bears the token (`problem`).
    """

    fields: dict[str, Any]
    read_from: ReadFrom
    repair: str = ""
    problem: str = ""


def own_objects(text: str, token: str, *, structured: bool) -> list[Own]:
    """Return the judge's own objects, in the order in which they stand. Any text will do."""
    return list(_found(text, token, structured=structured))


def _found(text: str, token: str, *, structured: bool) -> Iterator[Own]:
    end_of_last = 0
    for start in _starts(text, token):
        if start < end_of_last:
            continue
        end = _end_of_object(text, start)
        if end is None or token not in text[start:end]:
            continue
        place = _place(text, start, end, structured=structured)
        own = _read(text[start:end], token, place)
        if own is not None:
            end_of_last = end
            yield own


def _starts(text: str, token: str) -> list[int]:
    """Return where an object may begin that holds the token: the last such places."""
    last = text.rfind(token)
    if last < 0:
        return []
    first = max(0, text.find(token) - _LONGEST)
    found = [match.start() for match in re.finditer(r"\{", text[first:last])]
    return [first + at for at in found[-_MOST_STARTS:]]


def _end_of_object(text: str, start: int) -> int | None:
    """Return the end of the object that begins at `start`, by its braces outside of texts."""
    depth, inside, escaped = 0, False, False
    for at in range(start, min(len(text), start + _LONGEST)):
        each = text[at]
        if inside:
            if escaped:
                escaped = False
            elif each == "\\":
                escaped = True
            elif each == '"':
                inside = False
        elif each == '"':
            inside = True
        elif each == "{":
            depth += 1
        elif each == "}":
            depth -= 1
            if depth == 0:
                return at + 1
    return None


def _place(text: str, start: int, end: int, *, structured: bool) -> ReadFrom:
    before, after = text[:start], text[end:]
    if not before.strip() and not after.strip():
        return "structured" if structured else "json"
    fenced = _FENCE_BEFORE.search(before) and _FENCE_AFTER.match(after)
    return "fenced" if fenced else "tail"


def _read(segment: str, token: str, place: ReadFrom) -> Own | None:
    """Return an object that bears the token; None where it is not JSON or not the judge's."""
    repair = ""
    try:
        value = jsonbytes.decode_strict(segment)
    except jsonbytes.DuplicateKey as error:
        return Own(fields={}, read_from=place, problem=f"names the key '{error.key}' twice")
    except (ValueError, RecursionError):
        mended = _TRAILING_COMMA.sub(lambda match: match[1] or match[2], segment)
        try:
            value = jsonbytes.decode_strict(mended)
        except (ValueError, RecursionError):
            return None
        repair = "trailing comma dropped"
    fields = cast("dict[str, Any]", value)
    said = fields.get(TOKEN)
    if not isinstance(said, str) or said.strip() != token:
        return None
    if next(reversed(fields)) != TOKEN and place != "structured":
        return None
    return Own(fields=fields, read_from=place, repair=repair)
