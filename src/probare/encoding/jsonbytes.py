"""JSON bytes for records: compact UTF-8, no line feed inside, never NaN.

msgspec is the encoder. Text with lone surrogates, which UTF-8 cannot hold, is recorded with
backslash escapes, so that an agent's odd answer is kept rather than lost.
"""

from __future__ import annotations

import json
from typing import Any, cast

import msgspec

_ENCODER = msgspec.json.Encoder()
_SORTED = msgspec.json.Encoder(order="deterministic")


def encode(value: Any) -> bytes:
    """Return `value` as one line of compact JSON. NaN and infinities become null."""
    try:
        return _ENCODER.encode(value)
    except UnicodeEncodeError:
        return _ENCODER.encode(printable(msgspec.to_builtins(value)))


def encode_sorted(value: Any) -> bytes:
    """Return compact JSON with sorted keys: the form that content digests are taken over."""
    try:
        return _SORTED.encode(value)
    except UnicodeEncodeError:
        return _SORTED.encode(printable(msgspec.to_builtins(value)))


def printable(value: Any) -> Any:
    """Return a copy of a JSON value whose texts have their lone surrogates escaped."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        items = cast("dict[Any, Any]", value).items()
        return {printable(key): printable(item) for key, item in items}
    if isinstance(value, list | tuple):
        return [printable(item) for item in cast("list[Any]", value)]
    return value


class DuplicateKey(ValueError):  # noqa: N818 - reads as what it is
    """A JSON object names one key twice."""

    def __init__(self, key: str) -> None:
        super().__init__(f"duplicate key '{key}'")
        self.key = key


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise DuplicateKey(key)
            seen.add(key)
    return result


class NotFinite(ValueError):  # noqa: N818 - reads as what it is
    """A JSON text holds NaN or an infinity, which JSON has no word for."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is not JSON")


def _constant(name: str) -> Any:
    raise NotFinite(name)


def decode_strict(text: str | bytes) -> Any:
    """Decode JSON, refusing duplicate keys, NaN and infinities.

    Raises ValueError (json.JSONDecodeError, DuplicateKey, NotFinite) where the text is not such
    JSON, and RecursionError where it is nested beyond what Python can hold.
    """
    return json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
