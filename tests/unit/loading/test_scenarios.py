"""Scenario JSON: criteria as sentences, adapters as targets, config as input."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from probare.loading.dialects import criteria, scenarios
from probare.loading.sentences import SIDES, normal

SUITE = """\
suite: governed
targets:
  mock: {echo: x}
  other: {echo: y}
cases: [scenarios/*/scenario.json]
"""
CRITERIA = """\
criteria:
  pass:
    Greets first: {starts_or: 1}
"""

Write = Callable[..., None]


def scenario(**changes: Any) -> dict[str, Any]:
    """A scenario that is right; a key set to None is left out."""
    whole: dict[str, Any] = {
        "id": "s01_short",
        "version": "1.0.0",
        "description": "The answer is short",
        "adapter": "mock",
        "intent": "A user is in a hurry.",
        "bounds": "Does not test the tone.",
        "config": {"query": "Is Avery Quill here?", "planted": {"name": "Avery Quill"}},
        "pass_criteria": ["Answer is short", "Names the query"],
        "fail_criteria": ["Says the query"],
    }
    return {key: value for key, value in {**whole, **changes}.items() if value is not None}


@pytest.fixture
def write(folder: Any) -> Write:
    def written(name: str = "s01", suite: str = SUITE, **changes: Any) -> None:
        folder.suite(suite)
        folder.write(f"scenarios/{name}/scenario.json", json.dumps(scenario(**changes), indent=1))

    return written


def test_a_scenario_in_full(folder: Any, write: Write) -> None:
    write()
    loaded = folder.load()
    (case,) = loaded.suite.cases
    assert (case.id, case.description) == ("s01_short", "The answer is short")
    assert case.input == {"query": "Is Avery Quill here?", "planted": {"name": "Avery Quill"}}
    assert case.planted == {"name": "Avery Quill"}
    assert case.notes == {
        "version": "1.0.0",
        "intent": "A user is in a hurry.",
        "bounds": "Does not test the tone.",
    }
    assert [(check.label, check.grader, check.args) for check in case.expect] == [
        ("Answer is short", "word_count", {"max": 5}),
        ("Names the query", "is_json", {}),
    ]
    assert [(check.label, check.grader, check.args) for check in case.forbid] == [
        ("Says the query", "contains", {"text": "$input.query"})
    ]
    assert loaded.suite.target == "mock"


def test_sentences_compare_without_case_spaces_and_full_stop(folder: Any, write: Write) -> None:
    write(pass_criteria=["  answer   IS short. "], fail_criteria=["Says the\tquery"])
    (case,) = folder.load().suite.cases
    assert [check.label for check in case.expect] == ["Answer is short"]
    assert [check.label for check in case.forbid] == ["Says the query"]


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        (
            {"pass_criteria": ["Answer is shrt"]},
            (
                "scenarios/s01/scenario.json:15:3: pass_criteria[0]: unknown criterion "
                "'Answer is shrt' (did you mean 'Answer is short'?)"
            ),
        ),
        (
            {"pass_criteria": ["Bananas are yellow"]},
            (
                "scenarios/s01/scenario.json:15:3: pass_criteria[0]: unknown criterion "
                "'Bananas are yellow' (a suite registers sentences of its own under `criteria:`)"
            ),
        ),
        (
            {"pass_criteria": ["Says the query"]},
            (
                "scenarios/s01/scenario.json:15:3: pass_criteria[0]: 'Says the query' is a fail "
                "criterion (write it under fail_criteria)"
            ),
        ),
        (
            {"fail_criteria": ["Answer is short"]},
            (
                "scenarios/s01/scenario.json:19:3: fail_criteria[0]: 'Answer is short' is a pass "
                "criterion (write it under pass_criteria)"
            ),
        ),
        (
            {"fail_criteria": ["Answer is shorter"]},
            (
                "scenarios/s01/scenario.json:19:3: fail_criteria[0]: unknown criterion "
                "'Answer is shorter' (did you mean 'Answer is short', a pass criterion?)"
            ),
        ),
        (
            {"pass_criteria": ["Answer is short", "answer is short."]},
            (
                "scenarios/s01/scenario.json:16:3: pass_criteria[1]: the criterion 'answer is "
                "short.' stands here twice"
            ),
        ),
        (
            {"pass_criteria": [], "fail_criteria": []},
            (
                "scenarios/s01/scenario.json:14:19: pass_criteria: the scenario has no criteria "
                "(write sentences under pass_criteria and fail_criteria)"
            ),
        ),
        (
            {"pass_criteria": None, "fail_criteria": None},
            (
                "scenarios/s01/scenario.json:1:1: the scenario has no criteria (write sentences "
                "under pass_criteria and fail_criteria)"
            ),
        ),
        (
            {"pass_criteria": "Answer is short"},
            (
                "scenarios/s01/scenario.json:14:19: pass_criteria: should be a list of sentences, "
                "is the text 'Answer is short'"
            ),
        ),
        (
            {"pass_criteria": [{"is_json": None}]},
            (
                "scenarios/s01/scenario.json:15:3: pass_criteria[0]: a criterion should be a "
                "sentence, is a mapping"
            ),
        ),
        (
            {"adapter": "mok"},
            (
                "scenarios/s01/scenario.json:5:13: adapter: the suite has no target 'mok' (did you "
                "mean 'mock'?)"
            ),
        ),
        (
            {"adapter": "zzz"},
            (
                "scenarios/s01/scenario.json:5:13: adapter: the suite has no target 'zzz' (there "
                "are: mock, other)"
            ),
        ),
        (
            {"adapter": None},
            (
                "scenarios/s01/scenario.json:1:1: the scenario names no adapter (it is one of the "
                "suite's targets)"
            ),
        ),
        (
            {"adapter": 3},
            "scenarios/s01/scenario.json:5:13: adapter: should be the name of a target, is 3",
        ),
        (
            {"config": [], "fail_criteria": None},
            "scenarios/s01/scenario.json:8:12: config: should be a mapping, is a list",
        ),
        (
            {"config": {"query": "q", "planted": {"name": 4}}},
            (
                "scenarios/s01/scenario.json:11:12: config.planted.name: should be a text, is 4 ("
                'for a text, write it in quotes: "4")'
            ),
        ),
        (
            {"config": {}},
            (
                "scenarios/s01/scenario.json:14:3: fail_criteria[0]: $input.query does not exist: "
                "$input has no key 'query'"
            ),
        ),
        (
            {"pass_criterias": ["x"]},
            (
                "scenarios/s01/scenario.json:21:2: pass_criterias: unknown key 'pass_criterias' ("
                "did you mean 'pass_criteria'?)"
            ),
        ),
        (
            {"version": 1},
            (
                "scenarios/s01/scenario.json:3:13: version: should be a text, is 1 (for a text, "
                'write it in quotes: "1")'
            ),
        ),
        ({"id": None}, "scenarios/s01/scenario.json:1:1: key 'id' is missing"),
    ],
)
def test_faults_have_their_places(
    folder: Any, write: Write, changes: dict[str, Any], fault: str
) -> None:
    write(**changes)
    assert folder.faults() == [fault]


def test_ids_are_unique_over_all_files(folder: Any, write: Write) -> None:
    write("s01")
    write("s02")
    (fault,) = folder.faults()
    assert "duplicate id 's01_short'" in fault


def test_other_keys_are_the_cases_own(folder: Any, write: Write) -> None:
    write(tags=["safety"], trials=3, timeout="5s", split="carried_over")
    (case,) = folder.load().suite.cases
    assert (case.tags, case.trials, case.timeout, case.split) == (
        ("safety",),
        3,
        5.0,
        "carried_over",
    )


def test_a_mix_of_adapters_is_a_fault(folder: Any, write: Write) -> None:
    write("s01")
    write("s02", id="s02", adapter="other")
    (fault,) = folder.faults()
    assert "scenarios/s02/scenario.json:5:13: adapter: the scenario is for 'other', and" in fault
    assert "another one is for 'mock'" in fault
    assert "a run has one target" in fault


def test_the_suites_own_target_and_the_adapter_have_to_agree(folder: Any, write: Write) -> None:
    write(suite=SUITE + "target: mock\n")
    assert folder.load().suite.target == "mock"
    write(suite=SUITE + "target: other\n")
    (fault,) = folder.faults()
    assert "the scenario is for 'mock', and the suite's target is 'other'" in fault
    assert "choose another target with --target" in fault


def test_a_suite_without_targets_says_where_to_write_them(folder: Any, write: Write) -> None:
    write(suite="suite: s\ncases: [scenarios/*/scenario.json]\n")
    (fault,) = folder.faults()
    assert "the suite has no target 'mock' (write it under `targets:` as mock: …)" in fault


