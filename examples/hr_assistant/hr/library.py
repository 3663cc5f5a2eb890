"""The policy documents: read from Markdown, and which version of each is in force on a day.

A document's front matter says its id, version, language and the day it takes effect. A section
`## Entitlement {DE}` holds for that jurisdiction, one without braces for all. A comment under
the heading tells words that people ask with, and for a translation the topic's English name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any, cast

import yaml

from hr.jurisdictions import NAMES, Jurisdiction
from hr.words import Language

FOLDER = Path(__file__).parent.parent / "policies"
_FRONT = re.compile(r"---\n(.*?)\n---\n(.*)\Z", re.S)
_SECTION = re.compile(
    r"^## +(.+?)(?: +\{([A-Z-]+)\})?\n(?:<!-- *(.*?) *-->\n)?(.*?)(?=^## |\Z)", re.M | re.S
)


class PolicyInvalid(ValueError):
    """A policy document cannot be read."""


@dataclass(frozen=True)
class Section:
    """A section of a policy. `jurisdiction` is None where it holds for all; `topic` is its
    heading in English, whatever its language.
    """

    document: str
    title: str
    version: int
    effective: str
    language: Language
    section: str
    topic: str
    jurisdiction: Jurisdiction | None
    text: str
    asked_as: str = ""

    def told(self) -> dict[str, Any]:
        """Return the section as the retriever hands it out."""
        return {key: value for key, value in asdict(self).items() if key != "asked_as"}


@dataclass(frozen=True)
class Document:
    """One version of a policy in one language."""

    id: str
    version: int
    effective: date
    language: Language
    sections: tuple[Section, ...]


class Library:
    """All versions of all policies."""

    def __init__(self, documents: Iterable[Document]) -> None:
        self.documents = tuple(documents)

    def in_force(self, day: date) -> tuple[Section, ...]:
        """Return the sections that hold on a day: of each policy in each language the highest
        version that has taken effect, unless another language has a newer one.
        """
        taken_effect = [each for each in self.documents if each.effective <= day]
        newest: dict[str, int] = {}
        for each in taken_effect:
            newest[each.id] = max(each.version, newest.get(each.id, 0))
        return tuple(
            section
            for each in taken_effect
            if each.version == newest[each.id]
            for section in each.sections
        )

    def elsewhere(self, section: Section, day: date) -> tuple[Jurisdiction, ...]:
        """Return the other jurisdictions for which the same policy says something on a topic."""
        found = {
            each.jurisdiction
            for each in self.in_force(day)
            if (each.document, each.topic) == (section.document, section.topic)
            and each.jurisdiction != section.jurisdiction
        }
        return tuple(name for name in NAMES if name in found)


def read_library(folder: Path = FOLDER) -> Library:
    """Read all policies of a folder. Raises PolicyInvalid, naming the file."""
    return Library(_read(path) for path in sorted(folder.glob("*.md")))


def _read(path: Path) -> Document:
    parts = _FRONT.match(path.read_text(encoding="utf-8"))
    if parts is None:
        raise PolicyInvalid(f"{path.name} has no front matter")
    front = cast("dict[str, Any]", yaml.safe_load(parts[1]))
    missing = {"id", "title", "version", "effective", "language"} - front.keys()
    if missing:
        raise PolicyInvalid(f"{path.name} lacks {', '.join(sorted(missing))}")
    sections = tuple(_section(found, front) for found in _SECTION.finditer(parts[2]))
    if not sections:
        raise PolicyInvalid(f"{path.name} has no sections")
    return Document(
        id=front["id"],
        version=front["version"],
        effective=front["effective"],
        language=front["language"],
        sections=sections,
    )


def _section(found: re.Match[str], front: dict[str, Any]) -> Section:
    remarks = dict(
        cast("tuple[str, str]", tuple(part.split(": ", 1)))
        for part in (found[3] or "").split("; ")
        if ": " in part
    )
    return Section(
        document=front["id"],
        title=front["title"],
        version=front["version"],
        effective=front["effective"].isoformat(),
        language=front["language"],
        section=found[1],
        topic=remarks.get("topic", found[1]),
        jurisdiction=found[2],
        text=" ".join(found[4].split()),
        asked_as=remarks.get("asked as", ""),
    )
