"""A fresh folder for each trial, copied from the case's and removed after grading."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from probare.errors import HarnessError


def make(source: Path) -> Path:
    """Copy `source` into a new temporary folder and return it. Links are copied as links."""
    root = Path(tempfile.mkdtemp(prefix="probare-workspace-"))
    try:
        shutil.copytree(source, root, symlinks=True, dirs_exist_ok=True)
    except (OSError, shutil.Error) as error:
        remove(root)
        raise HarnessError(f"the workspace {source} cannot be copied: {error}") from error
    return root


def remove(folder: Path) -> None:
    """Remove a trial's folder; what cannot be removed is left to the system's cleaner."""
    shutil.rmtree(folder, ignore_errors=True)
