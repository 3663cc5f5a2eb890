"""Files of other shapes, which load unchanged. One small module each: detect, translate.

A dialect translates to the shape of a suite file's cases, with checks by *name*, as data; it
knows no grader but by what the catalogue names. What it translates is imported data: no text
in it is a placeholder unless the dialect has placeholders of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from probare.loading.dialects import golden, scenarios, tasks
from probare.loading.documents import Origin
from probare.loading.faultlist import Faults
from probare.loading.vocabulary import Vocabulary

_ALL = (golden, tasks, scenarios)


def detected(value: Any) -> bool:
    """Whether a file's value is in one of the dialects."""
    return any(dialect.detect(value) for dialect in _ALL)


def translated(
    value: Any, origin: Origin, around: Vocabulary, faults: Faults
) -> Iterator[tuple[dict[str, Any], Origin]] | None:
    """Return the cases of a value in a dialect; None where it is in none of them."""
    for dialect in _ALL:
        if dialect.detect(value):
            return dialect.translate(value, origin, around, faults)
    return None
