"""Large texts of a transcript, kept as files named by their digest."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from probare.encoding import blobs

LARGE_LINE = 256 * 1024
LARGE_TEXT = 64 * 1024


def put_away(value: Any, folder: Path, mask: Callable[[bytes], bytes]) -> Any:
    """Return a copy of a JSON value whose large texts are references into `folder`.

    Texts are masked before they are stored.
    """

    def store(text: str) -> dict[str, Any] | None:
        if len(text) <= LARGE_TEXT:
            return None
        data = mask(text.encode())
        reference = blobs.reference(data)
        folder.mkdir(exist_ok=True)
        path = folder / reference[blobs.KEY]
        if not path.exists():
            path.write_bytes(data)
        return reference

    return blobs.put_away(value, store)
