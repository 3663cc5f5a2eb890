"""Narrowing JSON values of unknown shape, without a cast at every step."""

from __future__ import annotations

from typing import Any, cast


def mapping(value: Any) -> dict[str, Any]:
    """Return a JSON object as it is, and anything else as an empty one."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def sequence(value: Any) -> list[Any]:
    """Return a JSON array as it is, and anything else as an empty one."""
    return cast("list[Any]", value) if isinstance(value, list) else []
