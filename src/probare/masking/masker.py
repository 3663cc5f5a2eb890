"""The masker: known values and known shapes become `[secret:NAME#kfbpaocd]`.

It works on stored bytes, so that every sink that writes bytes can share it. A clean line costs
about 3 µs a KB; only a suspected one is taken apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from probare.masking.encoded import decodings, may_encode
from probare.masking.jsonlines import is_json, mask_json
from probare.masking.layers import layers
from probare.masking.needles import finders
from probare.masking.pieces import Found, mask_across, mask_spans
from probare.masking.reserved import WORDS
from probare.masking.shapes import (
    NAMES,
    marks_of,
    mask_field,
    mask_shapes,
    shape_spans,
    suspected,
)
from probare.masking.streams import joined_texts
from probare.masking.tokens import safe_name, secret_token
from probare.masking.variants import LEAST, byte_forms, variants

SHORTEST = LEAST
_DEEPEST = 3


class Masker:
    """Masks the values of `secrets` (name to value) and the shapes of well-known keys.

    `unmasked` maps the names of those secrets that cannot be masked by value to the reason: a
    value under `SHORTEST` characters would mask ordinary text, and one that is a word of the
    record format would make records unreadable. Warn of them. Empty values are no secrets.
    """

    def __init__(self, secrets: Mapping[str, str]) -> None:
        known = {name: value for name, value in secrets.items() if value}
        self.unmasked = _unmasked(known)
        self._names: dict[str, str] = {}
        self._forms: dict[str, str] = {}
        for name, value in known.items():
            if name not in self.unmasked:
                self._names.setdefault(value, name)
                for form in variants(value):
                    self._forms.setdefault(form, value)
        longest_first = sorted(self._forms, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, longest_first)))
        needles = {form for text in self._forms for form in byte_forms(text)}
        self._finders = tuple(pattern.search for pattern in finders(needles))

    def mask_bytes(self, line: bytes) -> bytes:
        """Return the bytes without secrets. A line of JSON stays a line of JSON."""
        if self._suspected(line):
            return self._masked(line)
        joined = joined_texts(line)
        return self._masked(line) if joined and self._suspected(joined) else line

    def mask_text(self, text: str) -> str:
        """Return the text without secrets."""
        if self._forms:
            text = self._pattern.sub(self._token, text)
        text = mask_shapes(text)
        line = text.encode("utf-8", "surrogatepass")
        marks = marks_of(line)
        if may_encode(line, marks) and self._suspected_inside(line, marks, _DEEPEST):
            text = mask_spans(text, self._encoded(text))
        return text

    def text(self, field: str, text: str) -> str:
        """Mask a string of JSON."""
        return mask_field(field, self.mask_text(text))

    def number(self, text: str) -> bool:
        """Whether a number is a secret."""
        return text in self._names

    def whole(self, text: str) -> bool:
        """Whether the text is a secret and no more."""
        return text in self._names

    def pieces(self, texts: list[str]) -> list[str]:
        """Mask what stands across the ends of pieces."""
        return mask_across(texts, self._found, self._found)

    def parts(self, texts: list[str]) -> list[str]:
        """Return the texts of one value as they are: a secret is not told in several."""
        return texts

    def _found(self, text: str) -> Iterator[Found]:
        yield from self._plain(text)
        yield from self._encoded(text)

    def _plain(self, text: str) -> Iterator[Found]:
        if self._forms:
            for match in self._pattern.finditer(text):
                yield Found(match.start(), match.end(), self._token(match))
        yield from shape_spans(text)

    def _encoded(self, text: str) -> Iterator[Found]:
        for layer in layers(text, LEAST):
            if layer.how:
                for start, end, token in self._plain(layer.text):
                    yield Found(*layer.back(start, end), token)

    def _suspected(self, line: bytes, deeper: int = _DEEPEST) -> bool:
        for found in self._finders:
            if found(line):
                return True
        marks = marks_of(line)
        if suspected(line, marks):
            return True
        return may_encode(line, marks) and self._suspected_inside(line, marks, deeper)

    def _suspected_inside(self, line: bytes, marks: bytes, deeper: int) -> bool:
        return deeper > 0 and any(
            self._suspected(decoded, deeper - 1) for decoded in decodings(line, marks)
        )

    def _masked(self, line: bytes) -> bytes:
        if is_json(line):
            return mask_json(line, self)
        text = line.decode("utf-8", "surrogateescape")
        return self.mask_text(text).encode("utf-8", "surrogateescape")

    def _token(self, match: re.Match[str]) -> str:
        value = self._forms[match[0]]
        return secret_token(self._names[value], value)


def _unmasked(known: Mapping[str, str]) -> dict[str, str]:
    tokens = "\n".join(f"[secret:{safe_name(name)}#" for name in [*known, *NAMES])
    reasons: dict[str, str] = {}
    for name, value in known.items():
        if len(value) < SHORTEST:
            reasons[name] = f"shorter than {SHORTEST} characters"
        elif value in WORDS or value in tokens:
            reasons[name] = "a word of the record format"
    return reasons
