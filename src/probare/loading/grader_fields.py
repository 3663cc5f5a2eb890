"""What the fields of a grader's class say about its arguments."""

from __future__ import annotations

from functools import cache

from msgspec import inspect

from probare.ports.grader import Grader


@cache
def fields(kind: type[Grader]) -> dict[str, inspect.Field]:
    """Return a grader's arguments by the name that suites write."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return {field.encode_name: field for field in info.fields}


@cache
def main_name(kind: type[Grader]) -> str | None:
    """Return the name of the argument that a bare value fills, or None."""
    if kind.MAIN is None:
        return None
    for name, field in fields(kind).items():
        if kind.MAIN in (field.name, name):
            return name
    return None


def main_type(kind: type[Grader]) -> inspect.Type | None:
    """Return the type of the main argument, or None where there is none."""
    name = main_name(kind)
    return None if name is None else fields(kind)[name].type


def takes_null(kind: type[Grader]) -> bool:
    """Whether null may be the main argument."""
    wanted = main_type(kind)
    if wanted is None:
        return False
    kinds = wanted.types if isinstance(wanted, inspect.UnionType) else (wanted,)
    return any(isinstance(each, inspect.AnyType | inspect.NoneType) for each in kinds)


def required_names(kind: type[Grader]) -> list[str]:
    """Return the names of the arguments that have no default."""
    return [name for name, field in fields(kind).items() if field.required]
