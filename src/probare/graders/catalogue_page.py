"""The catalogue of graders, rendered from the code: for `probare graders` and the docs."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import NODEFAULT
from msgspec import inspect as types

from probare.ports.grader import Grader

_SENTENCE = re.compile(r"(?<=\.) ")


class ArgumentPage(msgspec.Struct, frozen=True, kw_only=True):
    """One argument: `type` in words, `default` as a suite writes it (null where required)."""

    name: str
    type: str
    required: bool
    default: str | None = None


class GraderPage(msgspec.Struct, frozen=True, kw_only=True):
    """A grader's page.

    `summary` is its docstring's first sentence, `text` the whole. `main` is the argument that a
    bare value fills, `looks_at` the default of `in`; both may be null. `open` says that it
    takes arguments of any other name.
    """

    name: str
    summary: str
    text: str
    version: str
    scope: str
    main: str | None
    looks_at: str | None
    open: bool
    arguments: tuple[ArgumentPage, ...]


def catalogue_rows(graders: Mapping[str, type[Grader]]) -> list[GraderPage]:
    """Return a page for each grader, in the order given."""
    return [_page(name, kind) for name, kind in graders.items()]


def _page(name: str, kind: type[Grader]) -> GraderPage:
    info = types.type_info(kind)
    assert isinstance(info, types.StructType)
    text = inspect.cleandoc(kind.__doc__ or "")
    return GraderPage(
        name=name,
        summary=_SENTENCE.split(" ".join(text.partition("\n\n")[0].split()), maxsplit=1)[0],
        text=text,
        version=kind.VERSION,
        scope=kind.SCOPE,
        main=_encoded(info, kind.MAIN),
        looks_at=kind.LOOKS_AT,
        open=kind.OPEN is not None,
        arguments=tuple(_argument(field, kind) for field in info.fields),
    )


def _encoded(info: types.StructType, field: str | None) -> str | None:
    return next((each.encode_name for each in info.fields if each.name == field), None)


def _argument(field: types.Field, kind: type[Grader]) -> ArgumentPage:
    words = in_words(field.type)
    if field.name == kind.OPEN:
        words = f"{words}; an argument of any other name is one of them"
    return ArgumentPage(
        name=field.encode_name,
        type=words,
        required=field.required,
        default=None if field.required else _default(field),
    )


def _default(field: types.Field) -> str:
    if field.default is not NODEFAULT:
        return _written(field.default)
    if field.default_factory is not NODEFAULT:
        return _written(field.default_factory())
    return "absent"


def _written(value: Any) -> str:
    """Return a value as a suite writes it."""
    builtin = msgspec.to_builtins(value, str_keys=True)
    return builtin if isinstance(builtin, str) and builtin else json.dumps(builtin)


def in_words(kind: types.Type) -> str:
    """Return a type in words, with its bounds: `whole number, at least 0`."""
    match kind:
        case types.Metadata():
            return in_words(kind.type)
        case types.UnionType():
            members = [m for m in kind.types if not isinstance(m, types.NoneType)]
            return " or ".join(dict.fromkeys(in_words(member) for member in members))
        case types.LiteralType():
            return " | ".join(str(value) for value in kind.values)
        case types.ListType() | types.VarTupleType() | types.SetType() | types.FrozenSetType():
            inner = in_words(kind.item_type)
            return "list" if inner == "anything" else f"list ({inner})"
        case types.StructType():
            names = ", ".join(
                field.encode_name if field.required else f"{field.encode_name}?"
                for field in kind.fields
            )
            return f"mapping {{{names}}}"
        case types.IntType() | types.FloatType():
            return _bounded("whole number" if isinstance(kind, types.IntType) else "number", kind)
        case _:
            return _WORDS.get(type(kind), type(kind).__name__.removesuffix("Type").lower())


def _bounded(word: str, kind: types.IntType | types.FloatType) -> str:
    bounds = (
        ("at least", kind.ge),
        ("more than", kind.gt),
        ("at most", kind.le),
        ("less than", kind.lt),
    )
    return ", ".join(
        [word, *(f"{words} {bound:g}" for words, bound in bounds if bound is not None)]
    )


_WORDS: dict[type[types.Type], str] = {
    types.AnyType: "anything",
    types.StrType: "text",
    types.BoolType: "true or false",
    types.NoneType: "null",
    types.DictType: "mapping",
    types.TupleType: "list",
}
