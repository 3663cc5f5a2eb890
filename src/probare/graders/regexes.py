"""Regular expressions, with a time limit.

The module `regex` is used for its timeout: a pattern that backtracks without end is a grader
error after one second, never a stalled run. Its matching lets go of the interpreter lock, and
the grader asks for a thread (`BLOCKING`), so that even that second stalls nobody else.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

from probare.errors import GraderError
from probare.graders import normal
from probare.graders.compare import shown
from probare.graders.text import as_text, excerpt, note
from probare.model.verdict import Span, Verdict
from probare.ports.grader import Grader, TrialView, holds

if TYPE_CHECKING:
    import regex

TIME_LIMIT_S = 1.0
_FLAGS = "imsxa"
_MOST_SPANS = 20
_ESCAPE = re.compile(
    r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|([0rvf])(?!\d))|(\\.)", re.DOTALL
)
_PLAIN_ESCAPE = {"0": "\0", "r": "\r", "v": "\v", "f": "\f"}
_PROPERTY = re.compile(
    r"\\[pP]\{\^?(?:\w+[=:])?"
    r"(?:C[cf]?|Z[slp]?|Other|Control|Format|Separator|Space_?Separator|White_?Space|Cntrl"
    r"|DI|Default_?Ignorable\w*)\}|\\N\{|\[:cntrl:\]",
    re.IGNORECASE,
)


def names_what_normalising_takes(pattern: str) -> bool:
    r"""Whether a pattern speaks of characters that normalisation drops or changes.

    It does by a literal, an escape (`\u200b`, `\xa0`, `\r`), a name, or a property such as
    `\p{Cf}` or `\p{Zs}`.
    """
    if _PROPERTY.search(pattern):
        return True
    named: list[str] = []
    for match in _ESCAPE.finditer(pattern):
        digits = match[1] or match[2] or match[3]
        if digits:
            number = int(digits, 16)
            named.append(chr(number) if number <= 0x10FFFF else "")
        elif match[4]:
            named.append(_PLAIN_ESCAPE[match[4]])
    literal = [char for char in pattern if char not in "\t\n"]
    return any(char == "\r" or normal.normalise(char) != char for char in [*named, *literal])


@lru_cache(maxsize=1024)
def compiled(pattern: str, flags: str) -> tuple[regex.Pattern[str], bool]:
    """Return the compiled pattern, and whether it looks at normalised text.

    Raises ValueError, saying where, for a pattern or a flag that is not one.
    """
    import regex

    for flag in flags.replace(" ", ""):
        if flag not in _FLAGS:
            raise ValueError(f"unknown flag '{flag}' in \"{flags}\"; there are {', '.join(_FLAGS)}")
    bits = 0
    for flag in flags.replace(" ", ""):
        bits |= int(getattr(regex, flag.upper()))
    normalised = not names_what_normalising_takes(pattern)
    try:
        return regex.compile(normal.normalise(pattern) if normalised else pattern, bits), normalised
    except (regex.error, ValueError, OverflowError, RecursionError) as error:
        raise ValueError(f"'{pattern}' is not a regular expression: {error}") from None


class Regex(Grader, frozen=True, kw_only=True):
    r"""The text matches a regular expression, somewhere or, with `full`, from end to end.

    `flags` are letters: i (ignore case), m (^ and $ at each line), s (a dot takes line feeds),
    x (verbose), a (ASCII classes); `(?i)` in the pattern does as well. Pattern and text are
    normalised like all text. A pattern that itself names an invisible character or a special
    space (literally, escaped, or as `\p{Cf}`) looks at the text as it stands. A search that
    takes more than one second is an error, never a pass.
    """

    NAME: ClassVar[str] = "regex"
    MAIN: ClassVar[str | None] = "pattern"
    BLOCKING: ClassVar[bool] = True

    pattern: str
    flags: str = ""
    full: bool = False

    def __post_init__(self) -> None:
        """Refuse what does not compile, at load."""
        if not self.pattern:
            raise ValueError("the pattern is empty, so it would match everything")
        compiled(self.pattern, self.flags)

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Search the text; the spans are those of the first matches."""
        pattern, normalised = compiled(self.pattern, self.flags)
        text = as_text(seen)
        hay = normal.normalise(text) if normalised else text
        found = self._matches(pattern, hay)
        end = note(text, self.pattern) if normalised else ""
        whole = " as a whole" if self.full else ""
        if not found:
            return holds(False, f"/{self.pattern}/ does not match {shown(text)}{whole}{end}")
        spans = (
            normal.original_spans(text, found)
            if normalised
            else tuple(Span(start, end) for start, end in found)
        )
        first = spans[0]
        where = excerpt(text, first.start, first.end)
        return holds(
            True,
            f"/{self.pattern}/ matches{whole} at character {first.start}: {where}{end}",
            spans=spans,
        )

    def _matches(self, pattern: regex.Pattern[str], hay: str) -> list[tuple[int, int]]:
        """Return the first matches, all within one time limit.

        Raises GraderError where the limit came before the first match.
        """
        found: list[tuple[int, int]] = []
        try:
            if self.full:
                match = pattern.fullmatch(hay, timeout=TIME_LIMIT_S, concurrent=True)
                return [match.span()] if match else []
            for match in pattern.finditer(hay, timeout=TIME_LIMIT_S, concurrent=True):
                found.append(match.span())
                if len(found) == _MOST_SPANS:
                    break
        except TimeoutError:
            if found:
                return found
            raise GraderError(
                f"regex timeout: /{self.pattern}/ took more than {TIME_LIMIT_S:g} s on a text "
                f"of {len(hay)} characters",
                hint="nested repetition such as (a+)+ backtracks without end",
            ) from None
        return found


GRADERS: tuple[type[Grader], ...] = (Regex,)
