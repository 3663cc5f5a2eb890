"""JSON Schema: what is refused at load, and limits on what a pattern may take."""

from __future__ import annotations

from typing import Any

import pytest

from probare.errors import GraderError
from probare.graders import schema_validation

ENDLESS = "^(a|a)*$"
LONG = "a" * 60 + "b"


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({"type": "objekt"}, "not a JSON Schema"),
        ({"$schema": 7}, "unknown dialect"),
        ({"pattern": "("}, r"regular expression|not a 'regex'"),
        ({"allOf": [{"$dynamicRef": "#nowhere"}]}, "nothing is ever fetched"),
        ({"items": {"not": {"$ref": "file:///etc/passwd"}}}, "nothing is ever fetched"),
    ],
)
def test_refused(schema: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        schema_validation.check(schema)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"pattern": ENDLESS}, LONG),
        ({"patternProperties": {ENDLESS: {}}}, {LONG: 1}),
        ({"additionalProperties": False, "patternProperties": {ENDLESS: True}}, {LONG: 1}),
    ],
)
def test_a_pattern_has_a_time_limit(schema: dict[str, Any], value: Any) -> None:
    with pytest.raises(GraderError, match="regex timeout"):
        schema_validation.faults(value, schema)


def test_properties_by_pattern_and_the_others() -> None:
    schema: dict[str, Any] = {
        "properties": {"id": {}},
        "patternProperties": {"^n_": {"type": "integer"}},
        "additionalProperties": False,
    }
    assert schema_validation.faults({"id": "x", "n_1": 1}, schema) == []
    assert "at $.n_1" in schema_validation.faults({"n_1": "1"}, schema)[0]
    assert "'other'" in schema_validation.faults({"other": 1}, schema)[0]
    typed = {**schema, "additionalProperties": {"type": "string"}}
    assert schema_validation.faults({"other": "x"}, typed) == []
    assert "at $.other" in schema_validation.faults({"other": 1}, typed)[0]


def test_nested_identifiers_are_resolved() -> None:
    schema: dict[str, Any] = {
        "$id": "https://example.org/top",
        "$defs": {"part": {"$id": "part", "type": "integer"}},
        "items": {"$ref": "part"},
    }
    assert schema_validation.faults([1], schema) == []
    assert schema_validation.faults(["1"], schema)


def test_a_schema_without_end_is_an_error() -> None:
    with pytest.raises(GraderError, match="nested without end"):
        schema_validation.faults(1, {"$ref": "#"})


def test_at_most_twenty_faults() -> None:
    assert len(schema_validation.faults(list("a" * 50), {"items": {"type": "integer"}})) == 20
