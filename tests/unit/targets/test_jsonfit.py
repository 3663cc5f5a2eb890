"""Whether JSON fits a schema."""

from __future__ import annotations

from typing import Any

import pytest

from probare.targets.jsonfit import misfits, schema_fault

CITY: dict[str, Any] = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
    "required": ["city"],
    "additionalProperties": False,
}


def test_a_value_that_fits_has_no_misfits() -> None:
    assert misfits({"city": "Oslo", "days": 2}, CITY) == []


def test_each_misfit_is_named_with_its_path() -> None:
    found = misfits({"days": "2", "x": 1}, CITY)
    assert len(found) == 3
    assert any(line.startswith("at $.days: '2' is not of type 'integer'") for line in found)


def test_at_most_five_are_named_and_long_ones_cut() -> None:
    found = misfits([{"a": "x" * 500}] * 9, {"items": {"type": "string"}})
    assert len(found) == 5
    assert all(len(line) < 200 for line in found)


def test_nothing_is_fetched() -> None:
    (line,) = misfits({}, {"$ref": "http://127.0.0.1:9/schema.json"})
    assert "cannot be held against the schema" in line


@pytest.mark.parametrize("schema", [{"type": "strin"}, {"type": 5}, {"required": "city"}])
def test_what_is_no_schema_is_told(schema: dict[str, Any]) -> None:
    assert schema_fault(schema).startswith("is no JSON Schema: at $")
    assert schema_fault(CITY) == ""
