"""What the agent leaves behind: files, a manifest over them, and where they come from.

`manifest.json` names each file with size, SHA-256 and media type, and the hash of the trace that
produced them. It is written last; a folder without it is unfinished.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath

MANIFEST = "manifest.json"
_MEDIA_TYPES = {".md": "text/markdown", ".json": "application/json", ".txt": "text/plain"}


@dataclass(frozen=True)
class Entry:
    """A file as the manifest names it: its path in the folder, from its bytes on disk."""

    path: str
    size: int
    sha256: str
    media_type: str


class ArtifactWriter:
    """Writes into one folder, and nowhere else."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.paths: list[str] = []

    def write(self, path: str, text: str) -> str:
        """Write a file; return its path. Raises ValueError for a path out of the folder, one
        that is taken, and the manifest's own.
        """
        parts = PurePosixPath(path)
        if parts.is_absolute() or ".." in parts.parts or path in ("", MANIFEST):
            raise ValueError(f"'{path}' is no path for an artifact")
        if path in self.paths:
            raise ValueError(f"'{path}' was written already")
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
        self.paths.append(path)
        return path

    def finish(self, trace_hash: str, agent: str) -> list[Entry]:
        """Write the manifest over the files as they lie there; return its entries."""
        entries = [self.entry(path) for path in sorted(self.paths)]
        manifest = {
            "version": 1,
            "artifacts": [asdict(entry) for entry in entries],
            "provenance": {"agent": agent, "trace_hash": trace_hash},
        }
        self.folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(manifest, indent=2) + "\n"
        (self.folder / MANIFEST).write_text(text, encoding="utf-8")
        return entries

    def entry(self, path: str) -> Entry:
        """Return what the manifest says of a file."""
        data = (self.folder / path).read_bytes()
        media_type = _MEDIA_TYPES.get(Path(path).suffix, "application/octet-stream")
        return Entry(path, len(data), hashlib.sha256(data).hexdigest(), media_type)
