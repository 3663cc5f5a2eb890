"""Where values come from: documents that know the place of every value inside them.

Places are worked out only when there is a fault to show, so that loading a good suite costs
nothing for them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from probare.errors import Place

Steps: TypeAlias = tuple[str | int, ...]

_PLAIN_KEY = re.compile(r"[A-Za-z_$][A-Za-z0-9_$-]*\Z")


class Document(Protocol):
    """A file, or a value made in Python."""

    def place(self, steps: Steps, *, key: bool = False) -> Place:
        """Return the place of the value that `steps` lead to, or of its key.

        Where the steps lead nowhere, it is the place of the last value on the way.
        """
        ...


@dataclass(frozen=True, slots=True)
class Origin:
    """Where one value stands: a document and the steps to it."""

    document: Document
    base: Steps = ()

    def below(self, *steps: str | int) -> Origin:
        """Return where a value inside this one stands."""
        return Origin(self.document, self.base + steps)

    def place(self, *steps: str | int, key: bool = False) -> Place:
        """Return the place of this value, or of one inside it."""
        return self.document.place(self.base + steps, key=key)


@dataclass(slots=True)
class Spot:
    """The position of a value and of its key (from 1), with those of the values inside it."""

    line: int
    column: int
    key_line: int = 0
    key_column: int = 0
    inner: dict[str | int, Spot] = field(default_factory=dict[str | int, "Spot"])

    def find(self, steps: Steps, *, key: bool = False) -> tuple[int, int]:
        """Return line and column of the value that `steps` lead to, or of its key."""
        spot = self
        for number, step in enumerate(steps):
            below = spot.inner.get(step)
            if below is None:
                break
            spot = below
            if key and number == len(steps) - 1 and spot.key_line:
                return spot.key_line, spot.key_column
        return spot.line, spot.column


class PythonDocument:
    """A suite made in Python: its places are paths only."""

    def place(self, steps: Steps, *, key: bool = False) -> Place:  # noqa: ARG002
        """Return the path as the place."""
        return Place(path=shown(steps))


def shown(steps: Steps) -> str:
    """Return steps as people write them: `cases[0].expect[1].contains`."""
    text = ""
    for step in steps:
        if isinstance(step, int):
            text += f"[{step}]"
        elif _PLAIN_KEY.match(step):
            text += f".{step}" if text else step
        else:
            text += f"[{step!r}]"
    return text
