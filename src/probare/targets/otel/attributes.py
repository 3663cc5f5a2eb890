"""Reading attributes that instrumentations flatten, or write as JSON text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from msgspec import UNSET

from probare.encoding.narrow import mapping
from probare.targets.wire import decode

_MOST_ITEMS = 10_000


def json_of(value: Any) -> Any:
    """Return a value that may be written as JSON text; UNSET where it is absent, or text that is
    no JSON (cut off by a limit on the length of attributes, say).
    """
    if value is None or value is UNSET:
        return UNSET
    return decode(value) if isinstance(value, str) else value


def structured(value: Any) -> Any:
    """Return the object or array that a text is as JSON; any other text, and value, as it is."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        found = decode(value)
        return value if found is UNSET else found
    return value


def first(attributes: Mapping[str, Any], *names: str) -> Any:
    """Return the first of these attributes that there is, or UNSET."""
    for name in names:
        if attributes.get(name) is not None:
            return attributes[name]
    return UNSET


def text(attributes: Mapping[str, Any], *names: str) -> str | None:
    """Return the first of these attributes that is a text with anything in it, or None."""
    for name in names:
        value = attributes.get(name)
        if isinstance(value, str) and value:
            return value
    return None


def count(attributes: Mapping[str, Any], *names: str) -> int | None:
    """Return the first of these attributes that is a natural number, or None."""
    for name in names:
        value = attributes.get(name)
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
    return None


def amount(attributes: Mapping[str, Any], *names: str) -> float | None:
    """Return the first of these attributes that is a number and not negative, or None."""
    for name in names:
        value = attributes.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0:
            return float(value)
    return None


def items(attributes: Mapping[str, Any], prefix: str) -> list[dict[str, Any]]:
    """Return what is flattened under `prefix.N.…`, in the order of N, each nested again.

    `{"m.0.role": "user", "m.0.calls.0.name": "f"}` is `[{"role": "user", "calls": {"0":
    {"name": "f"}}}]`; `listed` reads the inner ones.
    """
    nested: dict[str, Any] = {}
    start = prefix + "."
    for key, value in attributes.items():
        if key.startswith(start):
            _put(nested, key[len(start) :].split("."), value)
    return listed(nested)


def listed(nested: Any) -> list[dict[str, Any]]:
    """Return the objects of a mapping from numbers (as text) to objects, in their order."""
    if isinstance(nested, list):
        return [mapping(item) for item in cast("list[Any]", nested)]
    found = mapping(nested)
    numbers = sorted(int(key) for key in found if key.isascii() and key.isdigit() and len(key) < 9)
    return [mapping(found[str(number)]) for number in numbers[:_MOST_ITEMS] if str(number) in found]


def _put(nested: dict[str, Any], steps: list[str], value: Any) -> None:
    for step in steps[:-1]:
        inner = nested.get(step)
        if not isinstance(inner, dict):
            inner = nested[step] = {}
        nested = cast("dict[str, Any]", inner)
    nested.setdefault(steps[-1], value)
