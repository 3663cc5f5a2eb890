"""Where the runs of collected cases go, and which of them are kept."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import suppress
from pathlib import Path


class RunFolder:
    """The folder of run directories: the chosen one, where all are kept, or a temporary one, where
    those of cases that did not pass are.
    """

    def __init__(self, chosen: Path | None) -> None:
        self._chosen = chosen
        self._temporary: Path | None = None

    @property
    def path(self) -> Path:
        """The folder; a temporary one is made when it is first asked for."""
        if self._chosen is not None:
            return self._chosen
        if self._temporary is None:
            self._temporary = Path(tempfile.mkdtemp(prefix="probare-pytest-"))
        return self._temporary

    def forget(self, run: Path) -> None:
        """Remove a run directory that nobody will look into, unless all are to be kept."""
        if self._chosen is None:
            shutil.rmtree(run, ignore_errors=True)

    def close(self) -> None:
        """Remove a temporary folder in which nothing was kept."""
        if self._temporary is not None:
            with suppress(OSError):
                self._temporary.rmdir()
