"""What recognisers are made of: a pattern, what of it counts, and a type of identifier."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from probare.errors import GraderError

if TYPE_CHECKING:
    import regex

Extent: TypeAlias = Callable[[str], int]

_SECONDS = 10.0


class Found(NamedTuple):
    """A stretch of a text that looks like an identifier: `start` and `end` in characters.

    `score` in (0, 1] only ranks findings of one stretch against each other.
    """

    type: str
    start: int
    end: int
    score: float


class Rule(NamedTuple):
    """A pattern whose group `value`, or whose whole match, looks like an identifier of a type.

    `extent` says how many characters of the value count, 0 for none. Case counts, save where the
    pattern says `(?i)` itself.
    """

    type: str
    pattern: str
    extent: Extent | None = None
    score: float = 0.8


def scan(rules: Iterable[Rule], text: str) -> Iterator[Found]:
    """Yield what the rules find. Raises GraderError where a pattern takes too long: a pattern
    that is skipped would be a silent pass.
    """
    for rule in rules:
        try:
            for match in compiled(rule.pattern).finditer(text, overlapped=True, timeout=_SECONDS):
                start, end = match.span("value" if "value" in match.groupdict() else 0)
                if start < 0:
                    continue
                if rule.extent is not None:
                    end = start + rule.extent(text[start:end])
                if end > start:
                    yield Found(rule.type, start, end, rule.score)
        except TimeoutError:
            raise GraderError(f"looking for {rule.type} took longer than {_SECONDS:g} s") from None


@lru_cache(maxsize=512)
def compiled(pattern: str) -> regex.Pattern[str]:
    """Return the compiled pattern."""
    import regex

    return regex.compile(pattern, regex.V1)


def holding(check: Callable[[str], bool]) -> Extent:
    """Return an extent: the whole value where it passes a check, else nothing of it."""
    return lambda value: len(value) if check(value) else 0
