"""Masking a case's planted identifiers: `[planted:NAME]`, in whatever dress they come."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from probare.masking.disguises import find_all, fold, token
from probare.masking.jsonlines import is_json, mask_json
from probare.masking.pieces import Found, mask_across, mask_spans


class PlantedMask:
    """Masks identifiers, given as pairs of a name and a value. What is masked already stays."""

    def __init__(self, identifiers: Iterable[tuple[str, str]]) -> None:
        given = [(name, value) for name, value in identifiers if value and value != token(name)]
        self._tokens = {str(key): token(name) for key, (name, _) in enumerate(given)}
        self._values = {str(key): value for key, (_, value) in enumerate(given)}
        self._folded = {fold(value) for value in self._values.values()} - {""}

    def __bool__(self) -> bool:
        return bool(self._values)

    def mask_text(self, text: str) -> str:
        """Return the text with each identifier replaced by its token."""
        found = self._found(text)
        return mask_spans(text, found) if found else text

    def mask_bytes(self, line: bytes) -> bytes:
        """Return the bytes without the identifiers. A line of JSON stays a line of JSON."""
        if not self._values:
            return line
        if is_json(line):
            return mask_json(line, self)
        text = line.decode("utf-8", "surrogateescape")
        return self.mask_text(text).encode("utf-8", "surrogateescape")

    def mask_value(self, value: Any) -> Any:
        """Return a JSON value without the identifiers, field names and numbers included."""
        if not self._values:
            return value
        text = json.dumps({"input": [value]}, ensure_ascii=False)
        masked = mask_json(text.encode("utf-8", "surrogatepass"), self)
        return json.loads(masked.decode("utf-8", "surrogatepass"))["input"][0]

    def text(self, field: str, text: str) -> str:  # noqa: ARG002 - a rule of JSON
        """Mask a string of JSON."""
        return self.mask_text(text)

    def number(self, text: str) -> bool:
        """Whether an identifier stands in a number."""
        return bool(self._found(text))

    def whole(self, text: str) -> bool:
        """Whether the text is an identifier and no more."""
        return fold(text) in self._folded

    def pieces(self, texts: list[str]) -> list[str]:
        """Mask what stands across the ends of pieces."""
        return mask_across(texts, self._found("".join(texts)))

    def _found(self, text: str) -> list[Found]:
        hits = find_all(self._values, text)
        return [Found(hit.start, hit.end, self._tokens[hit.name]) for hit in hits]
