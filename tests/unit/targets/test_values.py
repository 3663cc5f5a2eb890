import dataclasses
import enum
import json
import types
from collections import OrderedDict
from typing import Any, NamedTuple

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probare.errors import TargetError
from probare.model.event import Usage
from probare.targets.values import MARK, copied, safe, short_repr, to_json


@dataclasses.dataclass
class Point:
    x: int
    where: tuple[int, ...]


class Renamed(msgspec.Struct, rename="camel", tag="renamed"):
    first_name: Any
    absent: Any = msgspec.UNSET


class Colour(enum.Enum):
    RED = "red"


class Level(enum.IntEnum):
    HIGH = 3


class Modelled:
    def model_dump(self, mode: str) -> dict[str, str]:
        return {"mode": mode}


class Hostile:
    @property
    def __class__(self) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        raise RuntimeError("no class")

    def __repr__(self) -> str:
        raise RuntimeError("no repr")


class Shouting(str):
    def __str__(self) -> str:
        return self.upper()


class Pair(NamedTuple):
    a: int
    b: int


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("text", "text"),
        ("", ""),
        (0, 0),
        (False, False),
        (None, None),
        (1.5, 1.5),
        ((1, (2,)), [1, [2]]),
        (Pair(1, 2), [1, 2]),
        ({1: "a"}, {"1": "a"}),
        ({Colour.RED: Colour.RED}, {"red": "red"}),
        (OrderedDict([("b", 1)]), {"b": 1}),
        (types.MappingProxyType({"a": (1,)}), {"a": [1]}),
        (Point(1, (2, 3)), {"x": 1, "where": [2, 3]}),
        (Renamed([1]), {"type": "renamed", "firstName": [1]}),
        (Level.HIGH, 3),
        (Modelled(), {"mode": "json"}),
        (Shouting("quiet"), "quiet"),
        (2**70, 2**70),
    ],
)
def test_what_is_json_or_nearly_is_converted(value: Any, expected: Any) -> None:
    result = to_json(value)
    assert result == expected
    assert json.loads(json.dumps(result)) == result
    assert safe(value) == expected


def test_an_event_becomes_what_it_is_on_disk() -> None:
    assert to_json(Usage(input_tokens=3))["kind"] == "usage"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({1, 2}, "a set"),
        (b"x", "a bytes"),
        (float("nan"), "nan"),
        ([1, {"a": [float("inf")]}], "inf (at [1].a[0])"),
        ({"a": {"b": object()}}, "an object (at a.b)"),
        (Renamed({1}), "a set (at firstName)"),
        (Point, "a type"),
        ({True: 1}, "a mapping (key True)"),
        ({1: 1, "1": 2}, "two keys that are one in JSON"),
        ({"1": 1, 1: 2}, "two keys that are one in JSON"),
        ([10**5000], "an integer of 16610 bits (at [0])"),
        (iter([]), "a list_iterator"),
        (lambda: 1, "a function"),
    ],
)
def test_what_is_not_json_is_the_agents_fault(value: Any, said: str) -> None:
    with pytest.raises(TargetError) as caught:
        to_json(value)
    assert said in caught.value.message
    assert "not JSON" in caught.value.message


def test_an_object_that_hides_its_class_is_refused_too() -> None:
    with pytest.raises(TargetError, match="odd object"):
        to_json(Hostile())


def test_circles_and_depth_are_refused() -> None:
    circle: list[Any] = []
    circle.append(circle)
    with pytest.raises(TargetError, match="nested more than 200"):
        to_json(circle)
    assert json.dumps(safe(circle))


def test_safe_marks_the_part_that_is_not_json() -> None:
    assert safe({"a": [1, b"x"]}) == {"a": [1, {MARK: "bytes", "repr": "b'x'"}]}
    assert safe(float("nan")) == {MARK: "float", "repr": "nan"}
    assert safe(Hostile())["repr"] == "<repr raised RuntimeError>"


def test_a_repr_has_no_address_and_an_end() -> None:
    assert short_repr(object()) == "<object object>"
    assert len(short_repr("x" * 10_000)) == 500


@pytest.mark.parametrize("copy", [copied, to_json, safe])
def test_copies_share_nothing(copy: Any) -> None:
    inner = [1]
    value = {"a": inner, "b": (inner,)}
    result = copy(value)
    inner.append(2)
    assert result == {"a": [1], "b": [[1]]}


_leaves = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=True, allow_infinity=True),
    st.text(max_size=5),
    st.binary(max_size=3),
    st.complex_numbers(),
    st.sets(st.integers(), max_size=2),
    st.builds(object),
    st.datetimes(),
    st.decimals(),
)
_keys = st.one_of(st.text(max_size=3), st.integers(), st.none())
_anything = st.recursive(
    _leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.tuples(inner, inner),
        st.dictionaries(
            st.one_of(st.text(max_size=3), st.integers(), st.none()), inner, max_size=3
        ),
        st.builds(Renamed, inner),
        st.builds(Modelled),
    ),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(_anything)
def test_anything_becomes_json_or_a_target_error(value: Any) -> None:
    kept = safe(value)
    assert json.loads(json.dumps(kept, allow_nan=False)) == kept
    try:
        strict = to_json(value)
    except TargetError:
        assert MARK in json.dumps(kept)
    else:
        assert strict == kept
        assert json.loads(json.dumps(strict, allow_nan=False)) == strict
