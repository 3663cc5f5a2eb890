from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probare.errors import InfraError, InputError
from probare.targets import body

KNOWN: dict[str, Any] = {
    "input": {"text": "$config.tone", "items": [1, None], "n": 0},
    "case": "c1",
    "trial": 2,
    "seed": 7,
    "config": {"tone": "kind"},
    "model": None,
    "workspace": None,
}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def test_placeholders_keep_their_type_and_are_filled_once() -> None:
    template = {"$input": "$input.text", "a": ["$input.items[0]", "$seed"], "m": "$model", "k": 1}
    assert body.fill(template, KNOWN) == {
        "$input": "$config.tone",
        "a": [1, 7],
        "m": None,
        "k": 1,
    }


def test_any_other_dollar_is_text() -> None:
    template = ["$$input", "costs $5", "$5", "{{ $input }} {% if %} {#fff}", "pre $input"]
    assert body.fill(template, KNOWN) == ["$input", *template[1:]]


@given(JSON)
def test_inputs_are_data_whatever_they_hold(value: Any) -> None:
    assert body.fill({"input": "$input"}, {**KNOWN, "input": value}) == {"input": value}


def test_an_input_without_the_key_is_an_infrastructure_fault_not_tried_again() -> None:
    with pytest.raises(InfraError, match=r"\$input has no key 'txt'") as caught:
        body.fill({"q": "$input.txt"}, KNOWN)
    assert not caught.value.retryable


def test_placeholders_that_can_never_be_filled_are_refused() -> None:
    body.check({"a": ["$input.any.path", "$config.tone", "$$output"]}, {"tone": "kind"})
    with pytest.raises(InputError, match="did you mean 'input'"):
        body.check({"a": ["$inputs"]}, {})
    with pytest.raises(InputError, match="which does not exist"):
        body.check("$reference", {})
    with pytest.raises(InputError, match=r"\$config has no key 'tone'"):
        body.check("$config.tone", {"tome": 1})


def test_the_reference_is_never_told(tmp_path: Path) -> None:
    assert "reference" not in body.ROOTS


def test_the_runner_is_told_where_there_is_one() -> None:
    assert body.told({"input": None, "runner": None}) == {"input": None}
    assert body.told({"input": 1, "runner": "parser"}) == {"input": 1, "runner": "parser"}
    assert body.fill("$runner", {"runner": "parser"}) == "parser"
