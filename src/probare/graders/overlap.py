"""Runs of words that a text shares with another."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from msgspec import Meta

from probare.errors import GraderError
from probare.graders import normal, prose
from probare.graders.compare import shown
from probare.model.verdict import Verdict
from probare.ports.grader import Grader, TrialView, holds

if TYPE_CHECKING:
    import regex

_MOST_SPANS = 20


class NgramOverlap(Grader, frozen=True, kw_only=True):
    """The text shares at most `at_most` runs of `n` words with the source.

    Counted are the places in the text at which `n` words in a row stand in the source in the
    same order: a copied sentence of 8 words has 4 such places for n = 5. `at_most` from 1 up is
    a number of places, and must be whole; below 1 it is their share of all such places in the
    text (0 is none either way). Case, punctuation and line ends do not matter. `allow` are terms
    (`Site Reliability Engineering`) that are taken out of both texts before words are counted.

    A text of fewer than `n` words shares nothing, and holds. A source without a word is an
    error: nothing could be compared. The score is 1 minus the share.
    """

    NAME: ClassVar[str] = "ngram_overlap"
    MAIN: ClassVar[str | None] = "source"

    source: Any
    n: Annotated[int, Meta(ge=1)] = 5
    at_most: Annotated[float, Meta(ge=0)] = 0
    allow: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a number of places that is not whole."""
        if self.at_most > 1 and self.at_most != int(self.at_most):
            raise ValueError(
                f"`at_most` {self.at_most:g} should be whole; below 1 it is a share of the text"
            )
        prose.check_phrases("allow", self.allow)

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Compare all runs of words; a failure shows the first that is shared."""
        text, as_seen = prose.of(seen)
        prepared = normal.fold(text)
        known = self._words(normal.fold(prose.whole(self.source)))
        if not known:
            raise GraderError("the source has no words, so nothing can be compared with it")
        own = self._words(prepared)
        n = self.n
        of = len(own) - n + 1
        if of <= 0:
            words = "1 word" if len(own) == 1 else f"{len(own)} words"
            return holds(True, f"the text has {words} and so no run of {n}")
        there = {
            tuple(word for word, _, _ in known[at : at + n]) for at in range(len(known) - n + 1)
        }
        shared = [at for at in range(of) if tuple(word for word, _, _ in own[at : at + n]) in there]
        share = len(shared) / of
        few = (share if self.at_most < 1 else len(shared)) <= self.at_most
        allowed = f"{self.at_most:.0%}" if 0 < self.at_most < 1 else f"{self.at_most:g}"
        reason = f"{len(shared)} of {of} runs of {n} words stand in the source, at most {allowed}"
        if not shared:
            return holds(True, reason)
        stretches = _joined([(own[at][1], own[at + n - 1][2]) for at in shared])
        first = prepared[slice(*stretches[0])]
        spans = normal.original_spans(text, stretches[:_MOST_SPANS], ignore_case=True)
        return holds(
            few,
            f"{reason}; first: {shown(' '.join(first.split()))}",
            score=1 - share,
            spans=spans if as_seen else (),
        )

    def _words(self, prepared: str) -> list[tuple[str, int, int]]:
        """Return the words of a prepared text that are no allowed terms."""
        found = prose.words(prepared)
        if not self.allow:
            return found
        allowed = [match.span() for match in _terms(self.allow).finditer(prepared)]
        kept: list[tuple[str, int, int]] = []
        term = 0
        for word in found:
            while term < len(allowed) and allowed[term][1] <= word[1]:
                term += 1
            inside = term < len(allowed) and allowed[term][0] < word[2]
            if not inside:
                kept.append(word)
        return kept


@lru_cache(maxsize=128)
def _terms(phrases: tuple[str, ...]) -> regex.Pattern[str]:
    return prose.pattern(phrases)


def _joined(stretches: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return stretches, in order, with those that overlap as one."""
    joined: list[tuple[int, int]] = []
    for start, end in stretches:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


GRADERS: tuple[type[Grader], ...] = (NgramOverlap,)
