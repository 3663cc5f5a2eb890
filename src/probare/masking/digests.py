"""Digests beside a masked identifier: of a file, of a trace, of the identifier itself.

Where all else is known, a short identifier is guessed from a digest of the whole in minutes. So
each digest becomes an HMAC of it, of the same length: equal ones stay equal, which is all that a
check compares, and nobody can try identifiers without the key.
"""

from __future__ import annotations

import hashlib
import hmac
import re

from probare.masking.tokens import mask_key

_STUMP = 12
_DIGEST = re.compile(
    r"(?<![0-9A-Za-z])(?=[0-9a-f]*[a-f])(?=[0-9a-f]*[0-9])[0-9a-f]{12,128}(?![0-9A-Za-z])"
)


class Digests:
    """Rules that mask the digests in JSON."""

    def text(self, field: str, text: str) -> str:
        """Return the text with its digests masked; not those that name blobs, masked themselves."""
        return text if field == "$blob" else mask_digests(text)

    def number(self, text: str) -> bool:  # noqa: ARG002
        """No number is a digest."""
        return False

    def whole(self, text: str) -> bool:  # noqa: ARG002
        """No digest of the harness's own is masked."""
        return False

    def pieces(self, texts: list[str]) -> list[str]:
        """Digests are not looked for across pieces."""
        return texts

    def parts(self, texts: list[str]) -> list[str]:
        """Digests are not looked for in several texts."""
        return texts


def mask_digests(text: str) -> str:
    """Return the text with each run of 12 to 128 hexadecimal digits replaced by its HMAC.

    A digest that was cut short becomes the HMAC of the whole one cut short, down to 12 digits.
    """
    return _DIGEST.sub(lambda match: _masked(match[0]), text)


def _masked(digest: str) -> str:
    stump = _hmac(digest[:_STUMP])[:_STUMP]
    return stump + (_hmac(digest) * 2)[: len(digest) - _STUMP]


def _hmac(text: str) -> str:
    return hmac.new(mask_key(), text.encode(), hashlib.sha256).hexdigest()
