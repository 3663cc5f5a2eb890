"""The masker: known values and known shapes become `[secret:NAME]`.

It works on stored bytes, so that every sink that writes bytes can share it. A clean line costs
about 3 µs a KB; only a suspected one is taken apart.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from probare.masking.jsonlines import is_json, mask_json
from probare.masking.needles import finders
from probare.masking.reserved import WORDS
from probare.masking.shapes import NAMES, QUICK, mask_field, mask_shapes, suspected
from probare.masking.variants import LEAST, byte_forms, variants

SHORTEST = LEAST
_QUICK = tuple(pattern.search for pattern in QUICK)


class Masker:
    """Masks the values of `secrets` (name to value) and the shapes of well-known keys.

    `unmasked` maps the names of those secrets that cannot be masked by value to the reason: a
    value under `SHORTEST` characters would mask ordinary text, and one that is a word of the
    record format would make records unreadable. Warn of them. Empty values are no secrets.
    """

    def __init__(self, secrets: Mapping[str, str]) -> None:
        known = {name: value for name, value in secrets.items() if value}
        self.unmasked = _unmasked(known)
        self._tokens: dict[str, str] = {}
        self._values: set[str] = set()
        for name, value in known.items():
            if name not in self.unmasked:
                self._values.add(value)
                for form in variants(value):
                    self._tokens.setdefault(form, _token(name))
        longest_first = sorted(self._tokens, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, longest_first)))
        needles = {form for text in self._tokens for form in byte_forms(text)}
        self._finders = tuple(pattern.search for pattern in finders(needles))

    def mask_bytes(self, line: bytes) -> bytes:
        """Return the bytes without secrets. A line of JSON stays a line of JSON."""
        for found in self._finders:
            if found(line):
                return self._masked(line)
        for found in _QUICK:
            if found(line):
                return self._masked(line) if suspected(line) else line
        return line

    def mask_text(self, text: str) -> str:
        """Return the text without secrets."""
        if self._tokens:
            text = self._pattern.sub(self._named, text)
        return mask_shapes(text)

    def _masked(self, line: bytes) -> bytes:
        if is_json(line):
            return mask_json(line, self._mask_field, self._values.__contains__)
        text = line.decode("utf-8", "surrogateescape")
        return self.mask_text(text).encode("utf-8", "surrogateescape")

    def _mask_field(self, field: str, text: str) -> str:
        return self.mask_text(mask_field(field, text))

    def _named(self, match: re.Match[str]) -> str:
        return self._tokens[match[0]]


def _token(name: str) -> str:
    return f"[secret:{re.sub(r'[^A-Za-z0-9_.-]', '_', name)}]"


def _unmasked(known: Mapping[str, str]) -> dict[str, str]:
    tokens = "\n".join(map(_token, [*known, *NAMES]))
    reasons: dict[str, str] = {}
    for name, value in known.items():
        if len(value) < SHORTEST:
            reasons[name] = f"shorter than {SHORTEST} characters"
        elif value in WORDS or value in tokens:
            reasons[name] = "a word of the record format"
    return reasons
