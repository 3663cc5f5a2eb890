"""The page's own files, which whoever asks may have."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from probare.errors import NotFound
from probare.web.asking import Ask
from probare.web.packaged import TYPES, files

if TYPE_CHECKING:
    from starlette.responses import Response


def asset(ask: Ask) -> Response:
    """Answer with a packaged file. Raises NotFound."""
    from starlette.responses import Response

    name = ask.path("name")
    found = files().get(name)
    if found is None:
        raise NotFound("there is no such file")
    headers = {"cache-control": "public, max-age=31536000, immutable"}
    return Response(found, headers=headers, media_type=TYPES[Path(name).suffix])
