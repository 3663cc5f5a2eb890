"""All that keeps a value from fitting a type, said for people.

msgspec's own conversion is quick and stops at the first mismatch. This walk is slow and finds
all of them; it is made only where the quick way failed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple, TypeAlias, cast

import msgspec
from msgspec import inspect

from probare.errors import did_you_mean
from probare.loading.documents import Steps
from probare.loading.words import described, hint_for, shown

_STEP = re.compile(r"\.([^.\[`]+)|\[(\d+)\]")

Skip: TypeAlias = Callable[[Any], bool]


class Finding(NamedTuple):
    """One mismatch: where, what, what to do; `key` says that the key itself is meant."""

    steps: Steps
    message: str
    hint: str = ""
    key: bool = False


def explain(
    value: Any, wanted: Any, *, noun: str = "key", skip: Skip | None = None
) -> list[Finding]:
    """Return all mismatches of a JSON value with a type; empty where it fits.

    `noun` names the parts of the outermost mapping (key, argument, setting). Values for which
    `skip` answers true fit anything.
    """
    walk = _Walk(skip or (lambda _: False))
    found = list(walk.visit(value, _type_info(wanted), (), noun))
    if found or skip is not None:
        return found
    try:
        msgspec.convert(value, wanted)
    except msgspec.ValidationError as error:
        return [_from_msgspec(str(error))]
    except UnicodeEncodeError:
        return [Finding((), "holds half of a surrogate pair, which is no character")]
    return []


@cache
def _type_info(wanted: Any) -> inspect.Type:
    return inspect.type_info(wanted)


def _from_msgspec(text: str) -> Finding:
    """Return msgspec's own message, for types that have no kind in JSON (dates, ...)."""
    message, _, path = text.partition(" - at `$")
    steps: list[str | int] = []
    for name, index in _STEP.findall(path.partition("[...]")[0]):
        steps.append(name or int(index))
    return Finding(tuple(steps), message)


class _Walk:
    def __init__(self, skip: Skip) -> None:
        self._skip = skip

    def visit(
        self, value: Any, wanted: inspect.Type, steps: Steps, noun: str = "key"
    ) -> Iterator[Finding]:
        if self._skip(value):
            return
        match wanted:
            case inspect.AnyType() | inspect.RawType():
                return
            case inspect.Metadata():
                yield from self.visit(value, wanted.type, steps, noun)
            case inspect.UnionType():
                yield from self._union(value, wanted, steps, noun)
            case inspect.StructType():
                yield from self._struct(value, wanted, steps, noun)
            case inspect.DictType():
                yield from self._dict(value, wanted, steps)
            case (
                inspect.ListType()
                | inspect.VarTupleType()
                | inspect.SetType()
                | inspect.FrozenSetType()
            ):
                yield from self._items(value, wanted, steps)
            case inspect.TupleType():
                yield from self._tuple(value, wanted, steps)
            case inspect.LiteralType():
                yield from _choice(value, wanted.values, steps)
            case inspect.EnumType():
                yield from _choice(value, tuple(each.value for each in wanted.cls), steps)
            case _:
                yield from _scalar(value, wanted, steps)

    def _union(
        self, value: Any, wanted: inspect.UnionType, steps: Steps, noun: str
    ) -> Iterator[Finding]:
        members = [m for m in wanted.types if not isinstance(m, inspect.NoneType)]
        if len(members) < len(wanted.types) and value is None:
            return
        alike = [member for member in members if _same_kind(value, member)]
        if not alike:
            if len(members) == 1:
                yield from self.visit(value, members[0], steps, noun)
            else:
                yield _mismatch(value, wanted, steps)
            return
        tried = [list(self.visit(value, member, steps, noun)) for member in alike]
        yield from min(tried, key=len)

    def _struct(
        self, value: Any, wanted: inspect.StructType, steps: Steps, noun: str
    ) -> Iterator[Finding]:
        if not isinstance(value, dict):
            yield _mismatch(value, wanted, steps)
            return
        given = cast("dict[str, Any]", value)
        fields = {field.encode_name: field for field in wanted.fields}
        for key, item in given.items():
            if key in fields:
                yield from self.visit(item, fields[key].type, (*steps, key))
            elif wanted.forbid_unknown_fields:
                yield unknown_key(key, fields, steps, noun)
        for name, field in fields.items():
            if field.required and name not in given:
                yield Finding(steps, f"{noun} '{name}' is missing")

    def _dict(self, value: Any, wanted: inspect.DictType, steps: Steps) -> Iterator[Finding]:
        if not isinstance(value, dict):
            yield _mismatch(value, wanted, steps)
            return
        for key, item in cast("dict[str, Any]", value).items():
            yield from self.visit(item, wanted.value_type, (*steps, key))

    def _items(self, value: Any, wanted: Any, steps: Steps) -> Iterator[Finding]:
        if not isinstance(value, list | tuple):
            yield _mismatch(value, wanted, steps)
            return
        items = cast("list[Any]", value)
        if wanted.min_length is not None and len(items) < wanted.min_length:
            needs = wanted.min_length
            yield Finding(steps, f"should have at least {_counted(needs)}, has {len(items)}")
        if wanted.max_length is not None and len(items) > wanted.max_length:
            yield Finding(
                steps, f"should have at most {_counted(wanted.max_length)}, has {len(items)}"
            )
        for index, item in enumerate(items):
            yield from self.visit(item, wanted.item_type, (*steps, index))

    def _tuple(self, value: Any, wanted: inspect.TupleType, steps: Steps) -> Iterator[Finding]:
        if not isinstance(value, list | tuple):
            yield _mismatch(value, wanted, steps)
            return
        items = cast("list[Any]", value)
        if len(items) != len(wanted.item_types):
            needs = len(wanted.item_types)
            yield Finding(steps, f"should have {_counted(needs)}, has {len(items)}")
        for index, (item, kind) in enumerate(zip(items, wanted.item_types, strict=False)):
            yield from self.visit(item, kind, (*steps, index))


