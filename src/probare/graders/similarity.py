"""How alike two texts are, and how long one is."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from msgspec import Meta

from probare.errors import GraderError
from probare.graders import normal
from probare.graders.compare import shown
from probare.graders.text import as_text, note
from probare.model.verdict import Verdict
from probare.ports.grader import Grader, TrialView, holds, unknown

if TYPE_CHECKING:
    import regex

_MOST_CELLS = 10_000_000_000


class Similar(Grader, frozen=True, kw_only=True):
    """The text is like another: 1 − Levenshtein distance / length of the longer, at least so much.

    Both are normalised; case counts. The distance is in characters, so it knows nothing of
    meaning: "yes" and "no" are 0.0 alike, while "is safe" and "is unsafe" are 0.78 alike. There
    is no default for `at_least`. The score is the similarity. Two texts whose lengths multiply
    to more than 10¹⁰ (100,000 characters each) are an error.
    """

    NAME: ClassVar[str] = "similar"
    MAIN: ClassVar[str | None] = "to"
    BLOCKING: ClassVar[bool] = True

    to: str
    at_least: Annotated[float, Meta(ge=0.0, le=1.0)]

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Compare the texts; the score is how alike they are."""
        from rapidfuzz.distance import Levenshtein

        text = as_text(seen)
        a, b = normal.normalise(text), normal.normalise(self.to)
        if len(a) * len(b) > _MOST_CELLS:
            raise GraderError(
                f"texts of {len(a)} and {len(b)} characters are too long to compare by edits"
            )
        score = Levenshtein.normalized_similarity(a, b)
        reason = f"similarity {score:.3f}, wanted at least {self.at_least:g}"
        if score < 1.0:
            reason = f"{reason}: {shown(text)} against {shown(self.to)}"
        return holds(score >= self.at_least, reason + note(text, self.to), score=score)


@lru_cache(maxsize=1)
def _patterns() -> tuple[regex.Pattern[str], regex.Pattern[str]]:
    import regex

    single = r"[\p{Han}\p{Hiragana}\p{Katakana}]"
    word = rf"{single}|(?:(?!{single})[\w&&[^_]])(?:(?!{single})\w|['’.\-‐‑](?=\w)|(?<=\d),(?=\d))*"
    unspaced = r"[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}]"
    return regex.compile(word, regex.V1), regex.compile(unspaced)


def count_words(text: str) -> int | None:
    """Count the words of a text; null where that takes a dictionary.

    A word is a run of letters, marks, digits and underscores; an apostrophe, hyphen or dot
    between two of them is inside the word (don't, well-known, 3.5), and so is a comma between
    digits (1,000). Each Han or kana
    character counts as one, as word processors count. Thai, Lao, Khmer, Burmese and Tibetan
    are written without spaces between words: null.
    """
    words, unspaced = _patterns()
    if unspaced.search(text):
        return None
    return sum(1 for _ in words.finditer(normal.normalise(text)))


class WordCount(Grader, frozen=True, kw_only=True):
    """The text has at least `min` and at most `max` words.

    Han and kana characters count one each; a text in a script that does not part its words
    (Thai, Lao, Khmer, Burmese, Tibetan) is unknown.
    """

    NAME: ClassVar[str] = "word_count"

    min: Annotated[int, Meta(ge=0)] | None = None
    max: Annotated[int, Meta(ge=0)] | None = None

    def __post_init__(self) -> None:
        """Refuse a range that holds of everything, or of nothing."""
        if self.min is None and self.max is None:
            raise ValueError("name `min`, `max` or both")
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ValueError(f"`min` {self.min} is more than `max` {self.max}")

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Count the words."""
        count = count_words(as_text(seen))
        if count is None:
            return unknown("words cannot be counted in a script that does not part them")
        enough = self.min is None or count >= self.min
        few = self.max is None or count <= self.max
        words = "1 word" if count == 1 else f"{count} words"
        return holds(enough and few, f"{words}, wanted {self._wanted()}")

    def _wanted(self) -> str:
        if self.min is None:
            return f"at most {self.max}"
        if self.max is None:
            return f"at least {self.min}"
        return f"{self.min} to {self.max}" if self.min < self.max else f"exactly {self.min}"


GRADERS: tuple[type[Grader], ...] = (Similar, WordCount)
