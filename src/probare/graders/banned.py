"""Words that must not be in a text."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar

from probare.graders import inflections, normal, prose
from probare.graders.compare import shown
from probare.graders.text import excerpt
from probare.model.verdict import Verdict
from probare.ports.grader import Grader, TrialView, holds

if TYPE_CHECKING:
    import regex

_MOST_SPANS = 20
_MOST_FORMS = 2000


class BannedWords(Grader, frozen=True, kw_only=True):
    """The text is FREE of the banned words: it belongs under `expect`, and passes where none of
    them is found. Under `forbid`, or inside `not`, it is refused at load, since there it would
    ask for them.

    Whole words or phrases, whatever their case: a banned "art" is not in "start". The words of
    a phrase may stand apart by spaces, line feeds or hyphens. With `inflections` the regular
    English forms of each word count too (-s, -es, -ed, -d, -ing, -er, by spelling alone), so that
    "leverage" finds "leveraged"; words of one or two letters have none. `allow` are phrases in
    which a banned word may stand: "state of the art". In JSON, keys and texts are looked at.
    """

    NAME: ClassVar[str] = "banned_words"
    MAIN: ClassVar[str | None] = "words"
    PROHIBITS: ClassVar[bool] = True

    words: tuple[str, ...]
    inflections: bool = False
    allow: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse lists that ban nothing."""
        if not self.words:
            raise ValueError("`words` is empty: name at least one banned word")
        prose.check_phrases("words", self.words)
        prose.check_phrases("allow", self.allow)

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Look for each word; a failure says what was found, and where."""
        text, as_seen = prose.of(seen)
        prepared = normal.fold(text)
        banned = _pattern(self.words, inflected=self.inflections)
        found = [match.span() for match in banned.finditer(prepared, overlapped=True)]
        if found and self.allow:
            allowed = [m.span() for m in _allowed(self.allow).finditer(prepared, overlapped=True)]
            found = [
                (start, end)
                for start, end in found
                if not any(first <= start and end <= last for first, last in allowed)
            ]
        if not found:
            count = "the banned word is" if len(self.words) == 1 else "no banned word is"
            said = f"the banned word {shown(self.words[0])} is not in the text"
            return holds(True, said if count.startswith("the") else f"{count} in the text")
        hits = list(dict.fromkeys(prepared[start:end] for start, end in found))
        spans = normal.original_spans(text, found[:_MOST_SPANS], ignore_case=True)
        first = spans[0]
        named = ", ".join(shown(hit) for hit in hits[:5])
        more = f" and {len(hits) - 5} more" if len(hits) > 5 else ""
        where = f"at character {first.start}: {excerpt(text, first.start, first.end)}"
        reason = f"banned: {named}{more}, {where}"
        return holds(False, reason, spans=spans if as_seen else ())


@lru_cache(maxsize=128)
def _pattern(words: tuple[str, ...], *, inflected: bool) -> regex.Pattern[str]:
    if not inflected:
        return prose.pattern(words)
    return prose.pattern(form for phrase in words for form in _forms(phrase))


@lru_cache(maxsize=128)
def _allowed(phrases: tuple[str, ...]) -> regex.Pattern[str]:
    return prose.pattern(phrases)


def _forms(phrase: str) -> list[str]:
    """Return a phrase with each of its words in each form; a long one only in its last word's."""
    each = [inflections.forms(word) for word in normal.fold(phrase).replace("-", " ").split()]
    count = 1
    for own in each:
        count *= len(own)
    if count > _MOST_FORMS:
        each = [(own[0],) for own in each[:-1]] + [each[-1]]
    return [" ".join(words) for words in product(*each)]


GRADERS: tuple[type[Grader], ...] = (BannedWords,)
