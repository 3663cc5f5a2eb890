"""Reading files, and naming them."""

from __future__ import annotations

import codecs
import os
from pathlib import Path

from probare.errors import Place, did_you_mean
from probare.loading.faultlist import Faults


def shown_path(path: Path) -> str:
    """Return a path relative to the working directory where it lies below it."""
    try:
        relative = os.path.relpath(path)
    except ValueError:
        return str(path)
    return str(path) if relative.startswith("..") else relative


def read_bytes(path: Path, faults: Faults, named_at: Place | None = None) -> bytes | None:
    """Return a file's bytes; where it cannot be read, a fault and None.

    The fault stands where the file was named, or at the file itself.
    """
    try:
        return path.read_bytes()
    except (OSError, ValueError) as error:
        name = shown_path(path)
        message = f"{name} {why_not(path, error)}"
        faults.add(named_at or Place(name), message, similar_name(path))
        return None


def why_not(path: Path, error: OSError | ValueError) -> str:
    """Say why a file cannot be read. Names that no file can have give a ValueError."""
    if isinstance(error, ValueError):
        return "is no name of a file"
    if isinstance(error, FileNotFoundError):
        return "does not exist"
    if isinstance(error, IsADirectoryError) or path.is_dir():
        return "is a folder, not a file"
    return f"cannot be read: {error.strerror or error}"


def similar_name(path: Path) -> str:
    """Return the nearest name beside a missing file, as a hint."""
    if path.exists():
        return ""
    try:
        names = [entry.name for entry in path.parent.iterdir()]
    except OSError:
        return ""
    return did_you_mean(path.name, names)


def as_text(data: bytes, file: str, faults: Faults) -> str | None:
    """Return bytes as text: UTF-8, a byte order mark dropped. Anything else is a fault."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        faults.add(Place(file, 1), "is UTF-16, not UTF-8", "save the file as UTF-8")
        return None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
        place = Place(file, line, column)
        faults.add(place, "is not UTF-8", "save the file as UTF-8")
        return None
