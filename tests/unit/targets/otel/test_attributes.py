from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from probare.targets.otel.attributes import (
    amount,
    count,
    first,
    items,
    json_of,
    listed,
    structured,
    text,
)


@pytest.mark.parametrize(
    ("value", "want"),
    [
        ('{"a": 1}', {"a": 1}),
        ({"a": 1}, {"a": 1}),
        ('{"a": "cut of', UNSET),
        (None, UNSET),
        (UNSET, UNSET),
        ("null", None),
        ("[NaN]", UNSET),
    ],
)
def test_json_of_reads_text_and_tells_what_is_torn(value: Any, want: Any) -> None:
    assert json_of(value) == want


@pytest.mark.parametrize(
    ("value", "want"),
    [("[1]", [1]), (" {}", {}), ("21", "21"), ("true", "true"), ("{torn", "{torn"), (4, 4)],
)
def test_only_objects_and_arrays_are_read_out_of_texts(value: Any, want: Any) -> None:
    assert structured(value) == want


def test_the_first_there_is() -> None:
    attributes = {"a": None, "b": "", "c": "x", "n": True, "m": -1, "k": 7, "f": 0.5}
    assert first(attributes, "a", "b") == ""
    assert first(attributes, "z") is UNSET
    assert text(attributes, "a", "b", "c") == "x"
    assert count(attributes, "n", "m", "k") == 7
    assert count(attributes, "f") is None
    assert amount(attributes, "n", "m", "f") == 0.5


def test_flattened_items_stand_in_the_order_of_their_numbers() -> None:
    attributes = {
        "m.10.message.role": "assistant",
        "m.2.message.role": "user",
        "m.2.message.calls.1.name": "b",
        "m.2.message.calls.0.name": "a",
        "m.x.message.role": "no number",
        "other.0": "no",
    }
    found = items(attributes, "m")
    assert [item["message"]["role"] for item in found] == ["user", "assistant"]
    assert [call["name"] for call in listed(found[0]["message"]["calls"])] == ["a", "b"]


@settings(max_examples=50)
@given(st.dictionaries(st.text("m.01x-²٣", max_size=12), st.integers() | st.text(max_size=3)))
def test_any_keys_can_be_read(attributes: dict[str, Any]) -> None:
    assert isinstance(items(attributes, "m"), list)
