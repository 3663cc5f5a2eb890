"""What an agent hands over, as JSON.

Two ways. `to_json` is strict: an answer that is not JSON is the agent's fault. `safe` is total:
what went into a tool is kept whatever it was, with a mark where it is not JSON.
Both return copies, so that what the agent changes later does not change what was recorded.
"""

from __future__ import annotations

import dataclasses
import enum
import math
import re
from collections.abc import Callable, Mapping
from typing import Any, cast

import msgspec
from msgspec import UNSET

from probare.errors import TargetError

MARK = "$not_json"
DEEPEST = 200
LARGEST_INTEGER_BITS = 1024
LONGEST_REPR = 500

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_Path = tuple[Any, "str | int"] | None
_Refuse = Callable[[Any, _Path, str], Any]


def to_json(value: Any, what: str = "returned") -> Any:
    """Return `value` as JSON: null, bool, int, finite float, str, list, dict with str keys.

    Dataclasses, msgspec structs, objects with `model_dump` (pydantic), enums and mappings are
    converted; tuples become lists, integer keys become text. Raises TargetError that names the
    part which is not JSON: a set, bytes, NaN, an object, a circle.
    """
    kind = cast("type[Any]", type(value))
    if kind is str or value is None or kind is bool:
        return value
    refuse = _refuser(what)
    try:
        return _convert(value, None, 0, refuse)
    except TargetError:
        raise
    except Exception:
        return refuse(value, None, "an odd object")


def safe(value: Any) -> Any:
    """Return `value` as JSON, always.

    A part that is not JSON becomes `{"$not_json": "<its type>", "repr": "<its repr, cut>"}`.
    """
    kind = cast("type[Any]", type(value))
    if kind is str or value is None or kind is bool:
        return value
    try:
        return _convert(value, None, 0, _marked)
    except Exception:
        return _marked(value, None, "an odd object")


def copied(value: Any) -> Any:
    """Return a JSON value of its own: nobody else holds its lists and mappings."""
    if isinstance(value, dict):
        return {key: copied(item) for key, item in cast("dict[str, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [copied(item) for item in cast("list[Any]", value)]
    return value


def _refuser(what: str) -> _Refuse:
    def refuse(_value: Any, path: _Path, found: str) -> Any:
        where = f" (at {_written(path)})" if path else ""
        raise TargetError(
            f"the agent {what} {found}{where}, which is not JSON",
            hint="use text, numbers, lists and mappings with text keys",
        )

    return refuse


def _written(path: _Path) -> str:
    steps: list[str] = []
    while path is not None:
        path, step = path
        steps.append(f"[{step}]" if isinstance(step, int) else f".{step}")
    return "".join(reversed(steps)).removeprefix(".")


def _marked(value: Any, _path: _Path, _found: str) -> Any:
    return {MARK: type_name(value), "repr": short_repr(value)}


def type_name(value: Any) -> str:
    """Return a type's name, with its module where that is not builtins."""
    kind = cast("type[Any]", type(value))
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


def short_repr(value: Any) -> str:
    """Return a cut repr without memory addresses; never raises."""
    try:
        text = _ADDRESS.sub("", repr(value))
    except Exception as error:
        return f"<repr raised {type(error).__name__}>"
    return text if len(text) <= LONGEST_REPR else text[: LONGEST_REPR - 1] + "…"


def _convert(value: Any, path: _Path, depth: int, refuse: _Refuse) -> Any:
    kind = cast("type[Any]", type(value))
    if kind is str or value is None or kind is bool:
        return value
    if kind is int:
        return _integer(value, path, refuse)
    if kind is float:
        return value if math.isfinite(value) else refuse(value, path, str(value))
    if depth >= DEEPEST:
        return refuse(value, None, f"something nested more than {DEEPEST} deep")
    if isinstance(value, list | tuple):
        items = list(cast("list[Any]", value))
        return [_convert(v, (path, i), depth + 1, refuse) for i, v in enumerate(items)]
    if isinstance(value, dict):
        return _mapping(cast("dict[Any, Any]", value), path, depth, refuse)
    return _other(value, path, depth, refuse)


def _integer(value: int, path: _Path, refuse: _Refuse) -> Any:
    if value.bit_length() <= LARGEST_INTEGER_BITS:
        return value
    return refuse(value, path, f"an integer of {value.bit_length()} bits")


def _mapping(value: Mapping[Any, Any], path: _Path, depth: int, refuse: _Refuse) -> Any:
    result: dict[str, Any] = {}
    for key, item in list(value.items()):
        if type(key) is not str:
            plain = _key(key)
            if plain is None or plain in result:
                twice = "two keys that are one in JSON" if plain is not None else "a mapping"
                return refuse(value, path, f"{twice} (key {short_repr(key)})")
            key = plain
        elif key in result:
            return refuse(value, path, f"two keys that are one in JSON (key {short_repr(key)})")
        result[key] = _convert(item, (path, key), depth + 1, refuse)
    return result


def _key(key: Any) -> str | None:
    if isinstance(key, enum.Enum):
        key = key.value
    if isinstance(key, str):
        return str.__str__(key)
    if isinstance(key, int) and not isinstance(key, bool):
        return int.__repr__(key) if key.bit_length() <= LARGEST_INTEGER_BITS else None
    return None


def _other(value: Any, path: _Path, depth: int, refuse: _Refuse) -> Any:
    """Convert what is not one of JSON's own types, or refuse it."""
    if isinstance(value, enum.Enum):
        return _convert(value.value, path, depth + 1, refuse)
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return _convert(int.__pos__(value), path, depth + 1, refuse)
    if isinstance(value, float):
        return _convert(float.__pos__(value), path, depth + 1, refuse)
    try:
        plain = _fields_of(value)
    except Exception as error:
        return refuse(value, path, f"{a_type(value)} that cannot be read ({error!r:.200})")
    if plain is not _NO_FIELDS:
        return _convert(plain, path, depth + 1, refuse)
    return refuse(value, path, a_type(value))


_NO_FIELDS: Any = object()


def _fields_of(value: Any) -> Any:
    if isinstance(value, type):
        return _NO_FIELDS
    if isinstance(value, msgspec.Struct):
        return _struct_fields(value)
    if dataclasses.is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return dict(cast("Mapping[Any, Any]", value))
    dump = getattr(value, "model_dump", None)
    if callable(dump):
        return dump(mode="json")
    return _NO_FIELDS


def _struct_fields(value: msgspec.Struct) -> Any:
    config = value.__struct_config__
    parts = [getattr(value, name) for name in value.__struct_fields__]
    if config.array_like:
        return parts
    named = zip(value.__struct_encode_fields__, parts, strict=True)
    fields = {name: part for name, part in named if part is not UNSET}
    return {config.tag_field: config.tag, **fields} if config.tag_field else fields


def a_type(value: Any) -> str:
    """Return a value's type with its article: "a set", "an int"."""
    name = type_name(value)
    return f"an {name}" if name[0] in "aeiou" else f"a {name}"
