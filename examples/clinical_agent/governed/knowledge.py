"""The knowledge base: sections of made-up guidance, ranked by BM25.

Robertson & Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond (2009), equation
3.15, with the idf of Lucene, which is never negative. Ties go by the section's name, so that
the same question always finds the same.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

GUIDANCE = Path(__file__).parent / "guidance"

_K1 = 1.2
_B = 0.75
_WORD = re.compile(r"[a-z0-9]+")
_STOP = {
    "a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "in", "is", "it", "of", "on",
    "or", "that", "the", "to", "what", "with",
}  # fmt: skip


@dataclass(frozen=True)
class Section:
    """A piece of guidance: where it stands, and what it says."""

    source: str
    title: str
    text: str


class KnowledgeBase:
    """Sections, and an index over their words."""

    def __init__(self, sections: list[Section]) -> None:
        self.sections = sections
        self._counts = [Counter(words(f"{s.title} {s.text}")) for s in sections]
        lengths = [counts.total() for counts in self._counts]
        self._lengths = lengths
        self._mean = sum(lengths) / len(lengths) if lengths else 1.0
        self._holding = Counter(word for counts in self._counts for word in counts)

    def search(self, query: str, limit: int = 2) -> list[Section]:
        """Return the sections that answer a question best, the best first; none that shares no
        word with it.
        """
        wanted = sorted(set(words(query)))
        scored = [(self._score(wanted, n), section) for n, section in enumerate(self.sections)]
        found = [(score, section) for score, section in scored if score > 0]
        found.sort(key=lambda pair: (-pair[0], pair[1].source))
        return [section for _, section in found[:limit]]

    def _score(self, wanted: list[str], n: int) -> float:
        counts, total = self._counts[n], len(self.sections)
        length = 1 - _B + _B * self._lengths[n] / self._mean
        score = 0.0
        for word in wanted:
            held = self._holding[word]
            idf = math.log(1 + (total - held + 0.5) / (held + 0.5))
            score += idf * counts[word] * (_K1 + 1) / (counts[word] + _K1 * length)
        return score


def load(folder: Path = GUIDANCE) -> KnowledgeBase:
    """Return the knowledge base of a folder's Markdown files, a section for each `##`."""
    sections: list[Section] = []
    for path in sorted(folder.glob("*.md")):
        subject, *parts = path.read_text(encoding="utf-8").split("\n## ")
        subject = subject.lstrip("# ").partition("(")[0].strip()
        for part in parts:
            title, _, text = part.partition("\n")
            name = f"{path.stem}#{title.lower().replace(' ', '-')}"
            sections.append(Section(name, f"{subject}: {title}", " ".join(text.split())))
    return KnowledgeBase(sections)


def words(text: str) -> list[str]:
    """Return a text's words, without those that say nothing."""
    return [word for word in _WORD.findall(text.lower()) if word not in _STOP]
