from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings

from probare.encoding import jsonbytes
from probare.encoding.jsonbytes import DuplicateKey, NotFinite
from probare.testing import strategies


@settings(max_examples=60, deadline=None)
@given(strategies.json_values())
def test_what_is_encoded_is_read_back(value: Any) -> None:
    for encoded in (jsonbytes.encode(value), jsonbytes.encode_sorted(value)):
        assert b"\n" not in encoded
        assert jsonbytes.decode_strict(encoded) == value


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_what_json_has_no_word_for_is_null(number: float) -> None:
    assert jsonbytes.encode({"a": [number, 1]}) == b'{"a":[null,1]}'


@pytest.mark.parametrize("encode", [jsonbytes.encode, jsonbytes.encode_sorted])
def test_lone_surrogates_are_kept_as_escapes(encode: Any) -> None:
    """An agent's odd answer is recorded, not lost."""
    encoded = encode({"t\udfff": ["a\ud800b", ("é", 1, None)]})
    assert json.loads(encoded) == {"t\\udfff": ["a\\ud800b", ["é", 1, None]]}


class Pair(msgspec.Struct):
    text: str
    more: Any = msgspec.UNSET


def test_structs_with_lone_surrogates() -> None:
    assert json.loads(jsonbytes.encode(Pair("\ud800"))) == {"text": "\\ud800"}


def test_line_feeds_inside_texts_stay_inside() -> None:
    assert jsonbytes.encode("a\nb\u2028c\r") == '"a\\nb\u2028c\\r"'.encode()


def test_the_sorted_form_does_not_depend_on_the_order_of_keys() -> None:
    assert jsonbytes.encode_sorted({"b": {"y": 1, "x": 2}, "a": 0}) == (
        b'{"a":0,"b":{"x":2,"y":1}}'
    )


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ('{"a": 1, "b": 2, "a": 1}', DuplicateKey, "duplicate key 'a'"),
        ('[{"x": {"k": 1, "k": 2}}]', DuplicateKey, "duplicate key 'k'"),
        ("NaN", NotFinite, "NaN is not JSON"),
        ('{"a": -Infinity}', NotFinite, "-Infinity is not JSON"),
        ("[Infinity]", NotFinite, "Infinity is not JSON"),
        ("", ValueError, "Expecting value"),
        ("{} {}", ValueError, "Extra data"),
        ("{'a': 1}", ValueError, "property name"),
        ("[1,]", ValueError, "Expecting value|trailing comma"),
        ("True", ValueError, "Expecting value"),
        (b'"\xff"', ValueError, "can't decode"),
    ],
)
def test_strict_decoding_refuses(text: str | bytes, kind: type[ValueError], message: str) -> None:
    with pytest.raises(kind, match=message):
        jsonbytes.decode_strict(text)


def test_too_deep_a_text_is_refused() -> None:
    with pytest.raises(RecursionError):
        jsonbytes.decode_strict("[" * 100_000)


def test_a_duplicate_is_told_by_its_key() -> None:
    with pytest.raises(DuplicateKey) as caught:
        jsonbytes.decode_strict('{"one": 1, "one": 2}')
    assert caught.value.key == "one"


def test_a_byte_order_mark_is_read_over() -> None:
    assert jsonbytes.decode_strict(b'\xef\xbb\xbf{"a": 1}') == {"a": 1}


def test_types_are_kept() -> None:
    assert [type(v) for v in jsonbytes.decode_strict("[1, 1.0, true, 1e3]")] == [
        int,
        float,
        bool,
        float,
    ]
