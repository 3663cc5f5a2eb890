"""Texts as they really read: one form of every character, and encoded pieces decoded."""

from __future__ import annotations

import base64
import binascii
import html
import re
import unicodedata
from collections.abc import Callable
from urllib.parse import unquote

_PERCENT = re.compile(r"\S*%[0-9A-Fa-f]{2}\S*")
_BASE64 = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{8,}={0,2}(?![A-Za-z0-9+/_=-])")
_LAYERS = 3


def plain(text: str) -> str:
    """Return the text in NFKC, without invisible characters, with HTML entities resolved.

    Full-width digits become digits, a soft hyphen or zero-width space inside a name goes.
    """
    for _ in range(_LAYERS):
        shown = html.unescape(unicodedata.normalize("NFKC", text))
        shown = "".join(c for c in shown if unicodedata.category(c) != "Cf")
        if shown == text:
            break
        text = shown
    return text


def unwrapped(text: str, replaced: Callable[[str], str], layers: int = _LAYERS) -> str:
    """Return the text with each encoded piece replaced, where that changes what it says.

    `replaced` is given what a URL- or base64-encoded piece decodes to and returns what may stay
    of it; a piece of which all may stay is left encoded. Pieces inside pieces are looked at up
    to `layers` deep.
    """
    if layers == 0:
        return text

    def looked_at(decode: Callable[[str], str | None]) -> Callable[[re.Match[str]], str]:
        def piece(match: re.Match[str]) -> str:
            said = decode(match[0])
            if said is None or said == match[0]:
                return match[0]
            said = plain(said)
            kept = replaced(unwrapped(said, replaced, layers - 1))
            return match[0] if kept == said else kept

        return piece

    text = _PERCENT.sub(looked_at(unquote), text)
    return _BASE64.sub(looked_at(_from_base64), text)


def _from_base64(piece: str) -> str | None:
    """Return the printable text that a piece encodes, or None where it encodes none."""
    bare = piece.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        said = base64.b64decode(bare + "=" * (-len(bare) % 4), validate=True).decode()
    except (binascii.Error, ValueError):
        return None
    return said if said.isprintable() else None
