"""An answer in its parts, before it is worded."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from hr import phrases
from hr.jurisdictions import NAMES
from hr.words import Language


@dataclass
class Draft:
    """What is to be said, in order: kind words, what was done, what the rules are, where they
    stand. `passages` are sections as the retriever returned them.
    """

    language: Language
    opening: list[str] = field(default_factory=list[str])
    facts: list[str] = field(default_factory=list[str])
    passages: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    closing: list[str] = field(default_factory=list[str])

    @property
    def body(self) -> str:
        """All but the sources."""
        texts = [passage["text"] for passage in self.passages]
        paragraphs = [" ".join(self.opening), *self.facts, *texts, *self.closing]
        return "\n\n".join(each for each in paragraphs if each)

    @property
    def sources(self) -> str:
        """A line for each passage: document, section, place, version and date."""
        return "\n".join(_source(each, self.language) for each in self.passages)


class Writer(Protocol):
    """Words an answer."""

    async def write(self, question: str, draft: Draft) -> str:
        """Return the body of the answer."""
        ...


class PlainWriter:
    """Says the parts as they are."""

    name = "plain writer"

    async def write(self, question: str, draft: Draft) -> str:
        """Return the draft's own body."""
        return draft.body


def _source(passage: dict[str, Any], language: Language) -> str:
    place = passage["jurisdiction"]
    return phrases.SOURCE[language].format(
        title=passage["title"],
        section=passage["section"],
        place=f" ({NAMES[place][language]})" if place else "",
        version=passage["version"],
        effective=passage["effective"],
    )
