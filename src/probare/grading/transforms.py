"""Transforms: `json`, `strip_fences`, or `module:function`, applied to what a check looks at."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from probare.encoding import jsonbytes
from probare.errors import GraderError, InputError, did_you_mean
from probare.grading import usercode

_FENCE = re.compile(r"\s*```[^\n`]*\n(.*?)\n?```\s*\Z", re.DOTALL)


def strip_fences(value: Any) -> Any:
    """Return the inside of a text that is one fenced block; anything else unchanged."""
    if isinstance(value, str):
        match = _FENCE.match(value)
        return match[1] if match else value
    return value


def parse_json(value: Any) -> Any:
    """Return the value that a JSON text holds; a value that is no text is returned as it is."""
    if not isinstance(value, str):
        return value
    try:
        return jsonbytes.decode_strict(value)
    except (ValueError, RecursionError) as error:
        raise GraderError(f"transform json: not JSON: {error}") from None


BUILT_IN: dict[str, Callable[[Any], Any]] = {"json": parse_json, "strip_fences": strip_fences}


def find(name: str, folder: Path | None) -> Callable[[Any], Any]:
    """Return the transform of that name. Raises InputError where there is none."""
    if name in BUILT_IN:
        return BUILT_IN[name]
    if ":" not in name:
        raise InputError(
            f"unknown transform '{name}'",
            hint=did_you_mean(name, BUILT_IN) or "json, strip_fences or module:function",
        )
    return usercode.load(name, folder)
