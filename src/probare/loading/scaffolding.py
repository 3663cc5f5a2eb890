"""`probare new`: a small suite that runs at once, with an agent to replace."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

from probare.errors import InputError

_FILES = ("suite.yaml", "cases.yaml", "agent.py", "README.md")


def scaffold(folder: Path, name: str) -> None:
    """Write a suite of that name into a new or empty folder.

    Raises InputError where the folder holds anything, or cannot be written.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} exists already", hint="name a new or an empty folder")
    starter = resources.files("probare.loading") / "starter"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file in _FILES:
            text = (starter / file).read_text(encoding="utf-8")
            shown = json.dumps(name, ensure_ascii=False) if file == "suite.yaml" else name
            text = text.replace("__NAME__", shown).replace("__FOLDER__", str(folder))
            text = text.replace("  # noqa: A002", "")
            (folder / file).write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{folder} cannot be written: {error.strerror or error}") from error
