"""Templates of prompts."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probare.errors import InfraError
from probare.targets.modelprompt import fill, missing, parse

KNOWN: dict[str, Any] = {
    "input": {"q": "why {{ input.n }}?", "n": 5, "xs": [{"a": None}], "$dollar": "x"},
    "case": "c1",
    "trial": 2,
    "seed": 7,
    "config": {"who": "kind"},
}


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("plain", "plain"),
        ("", ""),
        ("{{ input.q }}", "why {{ input.n }}?"),
        ("a {{input.n}} b {{  case }}", "a 5 b c1"),
        ("{{ $input.n }}", "5"),
        ("{{ input.xs[0] }}", '{"a":null}'),
        ("{{ input.xs[-1].a }}", "null"),
        ("{{ config.who }}/{{ trial }}/{{ seed }}", "kind/2/7"),
        (r"\{{ input.q }}", "{{ input.q }}"),
        (r"\{{", "{{"),
        (r"\{{ {{ input.n }} }}", "{{ 5 }}"),
        ('{"a": {"b": 1}}', '{"a": {"b": 1}}'),
        ("$input.n", "5"),
        (" $input.n\n", "5"),
        ("$$input.n", "$input.n"),
        ("costs $5", "costs $5"),
        ("for $input.n only", "for $input.n only"),
        ("}} {", "}} {"),
    ],
)
def test_holes_are_filled_once(text: str, filled: str) -> None:
    assert fill(parse(text), KNOWN) == filled


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{{ input.q | upper }}", "names nothing that a prompt may hold"),
        ("{{ 1 + 1 }}", "names nothing"),
        ("{{}}", "names nothing"),
        ("{% for x in input %}{{ x() }}", "names nothing"),
        ("{{ input.q", "'{{' is not closed"),
        ("{{ input.q }", "'{{' is not closed"),
        ("{{ inptu.q }}", "did you mean 'input'"),
        ("{{ reference }}", "'reference' does not exist in a prompt"),
        ("$output.x", "'output.x' does not exist in a prompt"),
    ],
)
def test_what_names_nothing_is_refused(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        parse(text)
    assert told in str(caught.value)


def test_what_a_case_lacks_is_told_before_and_is_no_answer_after() -> None:
    template = parse("{{ input.q }} {{ input.lang }} {{ config.tone }}")
    (line,) = missing(template, "input", KNOWN["input"])
    assert line.startswith("{{ input.lang }} does not exist: $input has no key 'lang'")
    assert len(list(missing(template, "config", KNOWN["config"]))) == 1
    with pytest.raises(InfraError, match=r"the prompt cannot be made: .*lang") as caught:
        fill(template, KNOWN)
    assert not caught.value.retryable


@settings(max_examples=100, deadline=None)
@given(st.text(), st.text(alphabet="ab{}\\ $.", max_size=30))
def test_data_goes_in_as_it_is_whatever_it_holds(data: str, around: str) -> None:
    try:
        template = parse(f"<{around}>{{{{ input }}}}")
    except ValueError:
        return
    filled = fill(template, {"input": data})
    assert filled.endswith(data)
    assert fill(template, {"input": ""}) + data == filled
