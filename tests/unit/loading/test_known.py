from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Checked = Callable[[str], list[str]]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("contains: $input.y", "$input.y does not exist: $input has no key 'y'"),
        ("contains: $input.x[0]", "$input.x is not a list"),
        ("contains: $reference", "the case has no reference"),
        ("contains: $input.n", "with this case's values: text should be a text, is 5"),
        ("regex: {pattern: $input.x, flags: $input.q}", "$input has no key 'q'"),
        ("contains_any: [a, $input.z]", "$input has no key 'z'"),
        ("{contains: a, in: $input.z}", "$input has no key 'z'"),
        ("contains: {text: a, in: $input.z}", "contains.in: $input.z does not exist"),
        ("contains: {text: a, in: $text.z}", "contains.in: $text.z: $text is a text"),
        ("open_ended: {function: f, a: $input.z}", "open_ended.a: $input.z does not exist"),
        ("all_of: [{contains: $input.q}]", "all_of[0].contains: $input.q does not exist"),
        ("not: {contains: $input.q}", "not.contains: $input.q does not exist"),
        ("contains: $text.x", "$text is a text, which has no parts"),
        ("contains: $events.name", "one item is $events[0]"),
        ("equals: $usage.input_tokns", "did you mean 'input_tokens'?"),
        ("{contains: a, in: $artifacts.x}", "$artifacts is a list"),
    ],
)
def test_what_cannot_exist_is_a_fault(checked: Checked, written: str, said: str) -> None:
    (fault,) = checked(written)
    assert said in fault


@pytest.mark.parametrize(
    "written",
    [
        "contains: $input.x",
        "contains: $$input.y",
        "contains: $5",
        "contains: costs $input.y",
        "contains: $anything.of.the_output",
        "equals: $recorded.reward",
        "equals: $usage.input_tokens",
        "equals: $events[0].name",
    ],
)
def test_what_may_exist_is_none(checked: Checked, written: str) -> None:
    assert checked(written) == []


def test_a_nearly_known_root_is_warned_of(folder: Any) -> None:
    folder.suite("suite: s\ncases: [{id: a, expect: [{contains: $refrence}]}]\n")
    (warning,) = folder.load().warnings
    assert "$refrence is read as a key of the output (did you mean 'reference'?)" in warning


def test_a_default_check_fails_once_a_case_at_its_own_place(folder: Any) -> None:
    folder.suite(
        "suite: s\ndefaults:\n  expect:\n    - language: $input.lang\n"
        "cases:\n  - {id: a, input: {lang: en}}\n  - {id: b, input: {}}\n  - {id: c, input: hi}\n"
    )
    assert folder.faults() == [
        (
            "suite.yaml:4:17: defaults.expect[0].language: case 'b': $input.lang does not exist: "
            "$input has no key 'lang'"
        ),
        (
            "suite.yaml:4:17: defaults.expect[0].language: case 'c': $input.lang does not exist: "
            "$input has no parts, so no 'lang'"
        ),
    ]


def test_a_default_check_that_fails_everywhere_is_summed_up(folder: Any) -> None:
    cases = "".join(f"  - {{id: c{n}, input: {{}}}}\n" for n in range(40))
    folder.suite(f"suite: s\ndefaults: {{expect: [contains: $input.x]}}\ncases:\n{cases}")
    faults = folder.faults()
    assert len(faults) == 6
    assert "and so for 35 more cases" in faults[-1]


def test_a_reference_may_be_null_and_a_zero_is_a_value(folder: Any) -> None:
    folder.suite(
        "suite: s\ncases:\n  - {id: a, reference: null, input: {n: 0},"
        " expect: [{equals: $reference}, {equals: $input.n}]}\n"
    )
    assert folder.load().suite.cases[0].reference is None
