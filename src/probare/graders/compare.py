"""JSON values compared: numbers as numbers, types never confused.

12 is 12.0, `true` is not 1, "12" is not 12, 0 and false and "" and null are four values.
Strings are compared in normalised form (`probare.graders.normal`), at any depth; the keys of
objects exactly, since they are names. Lists keep their order. NaN, which is not JSON, equals
nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from probare.encoding import jsonbytes
from probare.graders.normal import prepare

_SHORT = 80


def same(a: Any, b: Any, *, ignore_case: bool = False) -> bool:
    """Whether two JSON values are equal; `ignore_case` holds for strings at any depth."""
    if isinstance(a, str) and isinstance(b, str):
        return a == b or prepare(a, ignore_case=ignore_case) == prepare(b, ignore_case=ignore_case)
    kind = kind_of(a)
    if kind != kind_of(b):
        return False
    if kind == "object":
        one, two = cast("Mapping[str, Any]", a), cast("Mapping[str, Any]", b)
        return one.keys() == two.keys() and all(
            same(value, two[key], ignore_case=ignore_case) for key, value in one.items()
        )
    if kind == "list":
        first, second = cast("Sequence[Any]", a), cast("Sequence[Any]", b)
        return len(first) == len(second) and all(
            same(x, y, ignore_case=ignore_case) for x, y in zip(first, second, strict=True)
        )
    return bool(a == b)


def difference(expected: Any, got: Any, *, ignore_case: bool = False) -> str:
    """Say the first difference in labelled fields, with its place where it lies inside.

    >>> difference("0", "1")
    "expected '0', got '1'"
    >>> difference({"a": [1, 2]}, {"a": [1, True]})
    'at a[1]: expected 2, got true (a boolean, not a number)'

    Empty where the two are the same.
    """
    return _difference(expected, got, "", ignore_case=ignore_case)


def kind_of(value: Any) -> str:
    """Return the JSON type of a value, in words: text, number, boolean, null, object, list."""
    if isinstance(value, str):
        return "text"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, Mapping):
        return "object"
    if isinstance(value, list | tuple):
        return "list"
    return type(cast("object", value)).__name__


def shown(value: Any) -> str:
    """Return a value as reasons show it: text in single quotes, else JSON; long ones are cut."""
    if isinstance(value, str):
        return f"'{_cut(value)}'"
    return _cut(jsonbytes.encode(value).decode())


def _cut(text: str) -> str:
    return text if len(text) <= _SHORT else f"{text[: _SHORT - 1]}…"


def _difference(expected: Any, got: Any, path: str, *, ignore_case: bool) -> str:
    if same(expected, got, ignore_case=ignore_case):
        return ""
    where = f"at {path}: " if path else ""
    kind, other = kind_of(expected), kind_of(got)
    if kind != other:
        return f"{where}expected {shown(expected)}, got {shown(got)} ({_a(other)}, not {_a(kind)})"
    if kind == "object":
        return _in_objects(expected, got, path, ignore_case=ignore_case)
    if kind == "list":
        return _in_lists(expected, got, path, ignore_case=ignore_case)
    if kind == "text":
        return where + _in_texts(expected, got, ignore_case=ignore_case)
    return f"{where}expected {shown(expected)}, got {shown(got)}"


def _in_objects(
    expected: Mapping[str, Any], got: Mapping[str, Any], path: str, *, ignore_case: bool
) -> str:
    where = f"at {path}: " if path else ""
    for key, value in expected.items():
        if key not in got:
            return f"{where}expected a key '{key}' ({shown(value)}), got none"
        inner = f"{path}.{key}" if path else str(key)
        found = _difference(value, got[key], inner, ignore_case=ignore_case)
        if found:
            return found
    extra = next(key for key in got if key not in expected)
    return f"{where}expected no key '{extra}', got {shown(got[extra])}"


def _in_lists(expected: Sequence[Any], got: Sequence[Any], path: str, *, ignore_case: bool) -> str:
    for index, (a, b) in enumerate(zip(expected, got, strict=False)):
        found = _difference(a, b, f"{path}[{index}]", ignore_case=ignore_case)
        if found:
            return found
    where = f"at {path}: " if path else ""
    return f"{where}expected {_items(len(expected))}, got {_items(len(got))}"


def _in_texts(expected: str, got: str, *, ignore_case: bool) -> str:
    """Show both texts, those that are long from a little before where they part."""
    if len(expected) <= _SHORT and len(got) <= _SHORT:
        return f"expected '{expected}', got '{got}'"
    a, b = prepare(expected, ignore_case=ignore_case), prepare(got, ignore_case=ignore_case)
    part = next(
        (at for at, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b))
    )
    start = max(0, part - 20)
    lead = "…" if start else ""
    return (
        f"expected '{lead}{_cut(a[start:])}', got '{lead}{_cut(b[start:])}' "
        f"(they part at character {part})"
    )


def _items(count: int) -> str:
    return "1 item" if count == 1 else f"{count} items"


def _a(kind: str) -> str:
    if kind in ("text", "null"):
        return kind
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"
