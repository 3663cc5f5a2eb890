"""Checks as one line of text, for tables: `contains: Paris`, `similar: {"to": "x", …}`.

Exactly one space after the colon is the separator's. What follows is the main argument:

- in double quotes, a JSON text, which keeps its spaces;
- `{…}`, where it is JSON, the arguments by name;
- `[…]`, where it is JSON and the argument may be a list, a list; without brackets, texts
  between semicolons;
- where the argument may be a text, that text, without spaces at its end;
- else what JSON would read, and a text where it would read nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, cast

from msgspec import inspect

from probare.loading import jsontree
from probare.loading.grader_fields import main_type
from probare.ports.grader import Grader

_FORM = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*)\s*(?:: ?(.*))?\Z", re.DOTALL)


def read(text: str, graders: Mapping[str, type[Grader]]) -> Any:
    """Return the check that a text writes, in the form of a suite file.

    Raises ValueError where the text does not begin with a name.
    """
    match = _FORM.match(text)
    if match is None:
        raise ValueError(f"'{text}' is no check: write `grader: argument`")
    name, rest = match[1], match[2]
    if rest is None:
        return name
    return {name: _argument(rest, graders.get(name))}


def _argument(text: str, kind: type[Grader] | None) -> Any:
    bare = text.strip()
    if bare[:1] in ('"', "{"):
        found: Any = _json(bare)
        if isinstance(found, str | dict):
            return cast("Any", found)
    wanted = main_type(kind) if kind is not None else None
    texts, lists, anything = _accepts(wanted)
    if bare.startswith("[") and (lists or anything):
        found = _json(bare)
        if isinstance(found, list):
            return cast("Any", found)
    if texts:
        return text.rstrip()
    if lists and not anything:
        return [part.strip() for part in bare.split(";") if part.strip()]
    found = _json(bare)
    return text.rstrip() if found is _NOTHING else found


_NOTHING = object()


def _json(text: str) -> Any:
    try:
        return jsontree.decode(text)
    except (ValueError, RecursionError):
        return _NOTHING


def _accepts(wanted: inspect.Type | None) -> tuple[bool, bool, bool]:
    """Whether a type takes texts, lists, anything."""
    if wanted is None or isinstance(wanted, inspect.AnyType):
        return False, False, True
    kinds = wanted.types if isinstance(wanted, inspect.UnionType) else (wanted,)
    plain = [kind.type if isinstance(kind, inspect.Metadata) else kind for kind in kinds]
    texts = any(isinstance(kind, inspect.StrType) for kind in plain)
    lists = any(
        isinstance(kind, inspect.ListType | inspect.VarTupleType | inspect.TupleType)
        for kind in plain
    )
    return texts, lists, any(isinstance(kind, inspect.AnyType) for kind in plain)
