"""The files that a trial left: their bytes on disk, or as the harness read them at its end.

While the trial's folder is there its bytes count. When it is gone (a regrade) the observed
`artifact` events do: the digest that the harness took, and the content that it kept of small
files (`attributes.text` or `attributes.base64`). A claimed event counts where the target is
trusted, and then by its content alone: a digest that is only told is not recomputed.
"""

from __future__ import annotations

import base64
import binascii
import os
import stat
from pathlib import Path, PurePosixPath

from probare.encoding import digest
from probare.errors import GraderError
from probare.grading.evidence import believed
from probare.grading.placeholders import artifacts as artifact_paths
from probare.model.event import Artifact
from probare.ports.grader import TrialView

LARGEST = 64 * 1024 * 1024
MASKS = ("[secret:", "[planted:")
_GONE = "its bytes are not there any more, and were not kept"


class Files:
    """The files of one trial, by their path relative to the trial's folder."""

    def __init__(self, trial: TrialView) -> None:
        self._folder = _existing(trial.workspace)
        self._events: dict[str, Artifact] = {}
        for event in trial.transcript.events:
            if isinstance(event, Artifact) and believed(event, trial):
                self._events[_clean(event.path)] = event
        self._named = [_clean(path) for path in artifact_paths(trial)]
        self._whole = trial.observes("artifacts")
        self._unread: dict[str, str] = {}

    def paths(self) -> list[str]:
        """Return the paths of the artifacts, each once: those recorded, and where nobody took an
        inventory, what lies in the folder.
        """
        found = [*self._events, *self._named]
        if self._folder is not None and not self._whole:
            found += _walk(self._folder)
        return list(dict.fromkeys(found))

    def problem(self, path: str) -> str:
        """Say why there is no plain file of this path; empty where there is one."""
        on_disk = self._on_disk(path)
        if on_disk is not None:
            if stat.S_ISLNK(on_disk.st_mode) or self._through_link(path):
                return "is a link"
            if not stat.S_ISREG(on_disk.st_mode):
                return "is no file"
            return "is too large" if on_disk.st_size > LARGEST else ""
        event = self._events.get(path)
        if event is None:
            return "is not there"
        if "link" in event.attributes:
            return "is a link"
        if "special" in event.attributes:
            return "is no file"
        return "is too large" if (event.size or 0) > LARGEST else ""

    def size(self, path: str) -> int | None:
        """Return a file's size in bytes, or None where it is not known."""
        on_disk = self._on_disk(path)
        if on_disk is not None:
            return on_disk.st_size
        content = self._kept(path)
        event = self._events.get(path)
        if event is not None and event.source != "claimed":
            return event.size
        return None if content is None else len(content)

    def sha256(self, path: str) -> str:
        """Return the digest of a file's bytes. Raises GraderError where they cannot be had."""
        if self._on_disk(path) is not None:
            return digest.of_bytes(self.read(path))
        event = self._events.get(path)
        if event is not None and event.source != "claimed" and event.sha256 is not None:
            return event.sha256
        data = self.read(path)
        if any(mask.encode() in data for mask in MASKS):
            raise GraderError(f"not observable: artifact '{path}' was masked when it was stored")
        return digest.of_bytes(data)

    def read(self, path: str, most: int = LARGEST) -> bytes:
        """Return a file's bytes. Raises GraderError where they cannot be had."""
        problem = self.problem(path)
        if problem:
            raise GraderError(f"artifact '{path}' {problem}")
        if self._folder is not None and self._on_disk(path) is not None:
            return _read(self._folder / path, path, most)
        content = self._kept(path)
        if content is None:
            raise GraderError(f"not observable: artifact '{path}': {_GONE}")
        if len(content) > most:
            raise GraderError(f"artifact '{path}' is larger than {most:,} bytes")
        return content

    def text(self, path: str) -> str | None:
        """Return a file's content as text, in which bytes that are no UTF-8 are Latin-1; None
        where there is no plain file, or it cannot be read (`refuse_unread` tells).
        """
        if self.problem(path) in ("is a link", "is no file"):
            return None
        try:
            data = self.read(path)
        except GraderError as error:
            self._unread[path] = error.message
            return None
        if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            return data.decode("utf-16", "replace")
        try:
            return data.decode()
        except UnicodeDecodeError:
            return data.replace(b"\0", b"").decode("latin-1")

    def refuse_unread(self) -> None:
        """Raise GraderError where a file that `text` was asked for could not be read."""
        for message in self._unread.values():
            raise GraderError(message)

    def _on_disk(self, path: str) -> os.stat_result | None:
        if self._folder is None or not safe(path):
            return None
        try:
            return (self._folder / path).lstat()
        except (OSError, ValueError):
            return None

    def _through_link(self, path: str) -> bool:
        assert self._folder is not None
        parents = PurePosixPath(path).parents
        return any((self._folder / parent).is_symlink() for parent in parents if parent.name)

    def _kept(self, path: str) -> bytes | None:
        event = self._events.get(path)
        if event is None:
            return None
        text, coded = event.attributes.get("text"), event.attributes.get("base64")
        if isinstance(text, str):
            return text.encode("utf-8", "surrogatepass")
        if isinstance(coded, str):
            try:
                return base64.b64decode(coded, validate=True)
            except (binascii.Error, ValueError):
                return None
        return None


def safe(path: str) -> bool:
    """Whether a path stays inside the folder that it is relative to, by its letters alone."""
    if not path or "\\" in path or "\0" in path or path.startswith("/") or path[1:2] == ":":
        return False
    return all(part not in ("", ".", "..") for part in path.split("/"))


def _clean(path: str) -> str:
    return path.removeprefix("./")


def _existing(folder: Path | None) -> Path | None:
    return folder if folder is not None and folder.is_dir() else None


def _walk(folder: Path) -> list[str]:
    """Return the paths of all that is no folder; links to folders count as links."""
    found: list[str] = []
    for parent, folders, names in os.walk(folder):
        folders.sort()
        here = Path(parent)
        links = [name for name in folders if (here / name).is_symlink()]
        found += [(here / n).relative_to(folder).as_posix() for n in sorted([*names, *links])]
    return found


def _read(file: Path, path: str, most: int) -> bytes:
    try:
        with file.open("rb") as opened:
            data = opened.read(most + 1)
    except OSError as error:
        raise GraderError(f"artifact '{path}' cannot be read: {error.strerror}") from None
    if len(data) > most:
        raise GraderError(f"artifact '{path}' is larger than {most:,} bytes")
    return data
