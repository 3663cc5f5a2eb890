"""Types and values in words, for messages."""

from __future__ import annotations

import json
from typing import Any

from msgspec import inspect


def hint_for(value: Any, wanted: inspect.Type) -> str:
    """Say how a value is written so that it fits a type, where that is plain; else nothing."""
    kinds = wanted.types if isinstance(wanted, inspect.UnionType) else (wanted,)
    if isinstance(value, str):
        if any(isinstance(kind, inspect.BoolType) for kind in kinds):
            return "write true or false, without quotes"
        if any(isinstance(kind, inspect.ListType | inspect.VarTupleType) for kind in kinds):
            return f"for a list of one, write [{value}]" if len(value) < 40 else ""
    if isinstance(value, int | float) and any(isinstance(k, inspect.StrType) for k in kinds):
        return f'for a text, write it in quotes: "{json.dumps(value)}"'
    return ""


def described(wanted: inspect.Type) -> str:
    """Return a type in words."""
    match wanted:
        case inspect.Metadata():
            return described(wanted.type)
        case inspect.UnionType():
            words = [described(m) for m in wanted.types if not isinstance(m, inspect.NoneType)]
            return " or ".join(dict.fromkeys(words))
        case inspect.LiteralType():
            return "one of " + ", ".join(map(str, wanted.values))
        case inspect.ListType() | inspect.VarTupleType():
            inner = described(wanted.item_type)
            return "a list" if inner == "anything" else f"a list ({inner} each)"
        case _:
            return _WORDS.get(type(wanted), "another kind of value")


_WORDS: dict[type[inspect.Type], str] = {
    inspect.AnyType: "anything",
    inspect.StrType: "a text",
    inspect.BoolType: "true or false",
    inspect.IntType: "a whole number",
    inspect.FloatType: "a number",
    inspect.NoneType: "null",
    inspect.StructType: "a mapping",
    inspect.DictType: "a mapping",
    inspect.TupleType: "a list",
    inspect.SetType: "a list",
    inspect.FrozenSetType: "a list",
}


def printable(text: str) -> str:
    """Return a text of one line that a terminal can show: control characters, line ends and lone
    surrogates stand as backslash escapes.
    """
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode() for each in text
    )


def shown(value: Any) -> str:
    """Return a value as it stands in a message: short, with its kind."""
    if isinstance(value, str):
        return f"the text '{value if len(value) <= 40 else value[:39] + '…'}'"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list | tuple):
        return "a list"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"{value!r}"
    return f"a Python {type(value).__name__}"
