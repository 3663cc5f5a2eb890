from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probare.loading import yamltree
from probare.loading.faultlist import Faults

JSON_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=12),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=6), inner, max_size=4
        )
    ),
    max_leaves=12,
)


def read(text: str) -> tuple[Any, list[str]]:
    faults = Faults()
    value, _ = yamltree.parse(text, "f.yaml", faults)
    return value, [str(fault) for fault in faults]


@pytest.mark.parametrize(
    ("scalar", "value"),
    [
        # B91: the Norway problem, and its relatives
        ("no", "no"),
        ("NO", "NO"),
        ("yes", "yes"),
        ("on", "on"),
        ("010", "010"),
        ("0x1F", "0x1F"),
        ("0o7", "0o7"),
        ("1_000", "1_000"),
        ("12:30:00", "12:30:00"),
        ("2024-05-20", "2024-05-20"),
        ("~", "~"),
        ("Null", "Null"),
        ("True", "True"),
        (".5", ".5"),
        ("+1", "+1"),
        (".nan", ".nan"),
        (".inf", ".inf"),
        ("NaN", "NaN"),
        ("<<", "<<"),
        ("true", True),
        ("false", False),
        ("null", None),
        ("", None),
        ("0", 0),
        ("-0.5", -0.5),
        ("1e3", 1000.0),
        ("12", 12),
        ("'12'", "12"),
        ('"true"', "true"),
        ("''", ""),
    ],
)
def test_a_plain_scalar_is_what_json_would_read_else_a_text(scalar: str, value: Any) -> None:
    (found,), faults = read(f"- {scalar}\n")
    assert faults == []
    assert found == value
    assert type(found) is type(value)


def test_keys_are_texts() -> None:
    assert read("no: 1\n12: 2\ntrue: 3\nnull: 4\n") == (
        {"no": 1, "12": 2, "true": 3, "null": 4},
        [],
    )


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("a: 1\nb: 2\na: 3\n", "f.yaml:3:1: a: duplicate key 'a' (first on line 1)"),
        ("x: {k: 1, k: 2}", "f.yaml:1:11: x.k: duplicate key 'k' (first on line 1)"),
        ("a: !!int 3", "f.yaml:1:4: a: tags are not read: !!int (leave the tag out)"),
        ("a: !new {}", "f.yaml:1:4: a: tags are not read: !new (leave the tag out)"),
        ("b: &b {x: 1}\na: {<<: *b}", "f.yaml:2:5: a: merge keys (<<) are not read"),
        ("!x a: 1", "f.yaml:1:1: a: tags are not read: !x"),
        ("? [a]\n: 1", "f.yaml:1:3: a key should be a text"),
        ("a: 1e999", "f.yaml:1:4: a: is a number beyond all bounds: 1e999"),
        ("a: 99999999999999999999", "f.yaml:1:4: a: is a whole number beyond 64 bits"),
        ("a: " + "9" * 5000, "f.yaml:1:4: a: is a number of too many digits"),
        ("a: &a [1, *a]", "f.yaml:1:4: a[1]: an alias inside the value that it names"),
        ("a: 1\n---\nb: 2\n", "f.yaml:2:1: is not YAML: a second document begins"),
        ("a:\n\t- b\n", "f.yaml:2:1: is not YAML: a tab stands where YAML wants spaces"),
        ("a: b: c", "f.yaml:1:5: is not YAML: mapping values are not allowed"),
        ("a: *b", "f.yaml:1:4: is not YAML: found undefined alias"),
        ("a: [1, 2", "f.yaml:"),
        ("a: \x07", "f.yaml:1:4: is not YAML: the character U+0007 may not stand in it"),
        ("é: 1\nüb: é\0x", "f.yaml:2:6: is not YAML: the character U+0000 may not stand in it"),
    ],
)
def test_what_may_not_stand_in_a_suite(text: str, fault: str) -> None:
    _, faults = read(text)
    assert len(faults) == 1, faults
    assert faults[0].startswith(fault)


def test_all_faults_are_told() -> None:
    _, faults = read("a: !x 1\nb: 1\nb: 2\nc: 1e999\n")
    assert [fault.split(":")[1] for fault in faults] == ["1", "3", "4"]


def test_aliases_share_small_values() -> None:
    assert read("a: &x [1, 2]\nb: *x\n") == ({"a": [1, 2], "b": [1, 2]}, [])


def test_a_billion_laughs_are_refused() -> None:
    text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 10)
    )
    _, faults = read(text)
    assert len(faults) == 1
    assert "aliases repeat more than 10000 values" in faults[0]


@pytest.mark.parametrize("depth", [150, 990, 5000, 100_000])
def test_a_deep_nest_is_refused(depth: int) -> None:
    _, faults = read("a: " + "[" * depth + "]" * depth)
    assert len(faults) == 1


def test_deep_block_sequences_are_refused() -> None:
    assert len(read("- " * 3000 + "x")[1]) == 1


@given(JSON_VALUES)
@settings(max_examples=150, deadline=None)
def test_json_is_read_as_json(value: Any) -> None:
    text = json.dumps(value, ensure_ascii=False)
    found, faults = read(text)
    if len(text.splitlines()[0]) < 900:  # YAML's limit for a key on one line
        assert faults == []
        assert json.dumps(found) == json.dumps(value)


@given(st.text(max_size=60) | st.text("a: -[]{}&*!|>'\"%#\n\t<?,", max_size=40))
@settings(max_examples=300, deadline=None)
def test_no_text_crashes(text: str) -> None:
    if any(0xD800 <= ord(character) <= 0xDFFF for character in text):
        return
    faults = Faults()
    value, document = yamltree.parse(text, "f.yaml", faults)
    document.place(("a", 0, "b"), key=True)
    assert len(faults) or json.dumps(value)
