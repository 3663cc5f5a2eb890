"""Paths into a JSON reply: `choices[0].message.content`, with or without a leading `$.`."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from probare.errors import GraderError, InputError
from probare.grading import placeholders
from probare.grading.placeholders import Placeholder


def parse(text: str, setting: str) -> Placeholder:
    """Return a parsed path; `$` alone is the whole reply. Raises InputError on a bad one."""
    inner = text.removeprefix("$").removeprefix(".")
    joined = inner if not inner or inner.startswith("[") else f".{inner}"
    path = placeholders.parse(f"$reply{joined}")
    if path is None:
        raise InputError(
            f"`{setting}: {text}` is not a path into a reply",
            hint="write keys and places in lists, as in choices[0].message.content",
        )
    return path


def find(value: Any, path: Placeholder) -> Any:
    """Return what stands at the path, or UNSET where nothing does."""
    try:
        return placeholders.walk(value, path)
    except GraderError:
        return UNSET


def missing(value: Any, path: Placeholder) -> str:
    """Return a sentence saying where the path leaves the value."""
    try:
        placeholders.walk(value, path)
    except GraderError as error:
        return str(error)
    return ""
