"""Tags: attributes that the harness puts on what it observes, for as long as a block lasts."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from probare.targets.values import safe

_NONE: dict[str, Any] = {}
_TAGS: ContextVar[dict[str, Any]] = ContextVar("probare_tags", default=_NONE)


def current() -> dict[str, Any]:
    """Return the tags that hold here; not to be changed."""
    return _TAGS.get()


@contextmanager
def tagged(**tags: Any) -> Generator[None]:
    """Add tags to what is observed inside, in tasks and threads that start inside too."""
    before = _TAGS.set({**_TAGS.get(), **safe(tags)})
    try:
        yield
    finally:
        _TAGS.reset(before)
