"""`verify --chain`: from a bundle back to those that it was made from.

A regrade, a review or a merge seals a new bundle that names the old one by run id and digest of
its manifest. The old one is looked for by its run id, beside the new one and where one says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from probare.encoding import digest
from probare.evidence import names
from probare.evidence.examination import Examination
from probare.evidence.keys import PublicKey
from probare.evidence.manifest import Parent
from probare.evidence.verifying import examine

MOST = 1000


@dataclass(frozen=True, slots=True)
class Link:
    """One bundle of the chain. `problem` says why the chain does not hold here; else empty."""

    run_id: str | None
    folder: Path | None
    examination: Examination | None
    problem: str = ""

    @property
    def intact(self) -> bool:
        """Whether this bundle is the one that was named, and is as it was sealed."""
        return not self.problem and self.examination is not None and self.examination.intact


def walk_back(
    folder: Path, *, public: PublicKey | None = None, search: Sequence[Path] = ()
) -> tuple[Link, ...]:
    """Examine a bundle and all that it was made from, newest first.

    A parent is taken only where its manifest has the digest that its child names. The walk ends
    at a bundle without a parent, or where the chain does not hold.
    """
    examination = examine(folder, public=public)
    links = [Link(examination.run_id, folder, examination)]
    seen = {examination.manifest_sha256}
    while examination.manifest is not None and examination.manifest.parent is not None:
        parent = examination.manifest.parent
        if parent.manifest_sha256 in seen or len(links) >= MOST:
            links.append(Link(parent.run_id, None, None, "the chain leads back to itself"))
            break
        seen.add(parent.manifest_sha256)
        found, problem = _find(parent, [folder.resolve().parent, *search])
        if found is None:
            links.append(Link(parent.run_id, None, None, problem))
            break
        folder = found
        examination = examine(folder, public=public)
        if examination.manifest_sha256 != parent.manifest_sha256:
            problem = "its manifest changed while it was read"
        elif examination.run_id != parent.run_id:
            problem = f"its manifest is that of {examination.run_id}"
        links.append(Link(parent.run_id, folder, examination, problem))
        if problem:
            break
    return tuple(links)


def _find(parent: Parent, places: Sequence[Path]) -> tuple[Path | None, str]:
    """Return the folder of a parent and no problem, or none and why."""
    if not names.is_run_id(parent.run_id):
        return None, "its run id is none, so it is not looked for"
    others = 0
    for place in places:
        folder = place / parent.run_id
        manifest = folder / names.MANIFEST
        if folder.is_symlink() or not manifest.is_file() or manifest.is_symlink():
            continue
        if digest.of_file(manifest) == parent.manifest_sha256:
            return folder, ""
        others += 1
    if others:
        return None, "the bundle of that name has another digest: it is not the one that was named"
    where = ", ".join(str(place) for place in places)
    return None, f"it was not found in {where}"
