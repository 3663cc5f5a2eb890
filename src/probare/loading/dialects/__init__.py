"""Files of other shapes, which load unchanged. One small module each: detect, translate.

A dialect translates to the shape of a suite file's cases, with checks by *name*, as data; it
knows no grader but by what the catalogue names. What it translates is imported data: no text
in it is a placeholder unless the dialect has placeholders of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from probare.loading.dialects import golden, tasks
from probare.loading.documents import Origin
from probare.loading.faultlist import Faults
from probare.ports.grader import Grader

_ALL = (golden, tasks)


def detected(value: Any) -> bool:
    """Whether a file's value is in one of the dialects."""
    return any(dialect.detect(value) for dialect in _ALL)


def translated(
    value: Any,
    origin: Origin,
    graders: Mapping[str, type[Grader]],
    faults: Faults,
    folders: Sequence[Path],
) -> Iterator[tuple[dict[str, Any], Origin]] | None:
    """Return the cases of a value in a dialect; None where it is in none of them.

    `folders` are those in which files that it names are looked up: the suite's, then its own.
    """
    for dialect in _ALL:
        if dialect.detect(value):
            return dialect.translate(value, origin, graders, faults, folders)
    return None