def test_a_scenario_alone_is_run_as_the_suite_that_lists_it(folder: Any, write: Write) -> None:
    own = "criteria: {pass: {Is JSON: is_json}}\n"
    write("s01", suite=SUITE + own, pass_criteria=["Is JSON"])
    write("s02", suite=SUITE + own, id="s02")
    loaded = folder.load("scenarios/s01/scenario.json")
    assert [case.id for case in loaded.suite.cases] == ["s01_short"]
    assert (loaded.suite.name, loaded.suite.target) == ("s01", "mock")
    assert loaded.folder == folder.path
    assert folder.load("scenarios/s01").suite == loaded.suite


def test_a_suite_above_that_does_not_list_a_scenario_is_not_its_own(
    folder: Any, write: Write
) -> None:
    write(suite=SUITE.replace("scenarios/*", "others/*"))
    (fault,) = folder.faults("scenarios/s01/scenario.json")
    assert "the suite has no target 'mock'" in fault


def test_ordinary_cases_and_scenarios_stand_side_by_side(folder: Any, write: Write) -> None:
    write(suite=SUITE.replace("cases: [", "cases: [{id: a, expect: [is_json]}, "))
    assert [case.id for case in folder.load().suite.cases] == ["a", "s01_short"]


def test_the_digest_of_a_case_does_not_hang_on_its_notes(folder: Any, write: Write) -> None:
    from probare.model.case import content_digest

    write()
    (before,) = folder.load().suite.cases
    write(intent="Another.", version="2")
    (after,) = folder.load().suite.cases
    write(config={"query": "else"})
    (other,) = folder.load().suite.cases
    assert content_digest(before) == content_digest(after) != content_digest(other)


