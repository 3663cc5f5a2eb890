from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from probare.model.case import Check

SAMPLE = (Path(__file__).parent / "golden_set.json").read_text(encoding="utf-8")


def case_with(*assertions: Any, **keys: Any) -> str:
    return json.dumps({"cases": [{"id": "a", "assertions": assertions, **keys}]})


def loaded_case(folder: Any, text: str) -> Any:
    folder.write("golden.json", text)
    return folder.load("golden.json").suite.cases[0]


def test_the_sample_loads_unchanged(folder: Any) -> None:
    folder.write("help_guide.json", SAMPLE)
    loaded = folder.load("help_guide.json")
    assert loaded.suite.name == "help_guide"
    assert loaded.suite.target is None
    assert loaded.warnings == ()
    delta, button, orient = loaded.suite.cases
    assert (delta.id, delta.category, delta.split) == (
        "help_ex_guard_delta",
        "report_guard",
        "carried_over",
    )
    assert delta.input == {
        "state": {"analysis": "done", "goal": "monthly sales by region"},
        "report_ready": {"ready": False, "missing": ["delta"]},
        "history": [{"role": "user", "content": "what should I do now?"}],
        "message": "what should I do now?",
    }
    assert delta.expect == (
        Check(grader="language", args={"expected": "en"}),
        Check(grader="contains_any", args={"texts": ["compare", "delta"]}),
    )
    assert delta.forbid == (
        Check(
            grader="contains_any",
            args={"texts": ["generate the report", "create the report"]},
        ),
    )
    assert (button.split, button.review) == ("held_out", "flagged")
    assert button.input["message"] is None
    assert button.expect[0].args == {"expected": "id"}
    assert (orient.review, orient.expect, orient.forbid) == ("always", (), ())
    assert not orient.counts_for_compliance


def test_a_suite_may_name_golden_sets_beside_plain_files(folder: Any) -> None:
    folder.suite(
        "suite: s\ntarget: {echo: x}\ndefaults: {tags: [t]}\ncases: ['*.json', plain.yaml]\n"
    )
    folder.write("golden.json", SAMPLE)
    folder.write("more.json", '[{"id": "b", "input": {"assertions": 1}}]')
    folder.write("plain.yaml", "- id: c\n")
    cases = folder.load().suite.cases
    assert [case.id for case in cases][-2:] == ["b", "c"]
    assert len(cases) == 5
    assert {case.tags for case in cases} == {("t",)}


def test_alone_it_is_run_as_the_suite_beside_it(folder: Any) -> None:
    folder.suite("suite: s\ntarget: {echo: x}\ndefaults: {expect: [nope]}\ncases: []\n")
    folder.write("golden.json", SAMPLE)
    suite = folder.load("golden.json").suite
    assert (suite.name, suite.target) == ("golden", "default")
    assert suite.targets["default"].settings == {"echo": "x"}


def test_a_folder_with_one_golden_set_is_a_suite(folder: Any) -> None:
    folder.write("golden.json", SAMPLE)
    assert folder.load().suite.name == "golden"
    folder.write("other.json", SAMPLE)
    (fault,) = folder.faults()
    assert "has no suite.yaml (name one of golden.json, other.json)" in fault


ASSERTIONS: list[tuple[dict[str, Any], str, tuple[str, dict[str, Any]]]] = [
    ({"type": "must_contain", "pattern": "x"}, "expect", ("contains", {"text": "x"})),
    ({"type": "must_not_contain", "text": "x"}, "forbid", ("contains", {"text": "x"})),
    (
        {"type": "must_contain_all", "patterns": ["x", "y"]},
        "expect",
        ("contains_all", {"texts": ["x", "y"]}),
    ),
    (
        {"type": "must_not_contain_all", "patterns": ["x"]},
        "forbid",
        ("contains_all", {"texts": ["x"]}),
    ),
    ({"type": "must_match_regex", "pattern": "a+"}, "expect", ("regex", {"pattern": "a+"})),
    (
        {"type": "must_not_match_regex", "patterns": ["a+"], "flags": "i"},
        "forbid",
        ("regex", {"pattern": "a+", "flags": "i"}),
    ),
    ({"type": "must_be_json"}, "expect", ("is_json", {})),
    ({"type": "must_not_be_json"}, "forbid", ("is_json", {})),
    ({"type": "word_count", "max": 5}, "expect", ("word_count", {"max": 5})),
    (
        {"type": "must_not_call_tool", "tool": "drop"},
        "forbid",
        ("tool_called", {"name": "drop"}),
    ),
    (
        {"type": "language_match", "expected": "en", "_why": "a note"},
        "expect",
        ("language", {"expected": "en"}),
    ),
    # imported data: no text in it is a placeholder
    (
        {"type": "must_contain_any", "patterns": ["$input.x", "$$y", "$5"]},
        "expect",
        ("contains_any", {"texts": ["$$input.x", "$$$y", "$5"]}),
    ),
]


