"""The retriever: BM25 over the sections that are in force where and when a question is asked.

Okapi BM25 as in Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009),
equation 3.15, with the idf that is never negative, log(1 + (N - n + 0.5) / (n + 0.5)).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from datetime import date
from typing import Any

from hr.jurisdictions import Jurisdiction
from hr.library import Library, Section
from hr.words import Language, stems

K1, B = 1.2, 0.75
LEAST = 2.0
NEAR = 0.75


class PolicySearch:
    """Searches a library."""

    def __init__(self, library: Library) -> None:
        self.library = library

    def query(self, question: str, language: Language) -> str:
        """Return the words of a question that the policies know. What an employee writes of
        themselves or of others (names, diagnoses, amounts) stays out of the search.
        """
        known = {
            stem
            for document in self.library.documents
            for section in document.sections
            if section.language == language
            for stem in _stems_of(section)
        }
        return " ".join(dict.fromkeys(s for s in stems(question, language) if s in known))

    def search(
        self, query: str, jurisdiction: Jurisdiction | None, language: Language, as_of: str
    ) -> list[dict[str, Any]]:
        """Return the sections in `language` that hold in the jurisdiction on the day `as_of` and
        are about the query, best first, each with its score.
        """
        sections = [
            each
            for each in self.library.in_force(date.fromisoformat(as_of))
            if each.language == language and each.jurisdiction in (None, jurisdiction)
        ]
        scored = zip(_scores(query.split(), sections), sections, strict=True)
        ranked = sorted(scored, key=lambda pair: (-pair[0], pair[1].document, pair[1].section))
        return [
            {**section.told(), "score": round(score, 3)}
            for score, section in ranked[:3]
            if score >= max(LEAST, NEAR * ranked[0][0])
        ]


def _stems_of(section: Section) -> list[str]:
    """Return what a section is found by; its heading, and what people ask it as, count twice."""
    heading = f"{section.title} {section.section} {section.asked_as} "
    return stems(heading * 2 + section.text, section.language)


def _scores(query: Sequence[str], sections: Sequence[Section]) -> list[float]:
    texts = [Counter(_stems_of(section)) for section in sections]
    lengths = [text.total() for text in texts]
    mean = sum(lengths) / len(lengths) if lengths else 0.0
    spread = {stem: sum(stem in text for text in texts) for stem in query}
    return [
        sum(
            math.log(1 + (len(texts) - spread[stem] + 0.5) / (spread[stem] + 0.5))
            * text[stem]
            * (K1 + 1)
            / (text[stem] + K1 * (1 - B + B * length / mean))
            for stem in spread
            if text[stem]
        )
        for text, length in zip(texts, lengths, strict=True)
    ]
