"""From arguments by name to a grader. A grader with an open field takes arguments of any name."""

from __future__ import annotations

from typing import Any, TypeVar, cast

import msgspec
from msgspec import ValidationError

from probare.ports.grader import Grader

G = TypeVar("G", bound=Grader)


def build(kind: type[G], args: dict[str, Any]) -> G:
    """Return the grader with these arguments. Raises msgspec.ValidationError where they do not
    fit it.
    """
    try:
        return msgspec.convert(gathered(kind, args), kind)
    except UnicodeEncodeError as error:
        raise ValidationError("a text holds half of a surrogate pair") from error


def gathered(kind: type[Grader], args: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments by field: those that are no field, inside the grader's open one.

    `{"function": "m:f", "strict": true}` becomes `{"function": "m:f", "kwargs": {"strict":
    true}}` for a grader with `OPEN = "kwargs"`. Doing it twice changes nothing. Raises
    msgspec.ValidationError where an argument stands both inside and beside.
    """
    if kind.OPEN is None:
        return args
    fields = kind.__struct_encode_fields__
    free = {name: value for name, value in args.items() if name not in fields}
    if not free:
        return args
    inside = args.get(kind.OPEN, {})
    if not isinstance(inside, dict):
        raise ValidationError(f"Expected `object`, got other arguments beside `{kind.OPEN}`")
    inner = cast("dict[str, Any]", inside)
    for name in free:
        if name in inner:
            raise ValidationError(f"argument `{name}` is given beside `{kind.OPEN}` and inside it")
    fixed = {name: value for name, value in args.items() if name in fields}
    return {**fixed, kind.OPEN: {**inner, **free}}