@pytest.mark.parametrize(("assertion", "name", "check"), ASSERTIONS)
def test_assertions_become_checks(
    folder: Any, assertion: dict[str, Any], name: str, check: tuple[str, dict[str, Any]]
) -> None:
    case = loaded_case(folder, case_with(assertion))
    (found,) = getattr(case, name)
    assert (found.grader, found.args) == check
    assert len(case.expect + case.forbid) == 1


def test_none_of_several_patterns_may_match(folder: Any) -> None:
    case = loaded_case(
        folder, case_with({"type": "must_not_match_regex", "patterns": ["a", "b"], "label": "l"})
    )
    (check,) = case.forbid
    assert (check.grader, check.label) == ("any_of", "l")
    assert [inner.args for inner in check.checks] == [{"pattern": "a"}, {"pattern": "b"}]


def test_keys_of_a_check_stay_beside_it(folder: Any) -> None:
    case = loaded_case(
        folder,
        case_with({"type": "must_contain", "pattern": "x", "required": False, "weight": 2}),
    )
    assert (case.expect[0].required, case.expect[0].weight) == (False, 2.0)


def test_probares_own_keys_are_not_input(folder: Any) -> None:
    case = loaded_case(
        folder, case_with(tags=["t"], reference="r", question="q", _note="n", expect=["is_json"])
    )
    assert (case.tags, case.reference, case.input) == (("t",), "r", {"question": "q"})
    assert case.expect[0].grader == "is_json"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (
            case_with({"type": "must_contian_any", "patterns": []}),
            (
                "cases[0].assertions[0].type: unknown assertion 'must_contian_any' (did you mean "
                "'must_contain_any'?)"
            ),
        ),
        (case_with({"type": "be nice"}), "unknown assertion 'be nice'"),
        (case_with({"pattern": "x"}), "assertions[0]: the assertion has no type"),
        (case_with("x"), "an assertion should be a mapping, is the text 'x'"),
        (
            case_with({"type": "must_contain_any", "patterns": "x"}),
            "assertions[0].patterns: contains_any: texts should be a list",
        ),
        (
            case_with({"type": "must_contain_any", "pattern": ["x"]}),
            "assertions[0].pattern: unknown key 'pattern' (did you mean 'patterns'?)",
        ),
        (
            case_with({"type": "must_contain_any", "patterns": ["x"], "ignorecase": True}),
            "unknown argument 'ignorecase' (did you mean 'ignore_case'?)",
        ),
        (case_with({"type": "must_match_regex", "pattern": "("}), "'(' is no pattern"),
        (
            case_with({"type": "must_match_regex", "patterns": ["a", "b"]}),
            "write one assertion for each pattern",
        ),
        (case_with(carried_over="yes"), "carried_over should be true or false"),
        (case_with(carriedover=True), "unknown key 'carriedover' (did you mean 'carried_over'?)"),
        (
            case_with(manual_review=True, review="never"),
            "manual_review and review say the same thing",
        ),
        (case_with(input="x", message="y"), "'message' stands beside input"),
        (json.dumps({"cases": [{"id": "a", "assertions": {}}]}), "assertions should be a list"),
        (
            json.dumps({"cases": [{"id": "a", "assertions": []}], "case": 1}),
            "unknown key 'case' (did you mean 'cases'?)",
        ),
        (json.dumps({"cases": [{"assertions": []}]}), "cases[0]: key 'id' is missing"),
        (json.dumps({"cases": [5, {"id": "a", "assertions": []}]}), "a case should be a mapping"),
    ],
)
def test_what_is_wrong_is_said_at_its_own_place(folder: Any, text: str, fault: str) -> None:
    folder.write("golden.json", text)
    (found,) = folder.faults("golden.json")
    assert found.startswith("golden.json:1:")
    assert fault in found


def test_the_checks_of_both_lists_are_kept(folder: Any) -> None:
    text = case_with({"type": "must_be_json"}, {"type": "must_not_be_json"}, forbid=["is_json"])
    case = loaded_case(folder, text)
    assert (len(case.expect), len(case.forbid)) == (1, 2)
    folder.write("golden.json", case_with({"type": "must_be_json"}, expect="is_json"))
    (fault,) = folder.faults("golden.json")
    assert "expect: should be a list, is the text 'is_json'" in fault


def test_a_misspelt_key_is_at_least_warned_of(folder: Any) -> None:
    folder.write("golden.json", case_with({"type": "must_be_json"}, catgory="x"))
    (warning,) = folder.load("golden.json").warnings
    assert "'catgory' is read as a key of the input (did you mean 'category'?)" in warning
