"""The style sheet and scripts: files of this package, under addresses that change with them."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from probare.errors import NotFound

if TYPE_CHECKING:
    from starlette.responses import Response

    from probare.web.asking import Ask

_FOLDER = Path(__file__).parent / "static"
_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


@cache
def _files() -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in _FOLDER.iterdir() if each.suffix in _TYPES}


@cache
def address_of(name: str) -> str:
    """Return the address of a packaged file."""
    return f"/static/{name}?v={hashlib.sha256(_files()[name]).hexdigest()[:12]}"


def asset(ask: Ask) -> Response:
    """Answer with a packaged file. Raises NotFound."""
    from starlette.responses import Response

    name = ask.path("name")
    found = _files().get(name)
    if found is None:
        raise NotFound("there is no such file")
    headers = {"cache-control": "public, max-age=31536000, immutable"}
    return Response(found, headers=headers, media_type=_TYPES[Path(name).suffix])
