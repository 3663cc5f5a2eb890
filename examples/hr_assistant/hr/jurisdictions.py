"""Where an employee's contract is, and which places a question speaks of."""

from __future__ import annotations

import re
from typing import TypeAlias

from hr.words import Language

Jurisdiction: TypeAlias = str

NAMES: dict[Jurisdiction, dict[Language, str]] = {
    "DE": {"en": "Germany", "de": "Deutschland", "id": "Jerman"},
    "UK": {
        "en": "the United Kingdom",
        "de": "das Vereinigte Königreich",
        "id": "Britania Raya",
    },
    "US-CA": {"en": "California", "de": "Kalifornien", "id": "California"},
    "ID": {"en": "Indonesia", "de": "Indonesien", "id": "Indonesia"},
}
_NAMED: dict[Jurisdiction, re.Pattern[str]] = {
    "DE": re.compile(r"\b(german\w*|berlin|munich|münchen|deutschland|jerman)\b", re.I),
    "UK": re.compile(
        r"\b(united kingdom|uk|england|britain|british|london|leeds|vereinigte\w* königreich"
        r"|großbritannien|inggris)\b",
        re.I,
    ),
    "US-CA": re.compile(r"\b(california\w*|san diego|los angeles|kalifornien)\b", re.I),
    "ID": re.compile(r"\b(indonesia\w*|jakarta|bandung|indonesien)\b", re.I),
}


def of_workplace(country: str, state: str | None = None) -> Jurisdiction | None:
    """Return the jurisdiction of a place of work; None where there are no policies for it."""
    if country == "US":
        return "US-CA" if state == "CA" else None
    return {"DE": "DE", "GB": "UK", "ID": "ID"}.get(country)


def named_in(question: str) -> tuple[Jurisdiction, ...]:
    """Return the jurisdictions that a question names, in the order of their first mention."""
    found = {
        name: match.start()
        for name, pattern in _NAMED.items()
        if (match := pattern.search(question)) is not None
    }
    return tuple(sorted(found, key=lambda name: found[name]))


def listed(names: tuple[Jurisdiction, ...], language: Language) -> str:
    """Return names of jurisdictions as people list them."""
    words = [NAMES[name][language] for name in names]
    joint = {"en": " and ", "de": " und ", "id": " dan "}[language]
    return joint.join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)
