"""Planted identifiers found in a trial, also in disguise.

The matching is `probare.masking.disguises`, which masking uses too: what is found here is what
`privacy: {mask: true}` masks, so that a masked trial regrades to the same verdict.

Not found: a value that is spread over several events, or that was translated, abbreviated,
encrypted, compressed, spelt out in words (nine for 9) or with letters put for others (4 for a); a
date in another order; text in pictures.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import msgspec

from probare.errors import GraderError
from probare.masking import disguises
from probare.masking.folding import fold
from probare.model.verdict import Span

LARGEST = 32_000_000


class Hit(msgspec.Struct, frozen=True):
    """An identifier found: its name, by which decodings, and where (of an undecoded text)."""

    name: str
    how: str
    span: Span | None = None


class Needles:
    """Identifiers made ready to be found. Raises GraderError where there are none, or where one
    has no letter or digit.
    """

    def __init__(self, identifiers: Mapping[str, str]) -> None:
        if not identifiers:
            raise GraderError(
                "no identifiers are planted",
                hint="name them in the case's `planted`, or in `identifiers`",
            )
        for name, value in identifiers.items():
            if not fold(value).strip():
                raise GraderError(
                    f"the planted identifier '{name}' has no letter or digit to be found by"
                )
        self._needles = disguises.Needles(identifiers)
        self._masked = [
            name for name, value in identifiers.items() if value == disguises.token(name)
        ]

    def refuse_masked(self) -> None:
        """Raise GraderError where the values themselves are masked, so that only their tokens
        could be found: in a stored text they are found all the same, in a stretch of one not.
        """
        if self._masked:
            raise GraderError(f"not observable: the planted '{self._masked[0]}' is masked")

    def find(self, value: Any) -> list[Hit]:
        """Return the identifiers that stand in a JSON value, each once.

        A mapping's keys and values are looked at, and its values and a list's items also in a
        row. Raises GraderError where there are more than `LARGEST` characters to look through.
        """
        if sum(map(len, texts_of(value, keys=True))) > LARGEST:
            raise GraderError(f"too much to look through: over {LARGEST:,} characters")
        hits: dict[str, Hit] = {}
        for name, start, end, how in self._needles.find_in(value):
            place = Span(start, end) if isinstance(value, str) and not how else None
            hits.setdefault(name, Hit(name, how, place))
        return list(hits.values())


def texts_of(value: Any, *, keys: bool) -> Iterator[str]:
    """Yield the texts and numbers inside a JSON value, in order, with its keys or without."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield str(value)
    elif isinstance(value, dict):
        for key, item in cast("dict[str, Any]", value).items():
            if keys:
                yield key
            yield from texts_of(item, keys=keys)
    elif isinstance(value, list | tuple):
        for item in cast("Sequence[Any]", value):
            yield from texts_of(item, keys=keys)
