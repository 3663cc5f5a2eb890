"""Numbers in JSON's form, within what a float or 64 bits can hold."""

from __future__ import annotations

import math

_LEAST_INT, _MOST_INT = -(2**63), 2**64 - 1


def number_fault(text: str) -> str | None:
    """Say why a number in JSON's form cannot be held; None where it can."""
    if len(text) > 400:
        return "is a number of too many digits"
    if text.lstrip("-").isdigit():
        held = _LEAST_INT <= int(text) <= _MOST_INT
        return None if held else f"is a whole number beyond 64 bits: {text}"
    return None if math.isfinite(float(text)) else f"is a number beyond all bounds: {text}"


def read_number(text: str) -> int | float:
    """Return a number in JSON's form: whole where it is written so."""
    return int(text) if text.lstrip("-").isdigit() else float(text)
