from __future__ import annotations

from typing import Any

import pytest


def test_a_case_in_full(folder: Any) -> None:
    folder.write("fixtures/one/x.txt", "")
    folder.suite("suite: s\ncases: [one.yaml]\n").write(
        "one.yaml",
        "id: a\ndescription: d\ncategory: c\ntags: [t, u, t]\nsplit: carried_over\n"
        "input: {x: [1, null]}\nreference: right\ncluster: k\nreview: always\ntrials: 3\n"
        "timeout: 500ms\nisolation: process\nworkspace: fixtures/one\n"
        "planted: {name: Avery}\nexpect: [contains: x]\nforbid: [is_json]\n",
    )
    (case,) = folder.load().suite.cases
    assert (case.id, case.description, case.category, case.cluster) == ("a", "d", "c", "k")
    assert case.tags == ("t", "u")
    assert (case.split, case.review, case.isolation) == ("carried_over", "always", "process")
    assert (case.input, case.reference) == ({"x": [1, None]}, "right")
    assert (case.trials, case.timeout) == (3, 0.5)
    assert (case.workspace, case.planted) == ("fixtures/one", {"name": "Avery"})
    assert [check.grader for check in case.expect + case.forbid] == ["contains", "is_json"]


def test_defaults_come_first_and_cases_overrule_them(folder: Any) -> None:
    folder.suite(
        "suite: s\n"
        "defaults:\n"
        "  expect: [is_json]\n  forbid: [contains: z]\n  tags: [t]\n  category: c\n"
        "  split: carried_over\n  review: never\n  trials: 4\n  timeout: 2m\n"
        "  isolation: thread\n  cluster: k\n  planted: {a: one, b: two}\n"
        "cases:\n"
        "  - {id: plain}\n"
        "  - {id: own, expect: [contains: x], forbid: [contains: y], tags: [t, u], category: d,"
        " split: held_out, review: flagged, trials: 1, timeout: 1, isolation: none,"
        " planted: {b: three}}\n"
    )
    plain, own = folder.load().suite.cases
    assert (plain.tags, plain.category, plain.split) == (("t",), "c", "carried_over")
    assert (plain.review, plain.trials, plain.timeout) == ("never", 4, 120.0)
    assert (plain.isolation, plain.cluster) == ("thread", "k")
    assert plain.planted == {"a": "one", "b": "two"}
    assert [check.grader for check in own.expect] == ["is_json", "contains"]
    assert [check.args["text"] for check in own.forbid] == ["z", "y"]
    assert (own.tags, own.category, own.split) == (("t", "u"), "d", "held_out")
    assert (own.review, own.trials, own.timeout) == ("flagged", 1, 1.0)
    assert (own.isolation, own.planted) == ("none", {"a": "one", "b": "three"})


@pytest.mark.parametrize(
    ("case", "fault"),
    [
        ("{}", "key 'id' is missing"),
        ("{id: 7}", 'should be a text, is 7 (for a text, write it in quotes: "7")'),
        ("{id: ''}", "should not be empty"),
        ('{id: " a"}', "an id should be printable, without spaces around it, is ' a'"),
        ('{id: "a\\nb"}', "an id should be printable"),
        ('{id: "a\\e[2J"}', "an id should be printable"),
        ("{id: a, inputs: 1}", "unknown key 'inputs' (did you mean 'input'?)"),
        ("{id: a, asserts: []}", "unknown key 'asserts'"),
        ("{id: a, tags: x}", "should be a list (a text each), is the text 'x'"),
        ("{id: a, split: heldout}", "did you mean 'held_out'?"),
        ("{id: a, review: sometimes}", "should be one of always, flagged, never"),
        ("{id: a, trials: 0}", "should be at least 1, is 0"),
        ("{id: a, trials: 1.5}", "should be a whole number, is 1.5"),
        ("{id: a, timeout: soon}", "'soon' is no duration"),
        ("{id: a, timeout: 0}", "a duration should be above zero, is 0"),
        ("{id: a, isolation: vm}", "should be one of none, process, thread"),
        ("{id: a, workspace: nowhere}", "workspace 'nowhere' does not exist beside the suite"),
        ("{id: a, workspace: suite.yaml}", "workspace 'suite.yaml' is not a folder"),
        ("{id: a, planted: [x]}", "should be a mapping, is a list"),
        ("{id: a, planted: {n: ''}}", "should not be empty"),
        ("{id: a, expect: {contains: x}}", "should be a list, is a mapping"),
        ("7", "a case should be a mapping, is 7"),
        ("null", "a case should be a mapping, is null"),
    ],
)
def test_what_is_wrong_is_said(folder: Any, case: str, fault: str) -> None:
    folder.suite(f"suite: s\ncases:\n  - {case}\n")
    (found,) = folder.faults()
    assert found.startswith("suite.yaml:3:")
    assert "cases[0]" in found
    assert fault in found


def test_all_faults_of_a_case_are_told(folder: Any) -> None:
    folder.suite(
        "suite: s\ndefaults: {trails: 1, expect: [nope]}\n"
        "cases:\n  - {trials: 0, tagz: [], expect: [contain: x, 5, contains: 5],"
        " forbid: [regex: '(']}\n"
    )
    assert len(folder.faults()) == 9


def test_duplicate_ids_name_both_places(folder: Any) -> None:
    folder.suite("suite: s\ncases:\n  - id: a\n  - id: b\n  - id: a\n")
    assert folder.faults() == [
        "suite.yaml:5:9: cases[2].id: duplicate id 'a' (first at suite.yaml:3:9: cases[0].id)"
    ]


def test_strings_of_inputs_are_never_placeholders(folder: Any) -> None:
    folder.suite("suite: s\ncases: [{id: a, input: {x: $input.y, z: '$${A}'}}]\n")
    assert folder.load().suite.cases[0].input == {"x": "$input.y", "z": "$${A}"}
