"""A text and what it decodes to, with the way back: escapes, URL, HTML, base64, one in another.

Each layer is a text that a reader could make of the given one. A stretch of a layer maps back to
the stretch of the given text that it was made from, so that it can be shown or masked there.
"""

from __future__ import annotations

import binascii
import html
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass

DEPTH = 3

_ESCAPED = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|\\(?:u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{2}|[abfnrtv0\\])"
    r"|(?:%[0-9A-Fa-f]{2})+"
    r"|&(?:\#[0-9]{1,7}|\#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});"
)
_CONTROLS = dict(zip("abfnrtv0\\", "\a\b\f\n\r\t\v\0\\", strict=True))
_BASE64 = r"[A-Za-z0-9+/_-]"
_URL_SAFE = str.maketrans("-_", "+/")
_BARRIER = "AAAA"


@dataclass(frozen=True, slots=True)
class Layer:
    """`text`, and `back`, which maps a stretch of it to one of the given text. `noisy` says that
    most of it may be chance: what was no base64 decodes to controls and lone surrogates, across
    which nothing is read.
    """

    text: str
    back: Callable[[int, int], tuple[int, int]]
    noisy: bool = False


def layers(text: str, least: int, depth: int = DEPTH) -> Iterator[Layer]:
    """Yield the text itself and all that it decodes to, at most `depth` decodings deep.

    Base64 shorter than what `least` bytes encode to is not looked into.
    """
    top = Layer(text, lambda start, end: (start, end))
    yield from _below(top, max(4, -(-4 * least // 3)), depth)


def _below(layer: Layer, shortest: int, depth: int) -> Iterator[Layer]:
    yield layer
    if depth == 0:
        return
    plain = _unescaped(layer)
    if plain is not None:
        yield from _below(plain, shortest, depth - 1)
    for decoded in _from_base64(layer, shortest):
        yield from _below(decoded, shortest, depth - 1)


def _unescaped(layer: Layer) -> Layer | None:
    """Undo one level of backslash escapes, percent-encoding and HTML entities; None if none."""
    text = layer.text
    parts: list[str] = []
    edits: list[tuple[int, int, int, int]] = []  # new start, new end, old start, old end
    at = made = 0
    for match in _ESCAPED.finditer(text):
        kept = text[at : match.start()]
        parts.append(kept)
        made += len(kept)
        old = match.start()
        for piece, length in _pieces(match[0]):
            parts.append(piece)
            edits.append((made, made + len(piece), old, old + length))
            made += len(piece)
            old += length
        at = match.end()
    if not edits:
        return None
    parts.append(text[at:])
    starts = [edit[0] for edit in edits]

    def place(position: int, side: int) -> int:
        index = bisect_right(starts, position) - 1
        if index < 0:
            return position + side
        _, new_end, old_start, old_end = edits[index]
        if position < new_end:
            return old_end if side else old_start
        return old_end + position - new_end + side

    def back(start: int, end: int) -> tuple[int, int]:
        return layer.back(place(start, 0), place(end - 1, 1))

    return Layer("".join(parts), back, layer.noisy)


def _pieces(escape: str) -> Iterator[tuple[str, int]]:
    """Yield the characters that an escape stands for, each with the length it was written in."""
    if escape[0] == "%":
        decoded = bytes.fromhex(escape.replace("%", "")).decode("utf-8", "surrogateescape")
        for char in decoded:
            yield char, 3 * len(char.encode("utf-8", "surrogateescape"))
    elif escape[0] == "&":
        yield html.unescape(escape), len(escape)
    elif len(escape) == 12:
        pair = bytes.fromhex(escape[2:6] + escape[8:])
        yield pair.decode("utf-16-be"), len(escape)
    elif escape[1] in _CONTROLS:
        yield _CONTROLS[escape[1]], len(escape)
    else:
        code = int(escape[2:], 16)
        yield chr(code) if code <= 0x10FFFF else "\ufffd", len(escape)


def _from_base64(layer: Layer, shortest: int) -> Iterator[Layer]:
    """Decode all that could be base64, wrapped or not, at each of the four alignments."""
    pattern = rf"{_BASE64}{{{shortest},}}(?:\r?\n{_BASE64}{{4,}})*"
    runs = [(match.start(), match[0]) for match in re.finditer(pattern, layer.text)]
    if not runs:
        return
    for skipped in range(4):
        yield _decoded(layer, runs, skipped)


def _decoded(layer: Layer, runs: list[tuple[int, str]], skipped: int) -> Layer:
    """Decode the runs in one go, a barrier of zero bytes between them."""
    joined: list[str] = []
    starts: list[int] = []  # of each run, in characters of the joined base64
    length = 0
    for _, run in runs:
        piece = run.replace("\r", "").replace("\n", "") if "\n" in run else run
        piece = piece[skipped:]
        padded = piece + "A" * (-len(piece) % 4) + _BARRIER
        joined.append(padded)
        starts.append(length)
        length += len(padded)
    data = binascii.a2b_base64("".join(joined).translate(_URL_SAFE))
    text = data.decode("utf-8", "surrogateescape")

    def back(start: int, end: int) -> tuple[int, int]:
        first = len(text[:start].encode("utf-8", "surrogateescape"))
        last = first + len(text[start:end].encode("utf-8", "surrogateescape"))
        from_char, to_char = 4 * first // 3, -(-4 * last // 3)
        index = bisect_right(starts, from_char) - 1
        offset, run = runs[index]
        shown = [at for at, char in enumerate(run) if char not in "\r\n"][skipped:]
        low = from_char - starts[index]
        high = min(to_char - starts[index], len(shown))
        return layer.back(offset + shown[low], offset + shown[high - 1] + 1)

    return Layer(text, back, noisy=True)
