"""Writing a file whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from probare.errors import RunDirectoryError


def write_whole(path: Path, pieces: Iterable[str]) -> None:
    """Write text beside the file and put it in its place when it is complete.

    Raises RunDirectoryError where it cannot be written; what stood there before stays then.
    """
    beside = path.with_name(f".{path.name}.part")
    try:
        with beside.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            for piece in pieces:
                file.write(piece)
        os.replace(beside, path)
    except OSError as error:
        raise RunDirectoryError(f"{path} cannot be written: {error.strerror}") from error
    finally:
        beside.unlink(missing_ok=True)