def unknown_key(key: str, known: Mapping[str, Any], steps: Steps, noun: str) -> Finding:
    """Return the finding of a key that nobody knows, with the nearest known one."""
    hint = did_you_mean(key, known) or ("there are: " + ", ".join(known) if known else "")
    return Finding((*steps, key), f"unknown {noun} '{key}'", hint, key=True)


def _counted(number: int) -> str:
    return "1 item" if number == 1 else f"{number} items"


def _choice(value: Any, choices: tuple[Any, ...], steps: Steps) -> Iterator[Finding]:
    if any(type(value) is type(choice) and value == choice for choice in choices):
        return
    words = ", ".join(str(choice) for choice in choices)
    hint = did_you_mean(value, map(str, choices)) if isinstance(value, str) else ""
    yield Finding(steps, f"should be one of {words}; is {shown(value)}", hint)


def _scalar(value: Any, wanted: inspect.Type, steps: Steps) -> Iterator[Finding]:
    if not _same_kind(value, wanted):
        yield _mismatch(value, wanted, steps)
        return
    if isinstance(wanted, inspect.StrType):
        if wanted.min_length is not None and len(value) < wanted.min_length:
            few = "should not be empty" if not value else f"is too short: {shown(value)}"
            yield Finding(steps, few)
        if wanted.max_length is not None and len(value) > wanted.max_length:
            yield Finding(steps, f"is too long: {shown(value)}")
        if wanted.pattern is not None and not re.search(wanted.pattern, value):
            yield Finding(steps, f"should match {wanted.pattern}, is {shown(value)}")
    elif isinstance(wanted, inspect.IntType | inspect.FloatType):
        yield from _bounds(value, wanted, steps)


def _bounds(
    value: float, wanted: inspect.IntType | inspect.FloatType, steps: Steps
) -> Iterator[Finding]:
    if not math.isfinite(value):
        yield Finding(steps, f"should be a finite number, is {shown(value)}")
        return
    rules: tuple[tuple[Any, bool, str], ...] = (
        (wanted.ge, wanted.ge is None or value >= wanted.ge, "at least"),
        (wanted.gt, wanted.gt is None or value > wanted.gt, "more than"),
        (wanted.le, wanted.le is None or value <= wanted.le, "at most"),
        (wanted.lt, wanted.lt is None or value < wanted.lt, "less than"),
    )
    for bound, held, words in rules:
        if not held:
            yield Finding(steps, f"should be {words} {bound:g}, is {shown(value)}")


def _same_kind(value: Any, wanted: inspect.Type) -> bool:
    """Whether a value has the JSON kind that a type takes."""
    match wanted:
        case inspect.Metadata():
            return _same_kind(value, wanted.type)
        case inspect.StrType():
            return isinstance(value, str)
        case inspect.BoolType():
            return isinstance(value, bool)
        case inspect.IntType():
            return isinstance(value, int) and not isinstance(value, bool)
        case inspect.FloatType():
            return isinstance(value, int | float) and not isinstance(value, bool)
        case inspect.NoneType():
            return value is None
        case inspect.StructType() | inspect.DictType():
            return isinstance(value, dict)
        case (
            inspect.ListType()
            | inspect.VarTupleType()
            | inspect.TupleType()
            | inspect.SetType()
            | inspect.FrozenSetType()
        ):
            return isinstance(value, list | tuple)
        case inspect.LiteralType():
            return any(type(value) is type(choice) for choice in wanted.values)
        case _:
            return True


def _mismatch(value: Any, wanted: inspect.Type, steps: Steps) -> Finding:
    return Finding(
        steps, f"should be {described(wanted)}, is {shown(value)}", hint_for(value, wanted)
    )
