"""JSON Schema validators, made once for each schema; none of them reaches the network."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, cast

from probare.encoding import jsonbytes
from probare.errors import GraderError
from probare.graders.compare import shown
from probare.graders.regexes import TIME_LIMIT_S

_MOST_FAULTS = 100


def faults(schema: dict[str, Any], value: Any) -> list[str]:
    """Return what keeps a JSON value from fitting, in order of its place; empty where it fits.

    Raises GraderError where the schema cannot be applied.
    """
    import regex
    from referencing.exceptions import Unresolvable

    try:
        found: list[Any] = []
        for error in validator(schema).iter_errors(value):
            found.append(error)
            if len(found) == _MOST_FAULTS:
                break
    except Unresolvable as error:
        raise GraderError(f"the schema leads to what is not there: {error}") from None
    except TimeoutError:
        raise GraderError(
            f"regex timeout: a pattern of the schema took more than {TIME_LIMIT_S:g} s"
        ) from None
    except (regex.error, RecursionError) as error:
        raise GraderError(f"the schema cannot be applied: {error}") from None
    found.sort(key=lambda error: [str(step) for step in error.absolute_path])
    return [_said(error) for error in found]


def validator(schema: dict[str, Any]) -> Any:
    """Return the validator of a schema. Raises ValueError where it is none."""
    return _validator(jsonbytes.encode_sorted(schema))


@lru_cache(maxsize=256)
def _validator(encoded: bytes) -> Any:
    from jsonschema import Draft202012Validator, validators
    from jsonschema.exceptions import SchemaError
    from jsonschema_specifications import REGISTRY

    schema: Any = jsonbytes.decode_strict(encoded)
    kind: Any = Draft202012Validator
    if "$schema" in schema:
        kind = validators.validator_for(schema, default=None)
        if kind is None:
            raise ValueError(f"unknown JSON Schema dialect {shown(schema['$schema'])}")
    try:
        kind.check_schema(schema)
    except SchemaError as error:
        raise ValueError(f"not a JSON Schema: {_said(error)}") from None
    _check_references(schema, kind, REGISTRY)
    timed: Any = validators.extend(kind, {"pattern": _pattern})
    return timed(schema, registry=REGISTRY)


def _check_references(schema: Any, kind: Any, registry: Any) -> None:
    """Refuse a `$ref` that leads nowhere without a network."""
    from jsonschema.validators import Draft202012Validator
    from referencing import Specification
    from referencing.exceptions import Unresolvable
    from referencing.jsonschema import DRAFT202012

    default: Any = DRAFT202012
    if kind is not Draft202012Validator:
        default = Specification.detect(schema)
    top = default.create_resource(schema)
    waiting = [(top, registry.with_resource(top.id() or "", top).resolver(top.id() or ""))]
    while waiting:
        resource, resolver = waiting.pop()
        contents: Any = resource.contents
        if isinstance(contents, dict):
            reference = cast("dict[str, Any]", contents).get("$ref")
            if isinstance(reference, str):
                try:
                    resolver.lookup(reference)
                except Unresolvable:
                    raise ValueError(
                        f"$ref {shown(reference)} leads to nothing in the schema "
                        "(no schema is fetched from elsewhere)"
                    ) from None
        for inner in resource.subresources():
            waiting.append((inner, resolver.in_subresource(inner)))


def _pattern(_: Any, pattern: str, value: Any, __: Any) -> Iterator[Any]:
    """The keyword `pattern`, with a limit on its time."""
    import regex
    from jsonschema.exceptions import ValidationError

    if isinstance(value, str) and not regex.search(pattern, value, timeout=TIME_LIMIT_S):
        yield ValidationError(f"{value!r} does not match {pattern!r}")


def _said(error: Any) -> str:
    """Say an error with its place."""
    place = str(error.json_path)
    message = str(error.message)
    if len(message) > 200:
        message = f"{message[:199]}…"
    return message if place == "$" else f"at {place}: {message}"
