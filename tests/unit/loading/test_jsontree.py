from __future__ import annotations

import json
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probare.loading import jsontree
from probare.loading.faultlist import Faults


def read(text: str) -> tuple[Any, list[str]]:
    faults = Faults()
    value, _ = jsontree.parse(text, "f.json", faults)
    return value, [str(fault) for fault in faults]


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ('{\n "a": 1,\n "a": 2}', ["f.json:3:2: a: duplicate key 'a' (first on line 2)"]),
        ('{"x": [NaN]}', ["f.json:1:8: x[0]: NaN is not JSON"]),
        ('{"x": -Infinity}', ["f.json:1:7: x: -Infinity is not JSON"]),
        ("[1e999]", ["f.json:1:2: [0]: is a number beyond all bounds: 1e999"]),
        (
            "[18446744073709551616]",
            ["f.json:1:2: [0]: is a whole number beyond 64 bits: 18446744073709551616"],
        ),
        ('{"a": 1,}', ["f.json:1:"]),  # the column differs between Pythons
        ("{'a': 1}", ["f.json:1:2: is not JSON: "]),
        ("", ["f.json:1:1: is not JSON: expecting value (the file is empty)"]),
        ('{"a": 1} x', ["f.json:1:10: is not JSON: extra data"]),
        ("// x\n{}", ["f.json:1:1: is not JSON: expecting value (JSON has no comments)"]),
    ],
)
def test_what_is_not_strict_json(text: str, faults: list[str]) -> None:
    value, found = read(text)
    assert value is None
    assert len(found) == len(faults)
    assert all(f.startswith(wanted) for f, wanted in zip(found, faults, strict=True)), found


def test_all_refused_values_are_told_at_once() -> None:
    _, faults = read('{"a": NaN, "b": {"c": 1, "c": 2}, "d": [1e400]}')
    assert [fault.split(": ")[1] for fault in faults] == ["a", "b.c", "d[0]"]


@pytest.mark.parametrize("depth", [101, 2000, 200_000])
def test_a_deep_nest_is_refused(depth: int) -> None:
    _, faults = read("[" * depth + "]" * depth)
    assert faults == ["f.json:1: is nested more than 100 levels deep"]


def test_brackets_in_texts_are_no_nest() -> None:
    assert read(json.dumps(["[{" * 200]))[1] == []


def test_places_inside_a_document() -> None:
    _, document = jsontree.parse('{\n  "a": [10,\n    {"b c": "x"}]\n}', "f.json", Faults())
    assert str(document.place(("a", 1, "b c"))) == "f.json:3:13: a[1]['b c']"
    assert str(document.place(("a", 1, "b c"), key=True)) == "f.json:3:6: a[1]['b c']"
    assert str(document.place(("a", 1, "missing"))) == "f.json:3:5: a[1].missing"


JSON_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=15,
)


@given(JSON_VALUES, st.sampled_from([None, 1, 4]))
@settings(max_examples=100, deadline=None)
def test_every_value_is_found_where_it_stands(value: Any, indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    found, document = jsontree.parse(text, "f.json", Faults())
    assert found == value
    lines = text.split("\n")

    def visit(inner: Any, steps: tuple[str | int, ...]) -> None:
        place = document.place(steps)
        assert place.line is not None
        assert place.column is not None
        rest = "\n".join([lines[place.line - 1][place.column - 1 :], *lines[place.line :]])
        assert json.JSONDecoder().raw_decode(rest)[0] == inner
        if isinstance(inner, list):
            for index, item in enumerate(cast("list[Any]", inner)):
                visit(item, (*steps, index))
        elif isinstance(inner, dict):
            for key, item in cast("dict[str, Any]", inner).items():
                visit(item, (*steps, key))

    visit(value, ())


@given(st.text(max_size=60) | st.text('[]{}":,0123eE-+.NaInfty \n\\', max_size=40))
@settings(max_examples=300, deadline=None)
def test_no_text_crashes(text: str) -> None:
    value, faults = read(text)
    assert faults or json.dumps(value)
