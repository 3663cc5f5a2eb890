"""A text and what it decodes to, with the way back: escapes, URL, HTML, base64, one in another.

Each layer is a text that a reader could make of the given one. A stretch of a layer maps back to
the stretch of the given text that it was made from, so that it can be shown or masked there.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from probare.masking.packed import packed_in

_NARROW = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_DEEPEST = ((64_000, 3), (1_000_000, 2))

_PAIR = r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
_BACKSLASH = re.compile(
    _PAIR + r"|\\(?:u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|U[0-9a-fA-F]{4}"
    r"|x[0-9a-fA-F]{2}|[abfnrtv0\\])"
)
_MARKUP = re.compile(
    r"(?:%[0-9A-Fa-f]{2})+"
    r"|&(?:\#[0-9]{1,7}|\#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});?"
)
_QUOTED = re.compile(r"(?:=[0-9A-Fa-f]{2})+|=\r?\n")
_CONTROLS = dict(zip("abfnrtv0\\", "\a\b\f\n\r\t\v\0\\", strict=True))
_ESCAPES = (("\\", _BACKSLASH), ("%&", _MARKUP), ("=", _QUOTED))
_NAMES = {"\\": "backslash escapes", "%": "URL-encoded", "&": "HTML-encoded"}
_NAMES["="] = "quoted-printable"


@dataclass(frozen=True, slots=True)
class Layer:
    """`text`, and `back`, which maps a stretch of it to one of the given text. `how` names the
    decodings. `noisy` says that it is made of stretches that are apart: nothing is read across
    the zero characters, controls and lone surrogates in it.
    """

    text: str
    back: Callable[[int, int], tuple[int, int]]
    how: str = ""
    noisy: bool = False

    def below(
        self, text: str, place: Callable[[int, int], tuple[int, int]], how: str, *, noisy: bool
    ) -> Layer:
        """Return a layer made of this one; `place` maps its stretches to stretches of this."""
        said = f"{self.how}, {how}" if self.how else how
        return Layer(text, lambda s, e: self.back(*place(s, e)), said, noisy or self.noisy)


def layers(text: str, least: int) -> Iterator[Layer]:
    """Yield the text itself and all that it decodes to, three decodings deep; two where it is
    longer than 64,000 characters, one beyond a million.

    Nothing shorter than `least` characters is looked for in base64 and hexadecimal.
    """
    depth = next((depth for length, depth in _DEEPEST if len(text) <= length), 1)
    seen = {text}
    current = [Layer(text, lambda start, end: (start, end))]
    for left in range(depth, -1, -1):
        following: list[Layer] = []
        for layer in current:
            yield layer
            if left:
                for child in _below(layer, least):
                    if child.text not in seen:
                        seen.add(child.text)
                        following.append(child)
        current = following


def _below(layer: Layer, least: int) -> Iterator[Layer]:
    for marks, pattern in _ESCAPES:
        if any(mark in layer.text for mark in marks):
            child = _unescaped(layer, pattern)
            if child is not None:
                yield child
    narrow = layer.text.translate(_NARROW)
    if narrow != layer.text:
        yield layer.below(narrow, lambda start, end: (start, end), "full width", noisy=False)
    for packed in packed_in(layer.text, least):
        yield layer.below(packed.text, packed.place, packed.how, noisy=True)


def _unescaped(layer: Layer, pattern: re.Pattern[str]) -> Layer | None:
    """Undo one level of one kind of escapes; None where there are none."""
    text = layer.text
    parts: list[str] = []
    edits: list[tuple[int, int, int, int]] = []  # new start, new end, old start, old end
    kinds: dict[str, None] = {}
    at = made = 0
    for match in pattern.finditer(text):
        kept = text[at : match.start()]
        parts.append(kept)
        made += len(kept)
        old = match.start()
        kinds[_NAMES[match[0][0]]] = None
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

    return layer.below(
        "".join(parts),
        lambda start, end: (place(start, 0), place(end - 1, 1)),
        ", ".join(kinds),
        noisy=False,
    )


def _pieces(escape: str) -> Iterator[tuple[str, int]]:
    """Yield the characters that an escape stands for, each with the length it was written in."""
    if escape[0] in "%=":
        if escape[1] in "\r\n":
            yield "", len(escape)
            return
        decoded = bytes.fromhex(escape.replace(escape[0], "")).decode("utf-8", "surrogateescape")
        for char in decoded:
            yield char, 3 * len(char.encode("utf-8", "surrogateescape"))
    elif escape[0] == "&":
        yield html.unescape(escape), len(escape)
    elif escape.count("\\u") == 2:
        pair = bytes.fromhex(escape[2:6] + escape[8:])
        yield pair.decode("utf-16-be"), len(escape)
    elif escape[1] in _CONTROLS:
        yield _CONTROLS[escape[1]], len(escape)
    else:
        code = int(escape[2:].strip("{}"), 16)
        yield chr(code) if code <= 0x10FFFF else "\ufffd", len(escape)
