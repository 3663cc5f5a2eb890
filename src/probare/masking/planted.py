"""Masking a case's planted identifiers: `[planted:NAME]`, in whatever dress they come."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from probare.masking.digests import Digests
from probare.masking.disguises import Needles, token
from probare.masking.folding import fold
from probare.masking.jsonlines import is_json, mask_json
from probare.masking.pieces import Found, mask_across, mask_spans


class PlantedMask:
    """Masks identifiers, given as pairs of a name and a value. What is masked already stays.

    One that is cut over several events becomes `[planted-part:NAME]` where it begins. No check
    looks across events, so that token is no hit, and the trial regrades as it was graded.
    """

    def __init__(self, identifiers: Iterable[tuple[str, str]]) -> None:
        given = [(name, value) for name, value in identifiers if value and value != token(name)]
        self._names = {str(key): name for key, (name, _) in enumerate(given)}
        self._needles = Needles({str(key): value for key, (_, value) in enumerate(given)})
        self._whole = {_bare(value) for _, value in given} - {""}

    def __bool__(self) -> bool:
        return bool(self._names)

    def mask_text(self, text: str) -> str:
        """Return the text with each identifier replaced by its token."""
        found = self._found(text)
        return mask_spans(text, found) if found else text

    def mask_bytes(self, line: bytes) -> bytes:
        """Return the bytes without the identifiers. A line of JSON stays a line of JSON.

        Where one was found, digests are masked too (`probare.masking.digests`).
        """
        if not self:
            return line
        if is_json(line):
            masked = mask_json(line, self)
            return line if masked == line else mask_json(masked, Digests())
        text = line.decode("utf-8", "surrogateescape")
        masked_text = self.mask_text(text)
        return line if masked_text == text else masked_text.encode("utf-8", "surrogateescape")

    def mask_value(self, value: Any) -> Any:
        """Return a JSON value without the identifiers, field names and numbers included."""
        if not self:
            return value
        text = json.dumps({"input": value if _is_whole(value) else [value]}, ensure_ascii=False)
        masked = mask_json(text.encode("utf-8", "surrogatepass"), self)
        found = json.loads(masked.decode("utf-8", "surrogatepass"))["input"]
        return found if _is_whole(value) else found[0]

    def text(self, field: str, text: str) -> str:  # noqa: ARG002 - a rule of JSON
        """Mask a string of JSON."""
        return self.mask_text(text)

    def number(self, text: str) -> bool:
        """Whether an identifier stands in a number."""
        return bool(self._needles.find(text))

    def whole(self, text: str) -> bool:
        """Whether the text is an identifier and no more."""
        return _bare(text) in self._whole

    def parts(self, texts: list[str]) -> list[str]:
        """Mask what stands in several texts of one value."""
        if not self._needles.find_across(texts):
            return texts
        return mask_across(texts, self._found, self._found, between="\n")

    def pieces(self, texts: list[str]) -> list[str]:
        """Mask what stands across the ends of pieces."""
        return mask_across(texts, self._parts_of, self._found)

    def _found(self, text: str) -> list[Found]:
        hits = self._needles.find(text)
        return [Found(hit.start, hit.end, token(self._names[hit.name])) for hit in hits]

    def _parts_of(self, text: str) -> list[Found]:
        hits = self._needles.find(text)
        return [Found(h.start, h.end, f"[planted-part:{self._names[h.name]}]") for h in hits]


def _bare(text: str) -> str:
    return fold(text).replace(" ", "")


def _is_whole(value: Any) -> bool:
    return isinstance(value, dict | list)
