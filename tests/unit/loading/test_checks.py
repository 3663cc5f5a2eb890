from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from probare.model.case import Check

Checked = Callable[[str], list[str]]


def only(faults: list[str]) -> str:
    assert len(faults) == 1, faults
    return faults[0]


@pytest.mark.parametrize(
    ("written", "check"),
    [
        ("contains: x", Check(grader="contains", args={"text": "x"})),
        (
            "contains: {text: x, ignore_case: false}",
            Check(grader="contains", args={"text": "x", "ignore_case": False}),
        ),
        ("contains_any: [a, b]", Check(grader="contains_any", args={"texts": ["a", "b"]})),
        ("is_json", Check(grader="is_json")),
        ("is_json:", Check(grader="is_json")),
        ("is_json: {}", Check(grader="is_json")),
        ("equals:", Check(grader="equals", args={"value": None})),
        ("equals: {value: {a: 1}}", Check(grader="equals", args={"value": {"a": 1}})),
        ("equals: no", Check(grader="equals", args={"value": "no"})),
        ("word_count: {min: 1}", Check(grader="word_count", args={"min": 1})),
        ("language: en", Check(grader="language", args={"expected": "en"})),
        ("language: [en, id]", Check(grader="language", args={"expected": ["en", "id"]})),
        ("identical_traces", Check(grader="identical_traces")),
        (
            (
                "{contains: x, label: l, in: $output.a, transform: json, weight: 2, required: "
                "false, threshold: 0.5}"
            ),
            Check(
                grader="contains",
                args={"text": "x"},
                label="l",
                look_in="$output.a",
                transform="json",
                weight=2.0,
                required=False,
                threshold=0.5,
            ),
        ),
        (
            "contains: {text: x, label: l, in: $output.a, weight: 2, required: false}",
            Check(
                grader="contains",
                args={"text": "x"},
                label="l",
                look_in="$output.a",
                weight=2.0,
                required=False,
            ),
        ),
        ("is_json: {label: l}", Check(grader="is_json", label="l")),
        (
            "open_ended: {function: f, strict: true, label: l}",
            Check(grader="open_ended", args={"function": "f", "strict": True}, label="l"),
        ),
        ("not: is_json", Check(grader="not", checks=(Check(grader="is_json"),))),
        ("not: [is_json]", Check(grader="not", checks=(Check(grader="is_json"),))),
        (
            "{any_of: [is_json, {contains: x}], in: $text}",
            Check(
                grader="any_of",
                look_in="$text",
                checks=(Check(grader="is_json"), Check(grader="contains", args={"text": "x"})),
            ),
        ),
    ],
)
def test_what_is_written_becomes_a_check(folder: Any, written: str, check: Check) -> None:
    folder.suite(f"suite: s\ncases:\n  - id: a\n    expect:\n      - {written}\n")
    (read,) = folder.load().suite.cases[0].expect
    assert read == check


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("contain_any: [a]", "unknown grader 'contain_any' (did you mean 'contains_any'?)"),
        ("{contains: x, requird: false}", "unknown key 'requird' (did you mean 'required'?)"),
        ("not_contains: x", "write contains under forbid, or as not: {contains: …}"),
        ("'contains: x'", "write it without quotes around the whole"),
        ("isjson", "unknown grader 'isjson' (did you mean 'is_json'?)"),
        ("{contains: x, ignore_case: false}", "it is an argument of contains"),
        ("{contains: x, regex: y}", "one check names contains and regex"),
        ("label: x", "the check names no grader"),
        ("5", "a check should be a grader's name or a mapping, is 5"),
        ("is_json: true", "is_json takes no argument without a name"),
        ("contains: 5", 'text should be a text, is 5 (for a text, write it in quotes: "5")'),
        ("contains:", "argument 'text' is missing"),
        ("contains_any: x", "texts should be a list (a text each), is the text 'x'"),
        ("contains_any: []", "texts should have at least 1 item, has 0"),
        ("similar: x", "argument 'at_least' is missing"),
        ("similar: {to: $text, at_least: 3}", "at_least should be at most 1, is 3"),
        ("word_count: {min: 1, mx: 3}", "unknown argument 'mx' (did you mean 'max'?)"),
        ("regex: '('", "'(' is no pattern"),
        ("tool_called: {name: a, order: frst}", "did you mean 'first'?"),
        ("{contains: x, in: text}", "did you mean '$text'?"),
        ("{max_latency: 5, in: $text}", "max_latency looks at the whole trial: no in"),
        ("{max_latency: 5, transform: json}", "max_latency looks at the whole trial: no transf"),
        ("{contains: x, transform: jsn}", "unknown transform 'jsn' (did you mean 'json'?)"),
        ("{contains: x, transform: 'a b:c'}", "unknown transform 'a b:c'"),
        ("{contains: x, weight: 0}", "should be more than 0, is 0"),
        ("{contains: x, weight: -1}", "should be more than 0, is -1"),
        ("{contains: x, weight: .nan}", "should be a number, is the text '.nan'"),
        ("{contains: x, threshold: 1.5}", "should be at most 1, is 1.5"),
        ("{contains: x, required: yes}", "write true or false, without quotes"),
        ("contains: {text: x, weight: 0}", "expect[0].contains.weight: should be more than 0"),
        ("contains: {text: x, in: text}", "expect[0].contains.in: in should be a placeholder"),
        (
            "max_latency: {limit: 5, in: $text}",
            "expect[0].max_latency.in: max_latency looks at the whole trial",
        ),
        ("{contains: {text: x, label: a}, label: b}", "label stands beside contains and inside"),
        ("contains: {text: x, lable: a}", "unknown argument 'lable' (did you mean 'label'?)"),
        ("open_ended: {kwargs: 5, function: f}", "kwargs should be a mapping, is 5"),
        ("open_ended: {kwargs: {a: 1}, a: 2, function: f}", "given beside `kwargs` and inside it"),
        ("not: []", "not takes exactly one check, has 0"),
        ("not: [is_json, is_json]", "not takes exactly one check, has 2"),
        ("not:", "not takes a check"),
        ("any_of: {contains: x}", "any_of takes a list of checks, has a mapping"),
        ("all_of: []", "all_of has no checks"),
        ("not: identical_traces", "cannot stand inside another check"),
        ("{not: {contains: x}, threshold: 0.5}", "not takes no threshold"),
        ("{any_of: [is_json], transform: json}", "any_of takes no transform"),
        ("not: {contains: x, weight: 2}", "weight belongs to the whole check"),
        ("all_of: [{contains: x, required: false}]", "required belongs to the whole check"),
    ],
)
def test_what_is_wrong_is_said(checked: Checked, written: str, said: str) -> None:
    assert said in only(checked(written))


