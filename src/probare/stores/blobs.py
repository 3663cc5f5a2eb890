"""Large texts of a transcript, kept as files named by their digest."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from probare.encoding import digest

LARGE_LINE = 256 * 1024
LARGE_TEXT = 64 * 1024

_KEY = "$blob"
_DIGEST = re.compile(r"[0-9a-f]{64}\Z")


def put_away(value: Any, folder: Path, mask: Callable[[bytes], bytes]) -> Any:
    """Return a copy of a JSON value whose large texts are references into `folder`.

    Texts are masked before they are stored.
    """
    if isinstance(value, str):
        return _store(mask(value.encode()), folder) if len(value) > LARGE_TEXT else value
    if isinstance(value, dict):
        items = cast("dict[str, Any]", value).items()
        return {key: put_away(item, folder, mask) for key, item in items}
    if isinstance(value, list):
        return [put_away(item, folder, mask) for item in cast("list[Any]", value)]
    return value


def fetch(value: Any, folder: Path) -> Any:
    """Undo `put_away`. A reference to a blob that is not there is left as it is."""
    if isinstance(value, dict):
        mapping = cast("dict[str, Any]", value)
        if mapping.keys() == {_KEY, "size"}:
            return _load(mapping, folder)
        return {key: fetch(item, folder) for key, item in mapping.items()}
    if isinstance(value, list):
        return [fetch(item, folder) for item in cast("list[Any]", value)]
    return value


def _store(data: bytes, folder: Path) -> dict[str, Any]:
    name = digest.of_bytes(data)
    folder.mkdir(exist_ok=True)
    path = folder / name
    if not path.exists():
        path.write_bytes(data)
    return {_KEY: name, "size": len(data)}


def _load(reference: dict[str, Any], folder: Path) -> Any:
    name = reference[_KEY]
    if isinstance(name, str) and _DIGEST.match(name):
        path = folder / name
        if path.is_file() and not path.is_symlink():
            return path.read_bytes().decode()
    return reference
