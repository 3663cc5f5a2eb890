"""The forms in which a secret may stand in a line: as it is, escaped, encoded."""

from __future__ import annotations

import base64
import json
from urllib.parse import quote, quote_plus


def variants(secret: str) -> set[bytes]:
    """Return a secret's bytes raw, JSON-escaped, URL-encoded, and inside any base64 text.

    Base64 shifts with the bytes before it, so of the three alignments the characters that
    depend on the secret alone are kept (all but those at the seams).
    """
    raw = secret.encode("utf-8", "surrogateescape")
    found = {
        raw,
        _escaped(secret).encode("utf-8", "surrogateescape"),
        _escaped(_escaped(secret)).encode("utf-8", "surrogateescape"),
        json.dumps(secret)[1:-1].encode(),
        quote(raw, safe="").encode(),
        quote(raw).encode(),
        quote_plus(raw).encode(),
    }
    for lead in range(3):
        found |= _base64(raw, lead)
    return {variant for variant in found if len(variant) >= 6}


def _escaped(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


def _base64(raw: bytes, lead: int) -> set[bytes]:
    padded = b"\0" * lead + raw
    spare = len(padded) % 3
    whole = padded[: len(padded) - spare] if spare else padded
    skip = (0, 2, 3)[lead]
    forms = set[bytes]()
    for encode in (base64.standard_b64encode, base64.urlsafe_b64encode):
        forms.add(encode(whole)[skip:])
    return forms
