"""JSON Lines: one case a line, read as it streams by."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from probare.errors import Place
from probare.loading import jsontree
from probare.loading.documents import Origin, Steps
from probare.loading.faultlist import Faults
from probare.loading.files import as_text, read_bytes

_BOM = b"\xef\xbb\xbf"


class LinesDocument:
    """A file of JSON lines. The first step of a path is the line, from 1."""

    def __init__(self, file: str, path: Path) -> None:
        self.file = file
        self._path = path
        self._lines: list[bytes] | None = None

    def place(self, steps: Steps, *, key: bool = False) -> Place:
        """Return the place in the line; the path is shown from the line on."""
        line = int(steps[0]) if steps else 1
        if self._lines is None:
            try:
                self._lines = self._path.read_bytes().removeprefix(_BOM).split(b"\n")
            except OSError:
                self._lines = []
        text = self._lines[line - 1] if line <= len(self._lines) else b"null"
        document = jsontree.JsonDocument(self.file, text.decode("utf-8", "replace"), line)
        return document.place(steps[1:], key=key)


def read(path: Path, file: str, faults: Faults, named_at: Place) -> Iterator[tuple[Any, Origin]]:
    """Yield each line's value with its origin. Empty lines are passed over."""
    data = read_bytes(path, faults, named_at)
    if data is None:
        return
    document = LinesDocument(file, path)
    for number, line in enumerate(data.removeprefix(_BOM).split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            value = jsontree.decode(line.decode())
        except (ValueError, RecursionError):
            _tell(line, number, file, faults)
            continue
        yield value, Origin(document, (number,))


def _tell(line: bytes, number: int, file: str, faults: Faults) -> None:
    """Read a refused line again, to say all that is wrong with it."""
    own = Faults()
    text = as_text(line, file, own)
    if text is None:
        for fault in own:
            faults.add(Place(file, number, fault.place.column), fault.message, fault.hint)
        return
    jsontree.parse(text.rstrip("\r"), file, faults, number)
