"""References to large texts kept as files named by their digest.

`{"$blob": <sha256>, "size": <bytes>}` stands for the text. A mapping that itself has a key of that
kind (an agent may write anything) gets one more dollar before it where lines are stored, and loses
it where they are read, so that a reference is never anything else.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from probare.encoding import digest

KEY = "$blob"
MARK = b'$blob"'
_OURS = re.compile(r"\$+blob")
_DIGEST = re.compile(r"[0-9a-f]{64}")


def put_away(value: Any, store: Callable[[str], dict[str, Any] | None]) -> Any:
    """Return a copy of a JSON value in which `store` was asked for a reference to each text."""
    if isinstance(value, str):
        reference = store(value)
        return value if reference is None else reference
    if isinstance(value, dict):
        items = cast("dict[str, Any]", value).items()
        return {_escaped(key): put_away(item, store) for key, item in items}
    if isinstance(value, list):
        return [put_away(item, store) for item in cast("list[Any]", value)]
    return value


def fetch(value: Any, folder: Path) -> Any:
    """Undo `put_away`: return a JSON value with its texts read from `folder`.

    Raises OSError where one is missing, ValueError where it is not what its name says.
    """
    if isinstance(value, dict):
        mapping = cast("dict[str, Any]", value)
        if mapping.keys() == {KEY, "size"}:
            return _read(mapping[KEY], folder)
        return {_unescaped(key): fetch(item, folder) for key, item in mapping.items()}
    if isinstance(value, list):
        return [fetch(item, folder) for item in cast("list[Any]", value)]
    return value


def reference(data: bytes) -> dict[str, Any]:
    """Return what stands for these bytes."""
    return {KEY: digest.of_bytes(data), "size": len(data)}


def _escaped(key: str) -> str:
    return f"${key}" if _OURS.fullmatch(key) else key


def _unescaped(key: str) -> str:
    return key[1:] if _OURS.fullmatch(key) else key


def _read(name: Any, folder: Path) -> str:
    if not isinstance(name, str) or not _DIGEST.fullmatch(name):
        raise ValueError("a blob's name is no digest")
    path = folder / name
    if path.is_symlink():
        raise ValueError(f"blob {name} is a link")
    data = path.read_bytes()
    if digest.of_bytes(data) != name:
        raise ValueError(f"blob {name} is not what its name says")
    return data.decode()
