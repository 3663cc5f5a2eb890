"""Reading a folder that may be hostile: no link is followed, nothing outside is touched.

Files are opened one component after the other, relative to the folder's own descriptor and
without following links, so that a folder swapped for a link meanwhile leads nowhere either.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from probare.errors import RunDirectoryError
from probare.evidence.paths import MAX_DEPTH

MAX_FILES = 500_000
BUFFER = 1 << 18

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class Unreadable(Exception):  # noqa: N818 - reads as what it is
    """A file of the folder cannot be read as what it should be; the message says why."""


class Folder:
    """An open folder. `sizes` maps each file's path to its size, `odd` the others to what they are.

    Raises RunDirectoryError where it cannot be opened or holds more than MAX_FILES files.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.sizes: dict[str, int] = {}
        self.odd: dict[str, str] = {}
        try:
            self._descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            raise RunDirectoryError(
                f"{path} cannot be opened as a folder: {error.strerror}"
            ) from error
        try:
            self._walk(self._descriptor, "", 1)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Folder:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the folder."""
        with suppress(OSError):
            os.close(self._descriptor)

    def __contains__(self, path: str) -> bool:
        return path in self.sizes

    def open(self, path: str) -> BinaryIO:
        """Open a file for reading. Raises Unreadable."""
        *folders, name = path.split("/")
        descriptor = os.dup(self._descriptor)
        try:
            for folder in folders:
                inner = os.open(folder, _DIRECTORY, dir_fd=descriptor)
                os.close(descriptor)
                descriptor = inner
            opened = os.open(name, _FILE, dir_fd=descriptor)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise Unreadable(f"it cannot be opened: {reason}") from None
        finally:
            os.close(descriptor)
        if not stat.S_ISREG(os.fstat(opened).st_mode):
            os.close(opened)
            raise Unreadable("it is not a plain file")
        return os.fdopen(opened, "rb", BUFFER)

    def read(self, path: str, limit: int) -> bytes:
        """Return a whole file of at most `limit` bytes. Raises Unreadable."""
        with self.open(path) as file:
            size = os.fstat(file.fileno()).st_size
            try:
                data = file.read(size + 1) if size <= limit else b""
            except OSError as error:
                raise Unreadable(f"it cannot be read: {error.strerror}") from None
        if max(size, len(data)) > limit:
            raise Unreadable(f"it is larger than the {limit:,} bytes that such a file may have")
        return data

    def _walk(self, descriptor: int, prefix: str, depth: int) -> None:
        with os.scandir(descriptor) as entries:
            for entry in entries:
                if len(self.sizes) + len(self.odd) >= MAX_FILES:
                    raise RunDirectoryError(f"{self.path} holds more than {MAX_FILES:,} files")
                self._take(descriptor, entry, prefix + entry.name, depth)

    def _take(self, descriptor: int, entry: os.DirEntry[str], path: str, depth: int) -> None:
        try:
            about = entry.stat(follow_symlinks=False)
        except OSError as error:
            self.odd[path] = f"cannot be looked at ({error.strerror})"
            return
        mode = about.st_mode
        if stat.S_ISREG(mode) and about.st_nlink == 1:
            self.sizes[path] = about.st_size
        elif stat.S_ISDIR(mode):
            self._enter(descriptor, entry.name, path, depth)
        else:
            self.odd[path] = _KINDS.get(stat.S_IFMT(mode), "is no plain file")

    def _enter(self, descriptor: int, name: str, path: str, depth: int) -> None:
        if depth >= MAX_DEPTH:
            self.odd[path] = "is a folder too deep inside others"
            return
        try:
            inner = os.open(name, _DIRECTORY, dir_fd=descriptor)
        except OSError as error:
            self.odd[path] = f"is a folder that cannot be opened ({error.strerror})"
            return
        try:
            self._walk(inner, f"{path}/", depth + 1)
        finally:
            os.close(inner)


_KINDS = {
    stat.S_IFREG: "is a hard link: the file has another name too, through which it can change",
    stat.S_IFLNK: "is a link, and links are not followed",
    stat.S_IFIFO: "is a pipe",
    stat.S_IFSOCK: "is a socket",
    stat.S_IFCHR: "is a device",
    stat.S_IFBLK: "is a device",
}
