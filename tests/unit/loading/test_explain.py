from __future__ import annotations

from datetime import date
from enum import Enum
from typing import Annotated, Any, Literal

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Meta

from probare.loading.explain import explain
from probare.loading.shapes import CaseShape, SuiteShape


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Inner(msgspec.Struct, forbid_unknown_fields=True):
    word: Literal["a", "b"]
    share: Annotated[float, Meta(ge=0, le=1)] = 0.5


class Outer(msgspec.Struct, forbid_unknown_fields=True):
    name: Annotated[str, Meta(min_length=1, max_length=5)]
    count: Annotated[int, Meta(ge=1)] = 1
    flag: bool = True
    inner: Inner | None = None
    tags: list[str] = []
    by_name: dict[str, Annotated[float, Meta(gt=0)]] = {}
    either: str | list[str] | None = None
    pair: tuple[int, str] | None = None
    code: Annotated[str, Meta(pattern="^[a-z]+$")] = "x"
    anything: Any = None
    when: date | None = None
    colour: Colour = Colour.RED


def told(value: Any, wanted: Any = Outer) -> list[str]:
    return [
        ".".join(map(str, finding.steps)) + ": " + finding.message
        for finding in explain(value, wanted)
    ]


@pytest.mark.parametrize(
    ("value", "findings"),
    [
        ({"name": "x"}, []),
        ({"name": "x", "inner": {"word": "a"}, "either": ["y"], "pair": [1, "z"]}, []),
        ({}, [": key 'name' is missing"]),
        ({"name": ""}, ["name: should not be empty"]),
        ({"name": "abcdef"}, ["name: is too long: the text 'abcdef'"]),
        ({"name": "x", "cout": 2}, ["cout: unknown key 'cout'"]),
        ({"name": 5}, ["name: should be a text, is 5"]),
        ({"name": "x", "count": 0}, ["count: should be at least 1, is 0"]),
        ({"name": "x", "count": True}, ["count: should be a whole number, is true"]),
        ({"name": "x", "count": 1.5}, ["count: should be a whole number, is 1.5"]),
        ({"name": "x", "flag": "yes"}, ["flag: should be true or false, is the text 'yes'"]),
        ({"name": "x", "inner": []}, ["inner: should be a mapping, is a list"]),
        ({"name": "x", "inner": {}}, ["inner: key 'word' is missing"]),
        (
            {"name": "x", "inner": {"word": "c"}},
            ["inner.word: should be one of a, b; is the text 'c'"],
        ),
        (
            {"name": "x", "inner": {"word": "a", "share": 2}},
            ["inner.share: should be at most 1, is 2"],
        ),
        (
            {"name": "x", "inner": {"word": "a", "share": float("nan")}},
            ["inner.share: should be a finite number, is nan"],
        ),
        ({"name": "x", "tags": "t"}, ["tags: should be a list (a text each), is the text 't'"]),
        (
            {"name": "x", "tags": ["t", 1, None]},
            [
                "tags.1: should be a text, is 1",
                "tags.2: should be a text, is null",
            ],
        ),
        ({"name": "x", "by_name": {"k": 0}}, ["by_name.k: should be more than 0, is 0"]),
        (
            {"name": "x", "either": 4},
            ["either: should be a text or a list (a text each), is 4"],
        ),
        ({"name": "x", "either": ["y", 4]}, ["either.1: should be a text, is 4"]),
        ({"name": "x", "pair": [1]}, ["pair: should have 2 items, has 1"]),
        ({"name": "x", "pair": ["1", "z"]}, ["pair.0: should be a whole number, is the text '1'"]),
        ({"name": "x", "code": "A1"}, ["code: should match ^[a-z]+$, is the text 'A1'"]),
        ({"name": "x", "when": "2024-05-20"}, []),
        ({"name": "x", "colour": "blue"}, []),
        ({"name": "x", "colour": "rd"}, ["colour: should be one of red, blue; is the text 'rd'"]),
        ({"name": "x", "when": "soon"}, ["when: Invalid RFC3339 encoded date"]),
        ([], [": should be a mapping, is a list"]),
        (None, [": should be a mapping, is null"]),
    ],
)
def test_mismatches_are_said(value: Any, findings: list[str]) -> None:
    assert told(value) == findings


def test_all_mismatches_are_told() -> None:
    value = {"nam": 1, "count": 0, "flag": 1, "inner": {"word": "c", "shar": 1}, "tags": [1]}
    assert len(told(value)) == 7


def test_hints_say_what_to_write() -> None:
    hints = {
        finding.steps[0]: finding.hint
        for finding in explain(
            {"name": 12, "flag": "no", "tags": "t", "cuont": 1, "inner": {"word": "A"}}, Outer
        )
    }
    assert hints["name"] == 'for a text, write it in quotes: "12"'
    assert hints["flag"] == "write true or false, without quotes"
    assert hints["tags"] == "for a list of one, write [t]"
    assert hints["cuont"] == "did you mean 'count'?"


def test_skipped_values_fit_anything() -> None:
    found = explain(
        {"name": "$x", "count": "$x", "tags": ["$x", 1]}, Outer, skip=lambda value: value == "$x"
    )
    assert [finding.steps for finding in found] == [("tags", 1)]


VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 3) | st.floats() | st.sampled_from(["", "a", "x9"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["name", "count", "inner", "word", "share", "tags", "either", "pair"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=10,
)
KEYS = st.sampled_from([*Outer.__struct_fields__, "other"])


@given(st.dictionaries(KEYS, VALUES, max_size=5).map(lambda d: {"name": "ok", **d}))
@settings(max_examples=300, deadline=None)
def test_a_value_has_findings_where_msgspec_refuses_it(value: Any) -> None:
    try:
        msgspec.convert(value, Outer)
    except msgspec.ValidationError:
        assert explain(value, Outer)
    else:
        nan = "nan" in repr(value) or "inf" in repr(value).replace("'inner'", "")
        assert nan or explain(value, Outer) == []


@given(
    st.sampled_from([CaseShape, SuiteShape]),
    st.dictionaries(st.text(min_size=1, max_size=8), st.integers(), max_size=5),
)
@settings(max_examples=100, deadline=None)
def test_every_unknown_key_is_told(shape: Any, extra: dict[str, int]) -> None:
    known = set(shape.__struct_encode_fields__)
    strange = {f"x{key}": item for key, item in extra.items() if f"x{key}" not in known}
    found = explain({shape.__struct_encode_fields__[0]: "n", **strange}, shape)
    assert {finding.steps for finding in found} == {(key,) for key in strange}