def test_all_faults_of_a_check_are_told(checked: Checked) -> None:
    faults = checked("{contain_any: [x], requird: false}")
    assert [f.split(": unknown ")[1] for f in faults] == [
        "grader 'contain_any' (did you mean 'contains_any'?)",
        "key 'requird' (did you mean 'required'?)",
    ]


def test_each_of_two_equal_checks_is_told(folder: Any) -> None:
    check = "{contains: x, requird: false}"
    folder.suite(f"suite: s\ncases:\n  - id: a\n    expect:\n      - {check}\n      - {check}\n")
    assert [fault.split(": ")[1] for fault in folder.faults()] == [
        "cases[0].expect[0].requird",
        "cases[0].expect[1].requird",
    ]


def test_a_mapping_is_always_arguments(checked: Checked) -> None:
    faults = checked("equals: {a: 1}")
    assert any("write equals: {value: {…}}" in fault for fault in faults)
    assert any("unknown argument 'a'" in fault for fault in faults)


def test_faults_inside_combinators_have_their_own_place(checked: Checked) -> None:
    faults = checked("all_of: [is_json, {contains: 5}, {nope: 1}]")
    assert faults[0].startswith("suite.yaml:6:38: cases[0].expect[0].all_of[1].contains: ")
    assert faults[1].startswith("suite.yaml:6:43: cases[0].expect[0].all_of[2].nope: ")


def test_checks_nest_only_so_far(checked: Checked) -> None:
    deep = "not: {" * 25 + "contains: x" + "}" * 25
    assert "nested more than 20 deep" in only(checked(deep))


def test_equal_checks_are_one_object(folder: Any) -> None:
    folder.suite(
        "suite: s\ndefaults: {forbid: [{contains: z}]}\ncases:\n"
        "  - {id: a, expect: [{contains: x}]}\n  - {id: b, expect: [{contains: x}]}\n"
    )
    first, second = folder.load().suite.cases
    assert first.expect[0] is second.expect[0]
    assert first.forbid is second.forbid
