"""A manifest of artifacts: a JSON file that lists files with their digests.

    {"artifacts": [{"path": "report.md", "sha256": "…", "size": 12}],
     "provenance": {"trace_hash": "…"}}

`files` may stand for `artifacts`; either may be a mapping of path to digest, or to such an entry.
Paths are relative to the manifest's folder, with `/` between their parts.
"""

from __future__ import annotations

import posixpath
import re
from typing import Any, cast

import msgspec

from probare.encoding import jsonbytes
from probare.encoding.narrow import mapping
from probare.errors import GraderError
from probare.graders.artifact_files import Files, safe

NAME = "manifest.json"
LARGEST = 1024 * 1024
_LISTS = ("artifacts", "files")
_SHA256 = re.compile(r"[0-9a-f]{64}\Z")


class Entry(msgspec.Struct, frozen=True):
    """What a manifest says of one file; `path` as written."""

    path: str
    sha256: str | None
    size: int | None


class Manifest(msgspec.Struct, frozen=True):
    """A manifest that could be read: its own path, its entries, its provenance, and what is
    wrong with its form.
    """

    path: str
    entries: tuple[Entry, ...]
    provenance: dict[str, Any]
    faults: tuple[str, ...]

    @property
    def folder(self) -> str:
        """The folder that its paths are relative to, empty for the trial's own."""
        return posixpath.dirname(self.path)

    def located(self, entry: Entry) -> str:
        """Return an entry's path relative to the trial's folder."""
        return posixpath.join(self.folder, entry.path)


def find(files: Files, named: str | None) -> str | None:
    """Return the manifest's path: the one that is named, else the one file that is called so.
    None where there is none. Raises GraderError where there are several.
    """
    if named is not None:
        return None if files.problem(named) == "is not there" else named
    found = [path for path in files.paths() if posixpath.basename(path) == NAME]
    there = [path for path in found if files.problem(path) != "is not there"]
    if len(there) > 1:
        raise GraderError(
            f"there are {len(there)} files called {NAME}", hint="name the one meant in `manifest`"
        )
    return there[0] if there else None


def parse(path: str, data: bytes) -> Manifest:
    """Return a manifest. Raises ValueError where the bytes are none."""
    try:
        value = jsonbytes.decode_strict(data)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is not JSON: {error}") from None
    whole = mapping(value)
    lists = [key for key in _LISTS if key in whole]
    if len(lists) != 1:
        raise ValueError(f"{path} should have `artifacts` (or `files`), once")
    entries, faults = _entries(whole[lists[0]])
    return Manifest(path, tuple(entries), mapping(whole.get("provenance")), tuple(faults))


def _entries(value: Any) -> tuple[list[Entry], list[str]]:
    faults: list[str] = []
    entries: list[Entry] = []
    if isinstance(value, dict):
        named = cast("dict[str, Any]", value).items()
        items: list[Any] = [
            {"path": p, "sha256": e} if isinstance(e, str) else {**mapping(e), "path": p}
            for p, e in named
        ]
    elif isinstance(value, list):
        items = cast("list[Any]", value)
    else:
        raise ValueError("its list of files is neither a list nor a mapping")
    for number, item in enumerate(items):
        entry = mapping(item)
        path, size = entry.get("path"), entry.get("size")
        if not isinstance(path, str):
            faults.append(f"entry {number} has no path")
            continue
        sha256 = _digest(entry.get("sha256"))
        if sha256 is None:
            faults.append(f"'{path}' has no SHA-256 digest")
        if size is not None and (type(size) is not int or size < 0):
            faults.append(f"'{path}' has no natural number for its size")
            size = None
        if not safe(path):
            faults.append(f"'{path}' is no path inside the folder")
        entries.append(Entry(path, sha256, size))
    return entries, faults + _doubled(entries)


def _digest(value: Any) -> str | None:
    if not isinstance(value, str):
        return None
    found = value.removeprefix("sha256:").casefold()
    return found if _SHA256.match(found) else None


def _doubled(entries: list[Entry]) -> list[str]:
    seen: set[str] = set()
    doubled: list[str] = []
    for entry in entries:
        key = posixpath.normpath(entry.path).casefold()
        if key in seen:
            doubled.append(f"'{entry.path}' is listed twice")
        seen.add(key)
    return doubled
