"""JSON Schema: checked at load, nothing fetched, patterns under a time limit.

Draft 2020-12 unless `$schema` names another that is known. `format` is an annotation, as the
specification has it by default. `pattern`, `patternProperties` and `additionalProperties` use
the module `regex` with its timeout in place of `re`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from probare.encoding import jsonbytes
from probare.errors import GraderError

if TYPE_CHECKING:
    import regex

TIME_LIMIT_S = 1.0
_MOST_ERRORS = 20
_LONGEST = 160


def faults(value: Any, schema: dict[str, Any] | bool) -> list[str]:
    """Return what of a JSON value does not fit a schema, each with its path; at most 20.

    Raises GraderError where it cannot be told: a pattern that takes more than a second, a
    schema or a value without end. Raises ValueError where the schema is none.
    """
    validator = _validator(jsonbytes.encode(schema))
    try:
        errors: list[Any] = list(islice(validator.iter_errors(value), _MOST_ERRORS))
    except RecursionError:
        raise GraderError("the schema, or the value, is nested without end") from None
    return [f"at {error.json_path}: {_cut(error.message)}" for error in errors]


def check(schema: dict[str, Any] | bool) -> None:
    """Refuse what is no schema, or what refers to something outside of it. Raises ValueError."""
    _validator(jsonbytes.encode(schema))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


@lru_cache(maxsize=256)
def _validator(encoded: bytes) -> Any:
    import jsonschema

    schema: Any = jsonbytes.decode_strict(encoded)
    dialect = _dialect(schema)
    try:
        dialect.check_schema(schema)
    except jsonschema.SchemaError as error:
        raise ValueError(f"not a JSON Schema: at {error.json_path}: {error.message}") from None
    _check_parts(schema, dialect)
    return _with_time_limit(dialect)(schema, registry=_own_registry())


def _own_registry() -> Any:
    """Return JSON Schema's own schemas, by their names; nothing else, and nothing fetched."""
    specifications: Any = import_module("jsonschema_specifications")
    return specifications.REGISTRY


def _dialect(schema: Any) -> Any:
    from jsonschema import Draft202012Validator
    from jsonschema.validators import validator_for

    named = cast("dict[str, Any]", schema).get("$schema") if isinstance(schema, dict) else None
    if named is None:
        return Draft202012Validator
    nothing: Any = None
    known: Any = validator_for({"$schema": named}, nothing) if isinstance(named, str) else None
    if known is None:
        raise ValueError(f"not a JSON Schema: unknown dialect {named!r} in $schema")
    return known


def _check_parts(schema: Any, dialect: Any) -> None:
    """Resolve every reference and compile every pattern of a schema."""
    from referencing import Resource
    from referencing.exceptions import Unresolvable
    from referencing.jsonschema import SchemaResource, specification_with

    root: SchemaResource = Resource(
        contents=schema,
        specification=specification_with(str(dialect.ID_OF(dialect.META_SCHEMA))),
    )
    registry = _own_registry().with_resource(root.id() or "", root)
    parts = [(root, registry.resolver_with_root(root))]
    while parts:
        part, resolver = parts.pop()
        content = part.contents
        if isinstance(content, Mapping):
            for keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
                reference = content.get(keyword)
                if not isinstance(reference, str):
                    continue
                try:
                    resolver.lookup(reference)
                except Unresolvable:
                    raise ValueError(
                        f"{keyword} '{reference}' is not in the schema; nothing is ever fetched"
                    ) from None
            for pattern in _patterns(content):
                _compiled(pattern)
        parts += [(sub, resolver.in_subresource(sub)) for sub in part.subresources()]


def _patterns(content: Mapping[str, Any]) -> Iterator[str]:
    own = content.get("pattern")
    if isinstance(own, str):
        yield own
    by_name = content.get("patternProperties")
    if isinstance(by_name, Mapping):
        yield from cast("Mapping[str, Any]", by_name)


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> regex.Pattern[str]:
    import regex

    try:
        return regex.compile(pattern)
    except (regex.error, ValueError, OverflowError, RecursionError) as error:
        raise ValueError(f"'{pattern}' is not a regular expression: {error}") from None


def _matches(pattern: str, text: str) -> bool:
    try:
        found = _compiled(pattern).search(text, timeout=TIME_LIMIT_S, concurrent=True)
    except TimeoutError:
        raise GraderError(
            f"regex timeout: the schema's pattern /{pattern}/ took more than {TIME_LIMIT_S:g} s "
            f"on a text of {len(text)} characters"
        ) from None
    return found is not None


@lru_cache(maxsize=16)
def _with_time_limit(dialect: Any) -> Any:
    validators: Any = import_module("jsonschema.validators")
    return validators.extend(
        dialect,
        {
            "pattern": _pattern,
            "patternProperties": _pattern_properties,
            "additionalProperties": _additional_properties,
        },
    )


def _pattern(validator: Any, wanted: str, value: Any, _schema: Any) -> Iterator[Any]:
    from jsonschema import ValidationError

    if validator.is_type(value, "string") and not _matches(wanted, value):
        yield ValidationError(f"{value!r} does not match {wanted!r}")


def _pattern_properties(
    validator: Any, wanted: dict[str, Any], value: Any, _schema: Any
) -> Iterator[Any]:
    if not validator.is_type(value, "object"):
        return
    for pattern, schema in wanted.items():
        for name, item in value.items():
            if _matches(pattern, name):
                yield from validator.descend(item, schema, path=name, schema_path=pattern)


def _additional_properties(
    validator: Any, wanted: Any, value: Any, schema: dict[str, Any]
) -> Iterator[Any]:
    from jsonschema import ValidationError

    if not validator.is_type(value, "object"):
        return
    named = schema.get("properties", {})
    patterns = schema.get("patternProperties", {})
    extra = [
        name
        for name in value
        if name not in named and not any(_matches(pattern, name) for pattern in patterns)
    ]
    if validator.is_type(wanted, "object"):
        for name in extra:
            yield from validator.descend(value[name], wanted, path=name)
    elif not wanted and extra:
        names = ", ".join(repr(name) for name in extra)
        yield ValidationError(f"additional properties are not allowed: {names}")
