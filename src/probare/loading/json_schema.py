"""The JSON Schema (draft 2020-12) of suite files, for editors and other tools.

It takes what the loader takes, as far as a schema can say it: files, placeholders, duplicate
ids and the environment are the loader's alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import msgspec

from probare.encoding.durations import PATTERN
from probare.encoding.narrow import mapping
from probare.loading.checkkeys import BesideShape
from probare.loading.grader_fields import main_name, required_names, takes_null
from probare.loading.sentences import SIDES
from probare.loading.shapes import CaseShape, DefaultsShape, SuiteShape, TargetFields
from probare.ports.catalogue import Catalogue
from probare.ports.grader import Grader
from probare.ports.target import TargetKind
from probare.scoring.minimums import PATTERN as SCORE_PATTERN

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_PLACEHOLDER = {"type": "string", "pattern": r"^\$[A-Za-z_]"}
_DURATION = {
    "anyOf": [{"type": "number", "exclusiveMinimum": 0}, {"type": "string", "pattern": PATTERN}]
}
_CHECK = {"$ref": "#/$defs/check"}
_CHECKS = {"type": "array", "items": _CHECK}


def schema(catalogue: Catalogue) -> dict[str, Any]:
    """Return the schema of a suite, with the arguments of every grader and the settings of
    every target kind in the catalogue.
    """
    (suite, _, _), parts = msgspec.json.schema_components(
        (SuiteShape, CaseShape, DefaultsShape), ref_template="#/$defs/{name}"
    )
    defs: dict[str, Any] = {name: _tidy(mapping(part)) for name, part in parts.items()}
    for name in ("CaseShape", "DefaultsShape"):
        _fill_case(defs[name])
    _fill_checks(defs["TurnShape"])
    _fill_suite(defs["SuiteShape"])
    _durations(defs["LimitsShape"], "time")
    _durations(defs["JudgeShape"], "timeout")
    defs["GateShape"]["properties"]["min"]["propertyNames"] = {"pattern": SCORE_PATTERN}
    defs["ProveShape"]["properties"]["null"] = {"type": "string", "minLength": 1}
    defs["check"] = _check(catalogue.graders)
    defs["target"] = _target(catalogue.targets)
    beside = _beside()
    for grader in catalogue.graders.values():
        defs[f"arguments.{grader.NAME}"] = _arguments(grader, beside)
    return {"$schema": _DIALECT, "title": "A Probare suite", **suite, "$defs": defs}


def _tidy(part: dict[str, Any]) -> dict[str, Any]:
    """Defaults that are empty say nothing to a reader."""
    for each in mapping(part.get("properties")).values():
        if mapping(each).get("default") in ([], {}, None):
            mapping(each).pop("default", None)
    return part


def _durations(part: dict[str, Any], name: str) -> None:
    known = part["properties"][name]
    part["properties"][name] = {"anyOf": [*_DURATION["anyOf"], {"type": "null"}]}
    if "default" in known and known["default"] is not None:
        part["properties"][name]["default"] = known["default"]


def _fill_case(part: dict[str, Any]) -> None:
    _durations(part, "timeout")
    _fill_checks(part)


def _fill_checks(part: dict[str, Any]) -> None:
    part["properties"]["expect"] = _CHECKS
    part["properties"]["forbid"] = _CHECKS


def _fill_suite(part: dict[str, Any]) -> None:
    own: dict[str, Any] = part["properties"]
    part["properties"]["timeout"] = {**_DURATION, "default": 60}
    own["target"] = {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/target"}, {"type": "null"}]}
    own["targets"] = {
        "type": "object",
        "additionalProperties": {"$ref": "#/$defs/target"},
        "propertyNames": {"minLength": 1},
    }
    case = {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/CaseShape"}]}
    listed = {"type": "array", "items": case, "minItems": 1}
    own["cases"] = {"anyOf": [{"type": "string"}, listed]}
    sentences = {"type": "object", "additionalProperties": _CHECK}
    own["criteria"] = {
        "type": "object",
        "properties": dict.fromkeys(SIDES, sentences),
        "additionalProperties": False,
    }
    part["required"] = ["suite", "cases"]


def _check(graders: Mapping[str, type[Grader]]) -> dict[str, Any]:
    alone = [name for name, kind in graders.items() if not required_names(kind)]
    beside = _beside()
    uses = [_use(name, _written(kind), beside) for name, kind in graders.items()]
    one = {"anyOf": [_CHECK, {**_CHECKS, "minItems": 1, "maxItems": 1}]}
    several = {**_CHECKS, "minItems": 1}
    combined = {"not": one, "any_of": several, "all_of": several}
    fewer = {k: v for k, v in beside.items() if k not in ("transform", "threshold")}
    uses += [_use(name, inner, fewer) for name, inner in combined.items()]
    return {"anyOf": [{"enum": alone}, *uses] if alone else uses}


def _use(name: str, written: dict[str, Any], beside: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name: written, **beside},
        "required": [name],
        "additionalProperties": False,
    }


def _beside() -> dict[str, Any]:
    part = _inlined(BesideShape)
    part["properties"]["in"] = {"anyOf": [_PLACEHOLDER, {"type": "null"}]}
    return cast("dict[str, Any]", part["properties"])


def _written(kind: type[Grader]) -> dict[str, Any]:
    """What may stand beside a grader's name: its arguments, or the main one alone."""
    forms: list[dict[str, Any]] = [{"$ref": f"#/$defs/arguments.{kind.NAME}"}]
    main = main_name(kind)
    if main is not None and all(name == main for name in required_names(kind)):
        bare = _argument(_inlined(kind)["properties"][main])
        forms.append({"allOf": [bare, {"not": {"type": "object"}}]})
    if not required_names(kind) and not takes_null(kind):
        forms.append({"type": "null"})
    return {"anyOf": forms}