@pytest.mark.parametrize(
    "value",
    [
        {"id": "a", "input": 1, "expect": []},
        {"id": "a", "config": {}, "input": 1},
        {"suite": "s", "criteria": {}, "cases": []},
        {"task": {"id": "a", "graders": []}},
        ["pass_criteria"],
        "pass_criteria",
    ],
)
def test_what_is_no_scenario(value: Any) -> None:
    assert not scenarios.detect(value)


class TestOwnSentences:
    """`criteria:` in a suite."""

    def test_they_are_checks_like_any_other(self, folder: Any, write: Write) -> None:
        own = """\
criteria:
  pass:
    Says hello to them: {contains_any: [hello, hi], in: $output.text}
  fail:
    Is JSON: is_json
    Says both: {all_of: [{contains: a}, {contains: b}]}
"""
        write(
            suite=SUITE + own,
            pass_criteria=["says hello to them"],
            fail_criteria=["Is JSON", "Says both"],
        )
        suite = folder.load().suite
        (case,) = suite.cases
        assert [(c.label, c.grader, c.look_in) for c in case.expect] == [
            ("Says hello to them", "contains_any", "$output.text")
        ]
        assert [(c.label, c.grader) for c in case.forbid] == [
            ("Is JSON", "is_json"),
            ("Says both", "all_of"),
        ]

    @pytest.mark.parametrize(
        ("own", "fault"),
        [
            (
                "criteria: {pass: {Is fine: {contans: x}}}",
                (
                    "suite.yaml:6:29: criteria.pass['Is fine'].contans: unknown grader 'contans' "
                    "(did you mean 'contains'?)"
                ),
            ),
            (
                "criteria: {pass: {Is fine: {contains: {text: 3}}}}",
                "criteria.pass['Is fine'].contains",
            ),
            (
                "criteria: {pass: {ANSWER is short: is_json}}",
                (
                    "suite.yaml:6:19: criteria.pass['ANSWER is short']: the sentence 'Answer is "
                    "short' is registered already (give yours other words)"
                ),
            ),
            (
                "criteria: {fail: {Answer is short.: is_json}}",
                "the sentence 'Answer is short' is registered already",
            ),
            (
                "criteria: {pass: {One: is_json}, fail: {one: is_json}}",
                "the sentence 'One' is registered already",
            ),
            ("criteria: {passes: {}}", "criteria.passes: unknown key 'passes' (there are: pass"),
            ("criteria: [x]", "criteria: should be a mapping of pass and fail, is a list"),
            ("criteria: {pass: [x]}", "criteria.pass: should map sentences to checks, is a list"),
            ("criteria: {pass: {' .': is_json}}", "a criterion has an empty sentence"),
            (
                "criteria: {pass: {One: {is_json: null, label: x}}}",
                "a criterion's label is its sentence (leave the label out)",
            ),
        ],
    )
    def test_faults(self, folder: Any, write: Write, own: str, fault: str) -> None:
        write(suite=SUITE + own + "\n")
        faults = folder.faults()
        assert len(faults) == 1
        assert fault in faults[0]

    def test_a_fault_is_told_once_though_scenarios_use_the_sentence(
        self, folder: Any, write: Write
    ) -> None:
        own = "criteria: {pass: {Is fine: {contans: x}}}\n"
        write(suite=SUITE + own, pass_criteria=["Is fine"])
        (fault,) = folder.faults()
        assert fault.startswith("suite.yaml:6")


def test_the_core_table_has_every_sentence_once() -> None:
    texts = [text for side in SIDES for text in criteria.CORE[side]]
    assert len(texts) == len({normal(text) for text in texts}) == 28
    assert set(criteria.CORE) == set(SIDES)
