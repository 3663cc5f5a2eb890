"""A job posting, as it was found, and what was made of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Seniority: TypeAlias = Literal[
    "intern", "junior", "mid", "senior", "staff", "principal", "lead", "unspecified"
]


@dataclass(frozen=True, slots=True)
class Posting:
    """A posting. `source` says whether its publisher marked it up or its text had to be read.

    In `text` a heading stands on a line of its own and a list's items begin with `- `. What is
    not known is an empty text.
    """

    text: str
    title: str = ""
    company: str = ""
    location: str = ""
    url: str = ""
    source: Literal["json-ld", "page"] = "page"


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a posting asks for. `keywords` are the technical terms that it names, the most
    important first.
    """

    role: str
    seniority: Seniority
    must_haves: tuple[str, ...] = ()
    nice_to_haves: tuple[str, ...] = ()
    responsibilities: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
