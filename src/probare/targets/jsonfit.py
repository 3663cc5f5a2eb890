"""Whether JSON fits a JSON Schema (draft 2020-12), in words. Nothing is ever fetched."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from typing import Any

from probare.encoding import jsonbytes

_MOST = 5
_LONGEST = 160


def schema_fault(schema: dict[str, Any]) -> str:
    """Say why a mapping is no JSON Schema; "" where it is one."""
    from jsonschema import Draft202012Validator, SchemaError

    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        return f"is no JSON Schema: at {error.json_path}: {_cut(error.message)}"
    except RecursionError:
        return "is no JSON Schema: it is nested without end"
    return ""


def misfits(value: Any, schema: dict[str, Any]) -> list[str]:
    """Return what of a value does not fit, each with its path; at most 5."""
    from referencing.exceptions import Unresolvable

    try:
        errors: list[Any] = list(
            islice(_validator(jsonbytes.encode(schema)).iter_errors(value), _MOST)
        )
    except (RecursionError, Unresolvable) as error:
        return [f"they cannot be held against the schema: {type(error).__name__}: {error}"]
    return [f"at {error.json_path}: {_cut(error.message)}" for error in errors]


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


@lru_cache(maxsize=256)
def _validator(encoded: bytes) -> Any:
    from jsonschema import Draft202012Validator
    from referencing import jsonschema

    empty: Any = jsonschema.EMPTY_REGISTRY
    return Draft202012Validator(jsonbytes.decode_strict(encoded), registry=empty)
