"""JSON, read strictly: no duplicate keys, no NaN, no numbers that a float or 64 bits cannot hold.

The decoder is Python's own. Only where it refuses a text is that text read a second time,
slowly, to find the place of everything that is wrong.
"""

from __future__ import annotations

import json
import math
import re
from sys import intern
from typing import Any

from probare.encoding.jsonbytes import DuplicateKey
from probare.errors import Place
from probare.loading.documents import Spot, Steps, shown
from probare.loading.faultlist import Faults
from probare.loading.jsonnumbers import number_fault, read_number
from probare.loading.jsonscan import MOST_DEPTH, Scan


class _BadNumberError(ValueError):
    """A number that is not JSON, or that nothing here can hold."""


def _number(text: str) -> int | float:
    fault = number_fault(text)
    if fault is not None:
        raise _BadNumberError(fault)
    return read_number(text)


def _constant(name: str) -> Any:
    raise _BadNumberError(f"{name} is not JSON")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Keys are interned: thousands of cases have the same ones."""
    result = {intern(key): value for key, value in pairs}
    if len(result) != len(pairs):
        raise DuplicateKey(next(key for key, _ in pairs))
    return result


def _float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise _BadNumberError(text)
    return value


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_constant=_constant, parse_int=_number, parse_float=_float
)


def decode(text: str) -> Any:
    """Decode JSON strictly. Raises ValueError, or RecursionError on too deep a nest."""
    value = _DECODER.decode(text)
    if text.count("[") + text.count("{") > MOST_DEPTH and _depth(text) > MOST_DEPTH:
        raise RecursionError
    return value


_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)


def _depth(text: str) -> int:
    """Return how deep a JSON text is nested."""
    depth = most = 0
    for match in _BRACKETS.finditer(text):
        if match[0] in "[{":
            depth += 1
            most = max(most, depth)
        elif match[0] in "]}":
            depth -= 1
    return most


class JsonDocument:
    """A JSON text with the place of every value in it. `line` is where the text begins."""

    def __init__(self, file: str, text: str, line: int = 1) -> None:
        self._file = file
        self._text = text
        self._line = line
        self._spot: Spot | None = None

    def place(self, steps: Steps, *, key: bool = False) -> Place:
        """Return the place of the value that `steps` lead to, or of its key."""
        if self._spot is None:
            scan = Scan(self._text)
            self._spot = scan.root
        line, column = self._spot.find(steps, key=key)
        return Place(self._file, self._line + line - 1, column, shown(steps))


def parse(text: str, file: str, faults: Faults, line: int = 1) -> tuple[Any, JsonDocument]:
    """Return the value of a JSON text and its document. What is wrong goes to `faults`.

    `line` is the line of the file on which the text begins.
    """
    document = JsonDocument(file, text, line)
    try:
        return decode(text), document
    except json.JSONDecodeError as error:
        place = Place(file, line + error.lineno - 1, error.colno)
        faults.add(place, f"is not JSON: {_plain(error.msg)}", _hint(text, error))
    except RecursionError:
        faults.add(Place(file, line), f"is nested more than {MOST_DEPTH} levels deep")
    except ValueError as error:
        scan = Scan(text)
        for message, found_line, column, steps in scan.found:
            place = Place(file, line + found_line - 1, column, shown(steps))
            faults.add(place, message)
        if not scan.found:
            faults.add(Place(file, line), f"is not JSON: {error}")
    return None, document


def _plain(message: str) -> str:
    return message[:1].lower() + message[1:]


def _hint(text: str, error: json.JSONDecodeError) -> str:
    rest = text[error.pos : error.pos + 2]
    before = text[: error.pos].rstrip()
    if not text.strip():
        return "the file is empty"
    if before.endswith(",") and rest[:1] in ("]", "}"):
        return "leave out the comma before the bracket"
    if rest.startswith("'"):
        return "JSON takes double quotes"
    if rest in ("//", "/*") or rest.startswith("#"):
        return "JSON has no comments"
    return ""
