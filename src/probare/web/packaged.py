"""The style sheet and scripts: files of this package, under addresses that change with them."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent / "static"
TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


@cache
def files() -> dict[str, bytes]:
    """Return the files that pages ask for, by name."""
    return {each.name: each.read_bytes() for each in _FOLDER.iterdir() if each.suffix in TYPES}


@cache
def address_of(name: str) -> str:
    """Return the address of a packaged file."""
    return f"/static/{name}?v={hashlib.sha256(files()[name]).hexdigest()[:12]}"
