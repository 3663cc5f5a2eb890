"""Pages of trials and cases packed into data blocks, which the browser parses one at a time."""

from __future__ import annotations

from collections.abc import Iterator

from probare.reporting.html.embedding import block

_CHUNK = 192_000


class Chunks:
    """Packs JSON texts into chunks of about 190 KB, and knows where each one stands.

    A chunk is a JSON array; a place is the chunk's number and the position in it.
    """

    def __init__(self) -> None:
        self.size = 0
        self._number = 0
        self._waiting: list[str] = []
        self._weight = 0

    def add(self, text: str) -> tuple[int, int]:
        """Take a JSON text and return its place."""
        place = (self._number, len(self._waiting))
        self._waiting.append(text)
        self._weight += len(text)
        self.size += len(text)
        return place

    def full(self) -> Iterator[str]:
        """Yield the chunk in the making as a block, if it is large enough."""
        if self._weight >= _CHUNK:
            yield from self.rest()

    def rest(self) -> Iterator[str]:
        """Yield the chunk in the making as a block, if there is anything in it."""
        if self._waiting:
            yield block(f"chunk-{self._number}", f"[{','.join(self._waiting)}]")
            self._number += 1
            self._waiting = []
            self._weight = 0
