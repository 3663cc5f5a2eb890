"""SHA-256 digests of bytes, of values and of files, as lower-case hex."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from probare.encoding.jsonbytes import encode_sorted


def of_bytes(data: bytes) -> str:
    """Return the digest of bytes."""
    return hashlib.sha256(data).hexdigest()


def of_value(value: Any) -> str:
    """Return the digest of a JSON value, over its compact form with sorted keys."""
    return hashlib.sha256(encode_sorted(value)).hexdigest()


def of_file(path: Path) -> str:
    """Return the digest of a file, read in pieces."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
