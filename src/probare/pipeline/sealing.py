"""Sealing a finished run, so that anyone can see that nothing in it was changed since."""

from __future__ import annotations

from pathlib import Path

from probare.errors import RunDirectoryError
from probare.evidence.keys import SigningKey
from probare.evidence.manifest import parent_of
from probare.evidence.sealing import Sealed, seal
from probare.model.score import Summary
from probare.pipeline.concluding import Conclusion, conclude
from probare.ports.catalogue import Catalogue
from probare.stores.reader import RunReader
from probare.stores.writer import locked


def seal_run(folder: Path, *, key: SigningKey | None = None, parent: Path | None = None) -> Sealed:
    """Seal a finished run; with a key, sign it.

    `parent` is the run that this one was made from. Raises RunDirectoryError where the run did
    not end, is sealed completely, or was changed since it was sealed.
    """
    if not RunReader(folder).has_summary:
        raise RunDirectoryError(
            f"{folder} did not end, so there is nothing to seal",
            hint=f"finish it: probare run --resume {folder}",
        )
    with locked(folder):
        return seal(folder, key=key, parent=None if parent is None else parent_of(parent))


def conclude_and_seal(
    conclusion: Conclusion,
    catalogue: Catalogue,
    *,
    key: SigningKey | None = None,
    parent: Path | None = None,
) -> Summary:
    """Conclude a run and seal it: after this nothing in its directory changes."""
    summary = conclude(conclusion, catalogue)
    seal_run(conclusion.folder, key=key, parent=parent)
    return summary
