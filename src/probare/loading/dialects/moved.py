"""Places of translated values: where they stood before they were translated."""

from __future__ import annotations

from probare.errors import Place
from probare.loading.documents import Document, Steps


class MovedDocument:
    """A translated value over the document that it came from.

    `moves` maps steps in the translated value to steps in the document; the longest one that
    fits holds, and what lies below it is placed there.
    """

    def __init__(self, document: Document, base: Steps, moves: dict[Steps, Steps]) -> None:
        self._document = document
        self._base = base
        self._moves = moves

    def place(self, steps: Steps, *, key: bool = False) -> Place:
        """Return the place of the value that was translated to this one."""
        for length in range(len(steps), 0, -1):
            moved = self._moves.get(steps[:length])
            if moved is not None:
                return self._document.place(self._base + moved, key=key)
        return self._document.place(self._base + steps, key=key)
