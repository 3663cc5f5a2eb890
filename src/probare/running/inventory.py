"""What a trial left in its folder: the harness's own look at the files, as events.

Files that came with the case's folder and were not touched are left out. Of each other file the
bytes are read: digest, size, and the content where it is small, so that what was written can be
shown and graded again when the folder is gone. Links are named and not followed.
"""

from __future__ import annotations

import base64
import mimetypes
import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from probare.encoding import digest
from probare.model.event import Artifact, Event, Note

MOST_FILES = 1000
LARGEST_FILE = 64 * 1024 * 1024
LARGEST_CONTENT = 256 * 1024

Snapshot: TypeAlias = Mapping[str, tuple[int, int, int]]


def snapshot(folder: Path) -> Snapshot:
    """Return what tells whether a file was touched (inode, size, time), by its path."""
    return {name: _stamp(found) for name, _, found in _files(folder)}


def events(folder: Path, before: Snapshot, *, first: int) -> tuple[Event, ...]:
    """Return an observed `artifact` event for each new or changed file, numbered from `first`.

    A file beyond `LARGEST_FILE` bytes has no digest; what is not a regular file has
    `attributes.link` or `attributes.special`. More than `MOST_FILES` end in a note
    whose `data.kind` is artifact: the evidence is not whole.
    """
    found: list[Event] = []
    for name, path, facts in _files(folder):
        if before.get(name) == _stamp(facts):
            continue
        seq = first + len(found)
        if len(found) == MOST_FILES:
            text = f"more than {MOST_FILES:,} files in the trial's folder: the rest was not read"
            found.append(Note(seq=seq, source="observed", text=text, data={"kind": "artifact"}))
            break
        found.append(_event(name, path, facts, seq))
    return tuple(found)


def _files(folder: Path) -> Iterator[tuple[str, Path, os.stat_result]]:
    """Yield all that is no folder, in the order of their paths, links as links."""
    for parent, folders, names in os.walk(folder):
        folders.sort()
        links = [name for name in folders if (Path(parent) / name).is_symlink()]
        for name in sorted([*names, *links]):
            path = Path(parent) / name
            try:
                yield path.relative_to(folder).as_posix(), path, path.lstat()
            except OSError:
                continue


def _stamp(facts: os.stat_result) -> tuple[int, int, int]:
    return facts.st_ino, facts.st_size, facts.st_mtime_ns


def _event(name: str, path: Path, facts: os.stat_result, seq: int) -> Artifact:
    sha256: str | None = None
    attributes: dict[str, Any] = {}
    size = facts.st_size if stat.S_ISREG(facts.st_mode) else None
    try:
        if stat.S_ISLNK(facts.st_mode):
            attributes = {"link": str(path.readlink())}
        elif size is None:
            attributes = {"special": stat.filemode(facts.st_mode)}
        elif size <= LARGEST_CONTENT:
            data = path.read_bytes()
            sha256, size, attributes = digest.of_bytes(data), len(data), _content(data)
        elif size <= LARGEST_FILE:
            sha256 = digest.of_file(path)
    except OSError as error:
        attributes = {"unreadable": error.strerror or type(error).__name__}
    return Artifact(
        seq=seq,
        source="observed",
        path=name.encode("utf-8", "backslashreplace").decode(),
        sha256=sha256,
        size=size,
        media_type=mimetypes.guess_type(name)[0],
        attributes=attributes,
    )


def _content(data: bytes) -> dict[str, Any]:
    try:
        return {"text": data.decode()}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode()}