def _arguments(kind: type[Grader], beside: dict[str, Any]) -> dict[str, Any]:
    part = _inlined(kind)
    properties = {name: _argument(each) for name, each in part["properties"].items()}
    said: dict[str, Any] = {"type": "object", "properties": {**beside, **properties}}
    said["additionalProperties"] = kind.OPEN is not None
    for key in ("required", "description"):
        if part.get(key):
            said[key] = part[key]
    return said


def _argument(part: dict[str, Any]) -> dict[str, Any]:
    """An argument, or a placeholder for it or for any value inside it."""
    return {"anyOf": [_with_placeholders(part), _PLACEHOLDER]}


def _with_placeholders(part: Any) -> Any:
    items = mapping(part).get("items")
    return {**part, "items": {"anyOf": [items, _PLACEHOLDER]}} if items else part


def _inlined(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Return a struct's schema; the few structs inside one are written out where they stand."""
    (own,), parts = msgspec.json.schema_components((kind,), ref_template="{name}")
    return cast("dict[str, Any]", _resolved(own, parts))


def _resolved(part: Any, parts: Mapping[str, Any]) -> Any:
    if isinstance(part, list):
        return [_resolved(item, parts) for item in cast("list[Any]", part)]
    if not isinstance(part, dict):
        return part
    given = cast("dict[str, Any]", part)
    if isinstance(given.get("$ref"), str):
        return _resolved(parts[given["$ref"]], parts)
    return {key: _resolved(item, parts) for key, item in given.items()}


def _target(kinds: Mapping[str, TargetKind]) -> dict[str, Any]:
    common = _inlined(TargetFields)["properties"]
    forms: list[dict[str, Any]] = []
    for kind in kinds.values():
        part = _inlined(kind.settings)
        forms.append(
            {
                "type": "object",
                "properties": {**common, **part["properties"]},
                "required": part.get("required", [kind.name]),
                "additionalProperties": False,
                "description": part.get("description", ""),
            }
        )
    return {"anyOf": forms}
