"""Durations as suites write them: seconds, or text such as `60s`, `2m`, `500ms`, `1.5h`."""

from __future__ import annotations

import math
import re

PATTERN = r"^([0-9]+(?:\.[0-9]+)?) ?(ms|s|m|h)$"
_FORM = re.compile(PATTERN)
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


def parse_duration(value: float | str) -> float:
    """Return a duration in seconds. Raises ValueError where it is none, or not above zero."""
    if isinstance(value, str):
        match = _FORM.fullmatch(value)
        if match is None:
            raise ValueError(f"'{value}' is no duration: write seconds, or 60s, 2m, 500ms")
        value = float(match[1]) * _SECONDS[match[2]]
    if not math.isfinite(value) or value <= 0:
        raise ValueError(f"a duration should be above zero, is {value:g}")
    return float(value)
