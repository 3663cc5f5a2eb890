"""JSON as it stands in texts: the whole text, a fenced block, or values in prose.

A real decoder decides what JSON is: `[see note] {maybe}` holds none, NaN is none. An object
that names a key twice is none either, since readers disagree about what it says; graders that
would draw a conclusion from its absence are told so.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from probare.encoding import jsonbytes
from probare.encoding.jsonbytes import DuplicateKey, NotFinite
from probare.errors import GraderError

_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})[^\n`]*\n(.*?)^[ \t]*\1[`~]*[ \t\r]*$", re.DOTALL | re.M)
_OPENING = re.compile(r"[\[{]")
_BLANK = " \t\n\r"
_MOST_WORK = 5_000_000
_TOO_DEEP = "the JSON is nested too deeply to be read"


class NotJson(ValueError):  # noqa: N818 - reads as what it is
    """A text or a value is not JSON; the message says why."""


class TwiceNamed(NotJson):
    """A text is JSON but for an object that names a key twice: readers read it differently."""


class Found(msgspec.Struct, frozen=True):
    """The JSON values of a text, in order, each with the character at which it begins.

    `doubt` says of one that was left out for naming a key twice; empty where there is none.
    """

    values: tuple[tuple[Any, int], ...] = ()
    doubt: str = ""


def decode(text: str) -> Any:
    """Return the value that a whole text is.

    Raises NotJson (TwiceNamed), saying why it is none, and GraderError where Python cannot
    read it (nested too deeply, a number of thousands of digits).
    """
    try:
        return jsonbytes.decode_strict(text)
    except json.JSONDecodeError as error:
        if not text.strip():
            raise NotJson("the text is empty") from None
        where = f"line {error.lineno}, column {error.colno}"
        raise NotJson(f"{error.msg} at {where}") from None
    except DuplicateKey as error:
        if _end_of(text, len(text) - len(text.lstrip(_BLANK))) < len(text.rstrip(_BLANK)):
            raise NotJson(f"{error}, and more is wrong with it") from None
        raise TwiceNamed(str(error)) from None
    except NotFinite as error:
        raise NotJson(str(error)) from None
    except RecursionError:
        raise GraderError(_TOO_DEEP) from None
    except ValueError as error:
        raise GraderError(f"the JSON cannot be read: {error}") from None


def search(text: str) -> Found:
    """Return the JSON values of a text.

    The whole text where it is JSON; else the fenced blocks that are, then every object and
    list in the rest, outermost ones only. Raises GraderError where Python cannot read one, or
    where looking would take too long.
    """
    try:
        return Found(((decode(text), 0),))
    except TwiceNamed as error:
        return Found(doubt=str(error))
    except NotJson:
        pass
    values: list[tuple[Any, int]] = []
    rest: list[tuple[int, int]] = []
    doubt, at = "", 0
    for block in _FENCE.finditer(text):
        try:
            values.append((decode(block[2]), block.start(2)))
        except TwiceNamed as error:
            doubt = doubt or str(error)
        except NotJson:
            continue
        rest.append((at, block.start()))
        at = block.end()
    rest.append((at, len(text)))
    work = _Work(_MOST_WORK)
    for start, end in rest:
        for value, where in _in_prose(text, start, end, work):
            if isinstance(value, DuplicateKey):
                doubt = doubt or str(value)
            else:
                values.append((value, where))
    return Found(tuple(values), doubt)


class _Work:
    """A budget of characters that failed attempts may read."""

    def __init__(self, left: int) -> None:
        self.left = left

    def spend(self, characters: int) -> None:
        self.left -= characters
        if self.left < 0:
            raise GraderError("the text has too many unfinished brackets to look for JSON in it")


def _in_prose(text: str, start: int, end: int, work: _Work) -> Iterator[tuple[Any, int]]:
    """Yield each outermost object or list, or a DuplicateKey in its place, and where it begins."""
    while (opening := _OPENING.search(text, start, end)) is not None:
        at = opening.start()
        try:
            value, start = _STRICT.raw_decode(text, at)
        except DuplicateKey as twice:
            value, start = twice, _end_of(text, at)
            work.spend(start - at)
            if start == at + 1:
                continue
        except json.JSONDecodeError as error:
            cut = error.msg.startswith("Unterminated string")
            work.spend((len(text) if cut else error.pos) - at + 1)
            start = at + 1
            continue
        except NotFinite:
            work.spend(_end_of(text, at, _TAKES_ALL) - at)
            start = at + 1
            continue
        except RecursionError:
            raise GraderError(_TOO_DEEP) from None
        except ValueError as error:
            raise GraderError(f"the JSON cannot be read: {error}") from None
        yield value, at


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        counts = Counter(key for key, _ in pairs)
        raise DuplicateKey(next(key for key, count in counts.items() if count > 1))
    return result


def _finite(name: str) -> Any:
    raise NotFinite(name)


_TAKES_ALL = json.JSONDecoder()
_FINITE = json.JSONDecoder(parse_constant=_finite)
_STRICT = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_finite)


def _end_of(text: str, start: int, decoder: json.JSONDecoder = _FINITE) -> int:
    """Return where a value ends, or the next character where it does not."""
    try:
        return decoder.raw_decode(text, start)[1]
    except (ValueError, RecursionError):
        return start + 1


def plain(value: Any) -> Any:
    """Return a value that is no text in JSON's own types (objects, lists, numbers, ...).

    Raises NotJson where it has no JSON form, as NaN has none, and GraderError where it is
    nested too deeply.
    """
    try:
        builtin = msgspec.to_builtins(value, str_keys=True)
        return json.loads(json.dumps(builtin, allow_nan=False))
    except RecursionError:
        raise GraderError(_TOO_DEEP) from None
    except (TypeError, ValueError) as error:
        raise NotJson(str(error)) from None
