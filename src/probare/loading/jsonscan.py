"""A second, slow reading of JSON that knows where everything stands.

It is made only of a text in which something is wrong, or in whose values something is.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from json import decoder
from typing import Any, cast

from probare.loading.documents import Spot, Steps
from probare.loading.jsonnumbers import number_fault

MOST_DEPTH = 100

_SPACE = re.compile(r"[ \t\n\r]*")
_SCALAR = re.compile(r"[^\s,\]}]+")
_scan_string = cast("Any", decoder).scanstring


class Scan:
    """A second, slow reading of a JSON text: the place of each value, and what is refused.

    `found` lists message, line, column and steps. Reading ends at the first thing that is not
    JSON's grammar; what was read until then keeps its places.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._breaks = [match.start() for match in re.finditer("\n", text)]
        self.found: list[tuple[str, int, int, Steps]] = []
        self.root = Spot(1, 1)
        try:
            self._value(self._skip(0), (), self.root)
        except (ValueError, IndexError):
            return

    def _position(self, at: int) -> tuple[int, int]:
        line = bisect_right(self._breaks, at - 1)
        before = self._breaks[line - 1] if line else -1
        return line + 1, at - before

    def _skip(self, at: int) -> int:
        match = _SPACE.match(self._text, at)
        return match.end() if match else at

    def _value(self, at: int, steps: Steps, spot: Spot) -> int:
        spot.line, spot.column = self._position(at)
        first = self._text[at]
        if len(steps) > MOST_DEPTH:
            raise ValueError("too deep")
        if first == "{":
            return self._object(at, steps, spot)
        if first == "[":
            return self._array(at, steps, spot)
        if first == '"':
            return int(_scan_string(self._text, at + 1, False)[1])
        match = _SCALAR.match(self._text, at)
        if match is None:
            raise ValueError("no value")
        self._judge(match[0], at, steps)
        return match.end()

    def _judge(self, word: str, at: int, steps: Steps) -> None:
        if word in ("NaN", "Infinity", "-Infinity"):
            self._tell(f"{word} is not JSON", at, steps)
        elif word[0] in "-0123456789":
            fault = number_fault(word)
            if fault is not None:
                self._tell(fault, at, steps)

    def _tell(self, message: str, at: int, steps: Steps) -> None:
        self.found.append((message, *self._position(at), steps))

    def _array(self, at: int, steps: Steps, spot: Spot) -> int:
        at = self._skip(at + 1)
        index = 0
        while self._text[at] != "]":
            below = spot.inner[index] = Spot(0, 0)
            at = self._skip(self._value(at, (*steps, index), below))
            index += 1
            if self._text[at] == ",":
                at = self._skip(at + 1)
        return at + 1

    def _object(self, at: int, steps: Steps, spot: Spot) -> int:
        at = self._skip(at + 1)
        while self._text[at] != "}":
            key_at = at
            key, at = _scan_string(self._text, at + 1, False)
            below = Spot(0, 0, *self._position(key_at))
            if key in spot.inner:
                first = spot.inner[key].key_line
                self._tell(f"duplicate key '{key}' (first on line {first})", key_at, (*steps, key))
            else:
                spot.inner[key] = below
            at = self._skip(self._skip(at) + 1)
            at = self._skip(self._value(at, (*steps, key), below))
            if self._text[at] == ",":
                at = self._skip(at + 1)
        return at + 1
