"""The masker: known values and known shapes become `[secret:NAME]`.

It works on stored bytes, so that every sink that writes bytes can share it, and costs little
where there is nothing to mask.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from probare.masking.shapes import mask_shapes
from probare.masking.variants import variants

SHORTEST = 6


class Masker:
    """Masks the values of `secrets` (name to value) and the shapes of well-known keys.

    Values shorter than `SHORTEST` characters would mask ordinary text; they are listed in
    `too_short` and left alone.
    """

    def __init__(self, secrets: Mapping[str, str]) -> None:
        self.too_short = tuple(n for n, value in secrets.items() if 0 < len(value) < SHORTEST)
        self._names: dict[bytes, bytes] = {}
        for name, value in secrets.items():
            if len(value) >= SHORTEST:
                for variant in variants(value):
                    self._names.setdefault(variant, _token(name))
        longest_first = sorted(self._names, key=len, reverse=True)
        pattern = b"|".join(re.escape(variant) for variant in longest_first)
        self._pattern = re.compile(pattern) if longest_first else None

    def mask_bytes(self, line: bytes) -> bytes:
        """Return the bytes without secrets. A line of JSON stays a line of JSON."""
        if self._pattern is not None:
            line = self._pattern.sub(lambda match: self._names[match[0]], line)
        return mask_shapes(line)

    def mask_text(self, text: str) -> str:
        """Return the text without secrets."""
        masked = self.mask_bytes(text.encode("utf-8", "surrogatepass"))
        return masked.decode("utf-8", "surrogatepass")


def _token(name: str) -> bytes:
    safe = re.sub(r"[^A-Za-z0-9_.-]", "_", name)
    return f"[secret:{safe}]".encode()
