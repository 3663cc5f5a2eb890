"""Whether an answer keeps to its schema."""

from __future__ import annotations

from typing import Any

import pytest

from probare.providers.structure import conforms, json_body

SCHEMA: dict[str, Any] = {"type": "object", "required": ["a"], "properties": {"a": {"enum": [1]}}}


@pytest.mark.parametrize(
    ("text", "keeps"),
    [
        ('{"a": 1}', True),
        (' {"a": 1, "b": 2}\n', True),
        ('{"a": 2}', False),
        ("{}", False),
        ('{"a": 1, "a": 1}', False),
        ('{"a": 1} {"a": 1}', False),
        ('```json\n{"a": 1}\n```', False),
        ("", False),
        ("[" * 100_000, False),
    ],
)
def test_one_json_value_that_keeps_to_the_schema(text: str, keeps: bool) -> None:
    assert conforms(text, SCHEMA) is keeps


def test_without_a_schema_nothing_is_kept_to() -> None:
    assert not conforms("{}", None)


def test_the_field_of_llama_servers() -> None:
    assert json_body(SCHEMA) == {"response_format": {"type": "json_object", "schema": SCHEMA}}
