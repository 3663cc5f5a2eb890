"""Events that an agent made itself, checked before they are recorded."""

from __future__ import annotations

import mimetypes
from pathlib import Path
from typing import Any, cast

import msgspec

from probare.encoding import digest
from probare.errors import TargetError
from probare.model.event import EVENT_TYPES, Artifact, EventBase
from probare.targets.values import a_type, safe

_OURS = frozenset({"seq", "at_ms", "source"})


def checked(event: Any) -> EventBase:
    """Return an event whose fields have their types and are JSON, and are its own.

    Raises TargetError on what is no event and on a field of the wrong type.
    """
    kind = event.kind if isinstance(event, EventBase) else ""
    if kind not in EVENT_TYPES:
        raise TargetError(f"the agent recorded {a_type(event)}, which is not an event")
    fields = {
        name: safe(getattr(event, name)) for name in event.__struct_fields__ if name not in _OURS
    }
    try:
        return msgspec.convert(fields, EVENT_TYPES[kind])
    except msgspec.ValidationError as error:
        raise TargetError(f"the agent recorded a wrong {kind}: {error}") from None


def described(path: str | Path, workspace: Path | None, media_type: str | None) -> Artifact:
    """Return an artifact's event: its path inside the workspace, and size and SHA-256 where
    such a file lies there. A path that leads out of the workspace is kept as written.
    """
    written = str(path)
    media_type = media_type or mimetypes.guess_type(written)[0]
    if workspace is None:
        return Artifact(path=written, media_type=media_type)
    try:
        home = workspace.resolve()
        file = (home / path).resolve()
        inside = file.is_relative_to(home)
        name = file.relative_to(home).as_posix() if inside else written
        if not inside or not file.is_file():
            return Artifact(path=name, media_type=media_type)
        return Artifact(
            path=name,
            sha256=digest.of_file(file),
            size=file.stat().st_size,
            media_type=media_type,
        )
    except (OSError, ValueError):
        return Artifact(path=written, media_type=media_type)


def artifact_paths(value: Any) -> tuple[str, ...]:
    """Return artifacts as a tuple of texts. Raises TargetError where they are something else."""
    if isinstance(value, str | Path):
        value = (value,)
    if isinstance(value, list | tuple):
        paths = tuple(str(p) for p in cast("list[Any]", value) if isinstance(p, str | Path))
        if len(paths) == len(cast("list[Any]", value)):
            return paths
    raise TargetError("the agent's artifacts are not a list of paths")
