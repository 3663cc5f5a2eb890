"""The redactor: identifiers out of a text before anything else sees it.

It knows two kinds: those of the patient that the request is about, which its context names and
which are found however they are written, and those of anyone, which are found by their look.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from governed.disguises import plain, unwrapped
from governed.recognisers import Found, found_by_pattern

_SHORTEST_PART = 3
_KIND_OF = {
    "birth_date": "DATE",
    "date_of_birth": "DATE",
    "dob": "DATE",
    "member_id": "HEALTH_PLAN",
}


@dataclass(frozen=True)
class Identifier:
    """What was taken out: its kind, and the text itself, for whoever checks the redactor."""

    kind: str
    text: str


@dataclass(frozen=True)
class Redacted:
    """A text, or any JSON value, without identifiers; and what was taken out of it."""

    clean: Any
    found: list[Identifier] = field(default_factory=list[Identifier])


class Redactor:
    """Replaces identifiers by their kind: `Avery Quill` by `[NAME]`.

    `patient` maps what an identifier is (`name`, `birth_date`, `mrn`, ...) to its value.
    """

    def __init__(self, patient: Mapping[str, str] | None = None) -> None:
        self._known = list(_known(patient or {}))

    def redact(self, said: Any) -> Redacted:
        """Return a text without identifiers, in plain characters (`disguises.plain`). In a JSON
        value every text is redacted, keys too.
        """
        found: list[Identifier] = []
        return Redacted(self._cleaned(said, found), found)

    def is_clean(self, said: Any) -> bool:
        """Whether there is nothing to redact."""
        return not self.redact(said).found

    def normal(self, text: str) -> str:
        """Return a text in the form in which identifiers are looked for."""
        return plain(text)

    def opened(self, text: str, without: Callable[[str], str]) -> str:
        """Return a text with its encoded pieces redacted."""
        return unwrapped(text, without)

    def _cleaned(self, said: Any, found: list[Identifier]) -> Any:
        if isinstance(said, str):
            return self._redacted(said, found)
        if isinstance(said, Mapping):
            entries = cast("Mapping[str, Any]", said).items()
            return {self._redacted(k, found): self._cleaned(v, found) for k, v in entries}
        if isinstance(said, list):
            return [self._cleaned(item, found) for item in cast("list[Any]", said)]
        return said

    def _redacted(self, text: str, found: list[Identifier]) -> str:
        def without(piece: str) -> str:
            kept, at = "", 0
            for kind, start, end in _merged(self._found(piece)):
                found.append(Identifier(kind, piece[start:end]))
                kept, at = f"{kept}{piece[at:start]}[{kind}]", end
            return kept + piece[at:]

        return without(self.opened(self.normal(text), without))

    def _found(self, text: str) -> Iterator[Found]:
        for kind, pattern in self._known:
            for match in pattern.finditer(text):
                yield Found(kind, *match.span())
        yield from found_by_pattern(text)


def _known(patient: Mapping[str, str]) -> Iterator[tuple[str, re.Pattern[str]]]:
    """Yield a pattern for each identifier of the patient, and for each part of a name."""
    for what, value in patient.items():
        kind = _KIND_OF.get(what, what.upper())
        values = [plain(value)]
        if kind == "NAME":
            values += [part for part in values[0].split() if len(part) >= _SHORTEST_PART]
        for said in values:
            letters = [re.escape(c) for c in said if c.isalnum()]
            if letters:
                spaced = r"[\W_]*".join(letters)
                yield kind, re.compile(rf"(?<![^\W_]){spaced}(?![^\W_])", re.IGNORECASE)


def _merged(found: Iterable[Found]) -> Iterator[Found]:
    """Yield spans that do not overlap: of those that do, their union, named after the longest."""
    group: list[Found] = []
    for span in sorted(found, key=lambda each: (each.start, -each.end)):
        if group and span.start >= max(each.end for each in group):
            yield _union(group)
            group = []
        group.append(span)
    if group:
        yield _union(group)


def _union(group: list[Found]) -> Found:
    longest = max(group, key=lambda each: each.end - each.start)
    return Found(longest.kind, group[0].start, max(each.end for each in group))
