"""A grader's page in the catalogue, read off its class: nothing is written twice."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import NODEFAULT
from msgspec import inspect as types

from probare.encoding import jsonbytes
from probare.ports.grader import Grader

_SENTENCE = re.compile(r"(?<=\.)\s")
_PLAIN: dict[type[types.Type], str] = {
    types.AnyType: "any value",
    types.NoneType: "null",
    types.BoolType: "true or false",
    types.IntType: "whole number",
    types.FloatType: "number",
    types.StrType: "text",
}


class Argument(msgspec.Struct, frozen=True, kw_only=True):
    """One argument: its type in words, its default as JSON (null where it is required)."""

    name: str
    type: str
    default: str | None
    required: bool


class GraderPage(msgspec.Struct, frozen=True, kw_only=True):
    """What there is to know of a grader.

    `summary` is the docstring's first sentence and `text` the whole of it. `main` is the
    argument that a bare value fills, `looks_at` the default of `in`; each is null where there
    is none. `open` says that arguments which are not listed are taken too.
    """

    name: str
    summary: str
    text: str
    main: str | None
    arguments: tuple[Argument, ...]
    looks_at: str | None
    version: str
    scope: str
    open: bool = False


def catalogue_rows(graders: Mapping[str, type[Grader]]) -> list[GraderPage]:
    """Return the pages of graders, by name."""
    return [_page(name, graders[name]) for name in sorted(graders)]


def _page(name: str, kind: type[Grader]) -> GraderPage:
    text = inspect.cleandoc(kind.__doc__ or "")
    first = " ".join(text.partition("\n\n")[0].split())
    info = types.type_info(kind)
    assert isinstance(info, types.StructType)
    opened: str | None = getattr(kind, "OPEN", None)
    listed = [_argument(field) for field in info.fields if field.name != opened]
    return GraderPage(
        name=name,
        summary=_SENTENCE.split(first, maxsplit=1)[0],
        text=text,
        main=kind.MAIN,
        arguments=tuple(listed),
        looks_at=kind.LOOKS_AT,
        version=kind.VERSION,
        scope=kind.SCOPE,
        open=opened is not None,
    )


def _argument(field: types.Field) -> Argument:
    default: Any = field.default
    if default is NODEFAULT and field.default_factory is not NODEFAULT:
        default = field.default_factory()
    return Argument(
        name=field.encode_name,
        type=in_words(field.type),
        default=None if field.required else jsonbytes.encode(default).decode(),
        required=field.required,
    )


def in_words(kind: types.Type) -> str:
    """Say what values a type takes, in the words of suites rather than of Python."""
    match kind:
        case types.Metadata():
            return in_words(kind.type)
        case types.UnionType():
            return " or ".join(dict.fromkeys(in_words(member) for member in kind.types))
        case types.LiteralType():
            return " or ".join(map(str, kind.values))
        case types.DictType():
            return "mapping"
        case types.StructType():
            return "{" + ", ".join(field.encode_name for field in kind.fields) + "}"
        case types.ListType() | types.VarTupleType() | types.SetType() | types.FrozenSetType():
            inner = in_words(kind.item_type)
            return "list" if inner == "any value" else f"list of {inner}"
        case _:
            own = _bounds(kind)
            return _PLAIN.get(type(kind), _name(kind)) + own


def _bounds(kind: types.Type) -> str:
    if not isinstance(kind, types.IntType | types.FloatType):
        return ""
    low = kind.ge if kind.ge is not None else kind.gt
    high = kind.le if kind.le is not None else kind.lt
    over = "from" if kind.ge is not None else "above"
    parts = [f"{over} {low:g}"] if low is not None else []
    parts += [f"{'to' if kind.le is not None else 'below'} {high:g}"] if high is not None else []
    return f" ({' '.join(parts)})" if parts else ""


def _name(kind: types.Type) -> str:
    own: Any = getattr(kind, "cls", None)
    return (
        str(own.__name__) if own is not None else type(kind).__name__.removesuffix("Type").lower()
    )
