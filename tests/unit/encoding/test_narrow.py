from __future__ import annotations

from typing import Any

import pytest

from probare.encoding.narrow import mapping, sequence


@pytest.mark.parametrize("value", [None, "ab", 1, True, [], [1], ("a",), {1, 2}, b"x"])
def test_what_is_no_object_is_an_empty_one(value: Any) -> None:
    assert mapping(value) == {}


@pytest.mark.parametrize("value", [None, "ab", 1, True, {}, {"a": 1}, {1, 2}, b"x"])
def test_what_is_no_array_is_an_empty_one(value: Any) -> None:
    assert sequence(value) == []


def test_objects_and_arrays_are_themselves() -> None:
    given, items = {"a": 1}, [1]
    assert mapping(given) is given
    assert sequence(items) is items
