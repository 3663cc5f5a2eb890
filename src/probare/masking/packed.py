"""What base64 and hexadecimal inside a text decode to, with the way back."""

from __future__ import annotations

import binascii
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import NamedTuple

_CHAR = r"[A-Za-z0-9+/_-]"
_SPACE = re.compile(r"\s")
_URL_SAFE = str.maketrans("-_", "+/")
_BARRIER = "AAAA"
_HEX = re.compile(r"(?:[0-9a-fA-F]{2}[\s:,-]{0,2}(?:0[xX])?){4,}")
_HEX_DIGIT = re.compile(r"[0-9a-fA-F](?![xX])")
_UTF16 = re.compile("[^\0]\0[^\0]\0|\0[^\0]\0[^\0]")


class Packed(NamedTuple):
    """A decoded text; `place` maps a stretch of it to one of the text it was found in."""

    text: str
    place: Callable[[int, int], tuple[int, int]]
    how: str


def packed_in(text: str, least: int) -> Iterator[Packed]:
    """Yield what base64 and hexadecimal in a text could mean: the readable stretches of at least
    `least` characters, with zero characters between them; from texts of UTF-16 too.
    """
    shortest = max(4, -(-4 * least // 3))
    base64 = re.compile(rf"{_CHAR}(?:\s*{_CHAR}){{{shortest - 1},}}")
    runs = [(match.start(), match[0]) for match in base64.finditer(text)]
    found = [_base64(runs, skipped) for skipped in range(4)] if runs else []
    digits = [(match.start(), match[0]) for match in _HEX.finditer(text)]
    found += [_hexadecimal(digits, skipped) for skipped in range(2)] if digits else []
    readable = re.compile(rf"[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]{{{least},}}")
    for packed in found:
        yield from _readable(packed, readable)
        if _UTF16.search(packed.text):
            yield from _readable(_without_zeros(packed), readable)


def _readable(packed: Packed, readable: re.Pattern[str]) -> Iterator[Packed]:
    """Yield the readable stretches of what was decoded, if there are any."""
    stretches = [match.span() for match in readable.finditer(packed.text)]
    if not stretches:
        return
    starts: list[int] = []  # of each stretch, in the new text
    length = 0
    for start, end in stretches:
        starts.append(length)
        length += end - start + 1

    def moved(position: int) -> int:
        index = bisect_right(starts, position) - 1
        return stretches[index][0] + position - starts[index]

    def place(start: int, end: int) -> tuple[int, int]:
        return packed.place(moved(start), moved(end - 1) + 1)

    text = "\0".join(packed.text[start:end] for start, end in stretches)
    yield Packed(text, place, packed.how)


def _base64(runs: list[tuple[int, str]], skipped: int) -> Packed:
    """Decode the runs in one go from their `skipped`th character, zero bytes between them."""
    joined: list[str] = []
    starts: list[int] = []  # of each run, in characters of the joined base64
    length = 0
    for _, run in runs:
        piece = _SPACE.sub("", run)[skipped:]
        padded = piece + "A" * (-len(piece) % 4) + _BARRIER
        joined.append(padded)
        starts.append(length)
        length += len(padded)
    data = binascii.a2b_base64("".join(joined).translate(_URL_SAFE))
    text = data.decode("utf-8", "surrogateescape")

    def place(start: int, end: int) -> tuple[int, int]:
        first, last = _bytes_of(text, start, end)
        return char_at(4 * first // 3), char_at(-(-4 * last // 3) - 1) + 1

    def char_at(position: int) -> int:
        """Return the place of a character of the joined base64, or of the last before it."""
        index = bisect_right(starts, position) - 1
        offset, run = runs[index]
        shown = [at for at, char in enumerate(run) if not char.isspace()][skipped:]
        return offset + shown[min(position - starts[index], len(shown) - 1)]

    return Packed(text, place, "base64")


def _hexadecimal(runs: list[tuple[int, str]], skipped: int) -> Packed:
    """Decode the runs in one go from their `skipped`th digit, zero bytes between them."""
    digits: list[str] = []
    at: list[int] = []  # the place of each digit, or of the last one before
    for offset, run in runs:
        own = [match.start() for match in _HEX_DIGIT.finditer(run)][skipped:]
        own = own[: len(own) // 2 * 2]
        digits += [run[index] for index in own] + ["0", "0"]
        at += [offset + index for index in (*own, own[-1], own[-1])]
    text = bytes.fromhex("".join(digits)).decode("utf-8", "surrogateescape")

    def place(start: int, end: int) -> tuple[int, int]:
        first, last = _bytes_of(text, start, end)
        return at[2 * first], at[2 * last - 1] + 1

    return Packed(text, place, "hexadecimal")


def _bytes_of(text: str, start: int, end: int) -> tuple[int, int]:
    first = len(text[:start].encode("utf-8", "surrogateescape"))
    return first, first + len(text[start:end].encode("utf-8", "surrogateescape"))


def _without_zeros(packed: Packed) -> Packed:
    kept = [at for at, char in enumerate(packed.text) if char != "\0"]

    def place(start: int, end: int) -> tuple[int, int]:
        return packed.place(kept[start], kept[end - 1] + 1)

    return Packed("".join(packed.text[at] for at in kept), place, packed.how)
