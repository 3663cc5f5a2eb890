"""A new run of the very transcripts of an old one, whose records are written anew."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec

from probare.encoding import jsonbytes
from probare.errors import RunDirectoryError
from probare.model.record import TrialRecord
from probare.stores import layout, salts
from probare.stores.reader import RunReader


def copy_records(old: RunReader, new: Path, change: Callable[[TrialRecord], TrialRecord]) -> None:
    """Copy transcripts, blobs and case-wide verdicts byte for byte, and write each trial's record
    as `change` returns it, with a fresh salt. The old run stays as it is.

    Raises RunDirectoryError where that cannot be done.
    """
    try:
        shutil.copyfile(old.folder / layout.TRANSCRIPTS, new / layout.TRANSCRIPTS)
        if (old.folder / layout.CASES).exists():
            shutil.copyfile(old.folder / layout.CASES, new / layout.CASES)
        if (old.folder / layout.BLOBS).is_dir():
            shutil.copytree(old.folder / layout.BLOBS, new / layout.BLOBS)
        with (new / layout.TRIALS).open("xb") as file:
            for record in old.records():
                changed = msgspec.structs.replace(change(record), salt=salts.fresh())
                file.write(jsonbytes.encode(changed) + b"\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise RunDirectoryError(
            f"cannot write to {new}: {error.strerror or error}",
            hint="choose another place with --runs DIR",
        ) from error
