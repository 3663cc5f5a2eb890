"""Writing the files of a seal: each whole or not at all, and on the disk before the next."""

from __future__ import annotations

import os
from pathlib import Path

from probare.errors import InputError, RunDirectoryError
from probare.evidence import names


def write_whole(folder: Path, name: str, data: bytes) -> None:
    """Write a file beside its place, sync it, put it in place, sync the folder.

    Raises RunDirectoryError where it cannot be written; what stood there before stays then.
    """
    beside = folder / names.part_of(name)
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        with os.fdopen(os.open(beside, flags, 0o644), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, folder / name)
        sync_folder(folder)
    except OSError as error:
        raise RunDirectoryError(f"{folder / name} cannot be written: {error.strerror}") from error
    finally:
        beside.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Bring a folder's names to the disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def create_whole(path: Path, data: bytes) -> None:
    """Write a new file. Raises InputError where one stands there already.

    The name is taken first, so a kill leaves at most an empty file.
    """
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644))
    except FileExistsError:
        raise InputError(f"{path} exists already; it is never written over") from None
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from error
    try:
        write_whole(path.parent, path.name, data)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
