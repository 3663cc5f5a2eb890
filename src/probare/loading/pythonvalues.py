"""Suites made in Python, as the plain values that a file would hold."""

from __future__ import annotations

import math
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Any, cast

import msgspec
from msgspec import UNSET

from probare.loading.documents import Origin
from probare.loading.faultlist import Faults
from probare.loading.jsonscan import MOST_DEPTH

_TARGETS = ("target", "targets")


def plain(value: Any, origin: Origin, faults: Faults) -> Any:
    """Return shapes and collections as mappings and lists. What is no JSON value is a fault,
    save in targets, whose settings may hold Python objects.
    """
    return _Plain(faults).value(value, origin)


class _Plain:
    def __init__(self, faults: Faults) -> None:
        self._faults = faults
        self._too_deep = False

    def value(self, value: Any, origin: Origin, *, in_target: bool = False) -> Any:
        if len(origin.base) > MOST_DEPTH:
            self._faults.add(origin.place(), f"is nested more than {MOST_DEPTH} levels deep")
            self._too_deep = True
        if self._too_deep:
            return None
        if isinstance(value, msgspec.Struct):
            return self._mapping(_given(value), origin, in_target)
        if isinstance(value, Mapping):
            return self._mapping(cast("Mapping[Any, Any]", value), origin, in_target)
        if isinstance(value, list | tuple | AbstractSet):
            return [
                self.value(item, origin.below(index), in_target=in_target)
                for index, item in enumerate(cast("list[Any]", value))
            ]
        if value is None or isinstance(value, str | bool | int) or in_target:
            return value
        if isinstance(value, float):
            if not math.isfinite(value):
                self._faults.add(origin.place(), f"{value} is not JSON")
            return value
        kind = type(value).__name__
        self._faults.add(origin.place(), f"a Python {kind} is no JSON value")
        return None

    def _mapping(self, value: Mapping[Any, Any], origin: Origin, in_target: bool) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for key, item in value.items():
            if not isinstance(key, str):
                self._faults.add(origin.place(), f"a key should be a text, is {key!r}")
                continue
            target = in_target or (not origin.base and key in _TARGETS)
            result[key] = self.value(item, origin.below(key), in_target=target)
        return result


def _given(shape: msgspec.Struct) -> dict[str, Any]:
    """Return the fields of a shape that were given, by the names that files write."""
    pairs = zip(shape.__struct_encode_fields__, shape.__struct_fields__, strict=True)
    values = {key: getattr(shape, name) for key, name in pairs}
    required = len(shape.__struct_fields__) - len(shape.__struct_defaults__)
    defaults = (*([UNSET] * required), *shape.__struct_defaults__)
    return {
        key: value
        for (key, value), default in zip(values.items(), defaults, strict=True)
        if value is not UNSET and not _is_default(value, default)
    }


def _is_default(value: Any, default: Any) -> bool:
    if value is default:
        return True
    return value in ([], {}) and hasattr(default, "factory")


def named(value: Any) -> Any:
    """Return a value with Python objects as their names, for digests."""
    if isinstance(value, dict):
        return {key: named(item) for key, item in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [named(item) for item in cast("list[Any]", value)]
    if value is None or isinstance(value, str | bool | int | float):
        return value
    module = getattr(value, "__module__", "?")
    return f"{module}:{getattr(value, '__qualname__', type(value).__qualname__)}"
