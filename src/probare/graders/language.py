"""The grader `language`: which language a reply is written in.

The default detector is py3langid over all its languages, with normalised probabilities:
restricted to the expected ones it would make French look English. The bounds below were chosen
on 9,933 interface texts of 20 letters or more (4 in Chinese, Japanese and Korean) in 81 languages,
from the translations that come with Django 5.2. With them a text passes for its most probable
language in 86 %, wrongly in 0.34 % of those, nearly all among sisters (Czech and Slovak, Bosnian
and Croatian, the two Norwegian forms); it fails for its true language in 0.02 %. A bare majority
would decide 92 % and be wrong in 1.7 %: between Indonesian and Malay in every seventh text,
instead of 2 of 107. Sisters remain often unknown, which is why suites may declare equivalents.
"""

from __future__ import annotations

import importlib
import threading
from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, cast

from probare.errors import GraderError
from probare.graders import language_text, normal
from probare.graders.language_codes import PART_OF, accepted, canonical
from probare.graders.text import as_text
from probare.grading import usercode
from probare.model.verdict import Verdict
from probare.ports.grader import Grader, TrialView, holds, unknown

MAJORITY = 0.5
LEAD = 2.5
NEGLIGIBLE = 0.05
LEADER = 0.4
_MOST_CHARACTERS = 50_000
_UNDETERMINED = frozenset({"", "unknown", "undetermined", "und", "zxx"})

_loading = threading.Lock()


class Language(Grader, frozen=True, kw_only=True):
    """The text is in the expected language, or in one of several.

    Quotes, code and links are taken out first; the first 50,000 characters count. Under twenty
    Latin letters (four of other scripts), or where the detector is not sure, the answer is
    unknown: it passes where the expected languages hold at least half of the probability and 2.5
    times that of any other, and fails where they hold at most 5 % and another at least 40 %.

    `detector` (`module:function`, else the suite's) is given the text without quotes, code and
    links, and returns a code, or null where it cannot tell. Languages that the suite declares
    equivalent answer for each other.
    """

    NAME: ClassVar[str] = "language"
    MAIN: ClassVar[str | None] = "expected"
    BLOCKING: ClassVar[bool] = True

    expected: str | tuple[str, ...]
    detector: str | None = None

    def __post_init__(self) -> None:
        """Refuse unknown codes, none at all, and a detector that names no function."""
        if not self._codes():
            raise ValueError("`expected` is empty: name at least one language")
        for code in self._codes():
            canonical(code)
        if self.detector is not None and not all(self.detector.partition(":")):
            raise ValueError(f"detector '{self.detector}' is not of the form module:function")

    def _codes(self) -> tuple[str, ...]:
        return (self.expected,) if isinstance(self.expected, str) else self.expected

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Judge the language of the text's own words."""
        text = normal.normalise(as_text(seen)[:_MOST_CHARACTERS])
        words = language_text.own_words(text)
        settings = trial.settings
        wanted = accepted(self._codes(), settings.equivalent_languages)
        reference = self.detector or settings.language_detector
        if reference is not None:
            return self._by_own_detector(reference, settings.folder, words, wanted)
        if not language_text.enough(words):
            latin, other = language_text.letters(words)
            return unknown(
                f"too short to tell the language: {latin + other} letters outside quotes, code "
                f"and links (expected {self._wanted()})"
            )
        return self._by_belief(belief(words), wanted)

    def _by_belief(self, believed: Mapping[str, float], wanted: tuple[str, ...]) -> Verdict:
        share = sum(believed.get(code, 0.0) for code in wanted)
        others = [(p, code) for code, p in believed.items() if code not in wanted]
        rival, name = max(others, default=(0.0, ""))
        shares = f"{', '.join(wanted)} {share:.2f}, next {name} {rival:.2f}"
        if share >= MAJORITY and share >= LEAD * rival:
            best = max(wanted, key=lambda code: believed.get(code, 0.0))
            return holds(True, f"language: expected {self._wanted()}, got {best} ({shares})")
        for code in self._codes():
            if believed.keys().isdisjoint(accepted([code], ())):
                raise GraderError(
                    f"the default detector does not know {code}",
                    hint="name one that does: detector: module:function",
                )
        if share <= NEGLIGIBLE and rival >= LEADER and name not in _UNDETERMINED:
            return holds(False, f"language: expected {self._wanted()}, got {name} ({shares})")
        return unknown(f"the language is not sure: expected {self._wanted()} ({shares})")

    def _by_own_detector(
        self, reference: str, folder: Path | None, words: str, wanted: tuple[str, ...]
    ) -> Verdict:
        found: object = _own_detector(reference, folder)(words)
        if found is None or (isinstance(found, str) and found.strip().lower() in _UNDETERMINED):
            return unknown(f"{reference} cannot tell the language (expected {self._wanted()})")
        if not isinstance(found, str):
            kind = type(found).__name__
            raise GraderError(f"{reference} returned {kind}, not a language code or None")
        try:
            code = canonical(found)
        except ValueError as error:
            raise GraderError(f"{reference} returned {error}") from None
        return holds(
            code in wanted, f"language: expected {self._wanted()}, got {code} (by {reference})"
        )

    def _wanted(self) -> str:
        return " or ".join(self._codes())


def belief(text: str) -> dict[str, float]:
    """Return the probability of each language that py3langid knows, members of one added up.

    Safe to call from several threads; a thousand letters take about a millisecond.
    """
    ranked = cast("list[tuple[str, float]]", _identifier().rank(text))
    believed: defaultdict[str, float] = defaultdict(float)
    for label, probability in ranked:
        believed[PART_OF.get(label, label)] += probability
    return dict(believed)


def _identifier() -> Any:
    with _loading:
        return _load_identifier()


@lru_cache(maxsize=1)
def _load_identifier() -> Any:
    """Load the model (half a second), once; reading it afterwards changes nothing in it."""
    langid: Any = importlib.import_module("py3langid.langid")
    return langid.LanguageIdentifier.from_model_file(langid.MODEL_FILE, norm_probs=True)


@lru_cache(maxsize=16)
def _own_detector(reference: str, folder: Path | None) -> Any:
    with _loading:
        return usercode.load(reference, folder)


GRADERS: tuple[type[Grader], ...] = (Language,)
