"""The forms in which a secret may stand in a text: as it is, escaped, encoded, cut in two."""

from __future__ import annotations

import base64
import json
import re
from urllib.parse import quote, quote_plus

LEAST = 6
_HALF = 12
_PERCENT = re.compile("%[0-9A-F]{2}")
_RANDOM = re.compile(r"(?=.*[0-9])(?=.*[A-Za-z])[A-Za-z0-9_+/=.~-]+")


def variants(secret: str) -> set[str]:
    """Return the texts that give a secret away; none is shorter than `LEAST` characters.

    These are: the secret, JSON-escaped once and twice (JSON in a JSON text), URL-encoded, inside
    any base64 text, and, where it is long and random, each of its halves: a secret that was cut
    once, by a stream or a line's end, still has one half whole.
    """
    raw = _bytes(secret)
    shown = raw.decode("utf-8", "backslashreplace")
    found = {secret, shown}
    for _ in range(2):
        found |= {form for text in found for form in _escaped(text)}
    for encoded in (quote(raw, safe=""), quote(raw), quote_plus(raw)):
        found |= {encoded, _PERCENT.sub(lambda match: match[0].lower(), encoded)}
    found |= inside_base64(raw) | _halves(secret)
    return {form for form in found if len(form) >= LEAST}


def byte_forms(text: str) -> set[bytes]:
    """Return the bytes that a text may be in a line: as it is, or inside a JSON string."""
    escaped = json.dumps(text, ensure_ascii=False)[1:-1]
    return {
        _bytes(text),
        _bytes(escaped),
        json.dumps(text)[1:-1].encode(),
    }


def _bytes(text: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def _escaped(text: str) -> set[str]:
    plain = json.dumps(text, ensure_ascii=False)[1:-1]
    return {plain, json.dumps(text)[1:-1], plain.replace("/", "\\/")}


def inside_base64(raw: bytes) -> set[str]:
    """Return what these bytes are inside any base64 text: the characters that depend on
    them alone, for the three alignments, in both alphabets.

    Six bits a character: with `lead` bytes before, the first ceil(8·lead/6)
    characters depend on these too, and those after floor(8·(lead + length)/6) on what follows.
    """
    forms = set[str]()
    for lead in range(3):
        padded = b"\0" * lead + raw
        encoded = base64.b64encode(padded).decode()
        own = encoded[(0, 2, 3)[lead] : 8 * len(padded) // 6]
        forms |= {own, own.replace("+", "-").replace("/", "_")}
    return forms


def _halves(secret: str) -> set[str]:
    middle = len(secret) // 2
    halves = {secret[:middle], secret[middle:]}
    if middle < _HALF or not all(_RANDOM.fullmatch(half) for half in halves):
        return set()
    return halves
