"""The suite itself: it passes the assistant and the oracle, and catches what is broken."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from probare import run
from probare.grading import usercode
from probare.loading import load
from probare.loading.rubrics import load_rubric
from probare.model.case import Case
from probare.model.proof import ProofResult
from probare.model.suite import Suite
from probare.pipeline.catalogue import BuiltCatalogue
from probare.pipeline.proving import proved

FOLDER = Path(__file__).parent
SUITE: Suite = load(FOLDER, BuiltCatalogue(), {}).suite
DEFECTS: list[dict[str, Any]] = SUITE.extras["prove"]["defects"]
KNOWN = {"bereavement_us_ca", "notice_uk_plain_words", "sick_leave_bank_us_ca", "sick_leave_us_ca"}
TOPICS = ["leave", "notice", "pay", "right_to_know", "jurisdiction", "look_alike"]


def escalating(case: Case) -> bool:
    return case.reference["escalate"] is not None


def test_the_cases_are_those_that_the_readme_speaks_of() -> None:
    sizes = Counter(case.category for case in SUITE.cases)
    rubric = load_rubric(FOLDER / "rubrics" / "hr.yaml")
    assert set(sizes) == {each.id for each in rubric.dimensions}
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert all(f"| `{name}` | {size} |" in readme for name, size in sizes.items())
    told = sum(escalating(case) for case in SUITE.cases)
    assert f"{len(SUITE.cases)} cases, of which {told} must be passed on" in readme
    assert f"{len(SUITE.cases) - told} must not" in readme
    assert 0.4 < told / len(SUITE.cases) < 0.6


@pytest.mark.parametrize("topic", TOPICS)
def test_each_topic_has_cases(topic: str) -> None:
    assert sum(topic in case.tags for case in SUITE.cases) >= 3


@pytest.mark.parametrize("case", SUITE.cases, ids=[case.id for case in SUITE.cases])
def test_each_case_shows_the_place_and_a_dated_note_on_its_law(case: Case) -> None:
    right = case.reference
    assert right["jurisdiction"] in {"DE", "UK", "US-CA", "ID", None}
    assert len(right["law"]) > 40
    assert right["law_as_of"] == case.input["asked_on"] == "2025-07-01"
    assert right["answer"]
    assert (("escalation" in case.tags), escalating(case)) in {(True, True), (False, False)}
    allowed = [c for c in case.expect if c.grader == "tool_called" and c.args["name"] == "escalate"]
    forbidden = [c for c in case.forbid if c.args.get("name") == "escalate"]
    assert (len(allowed), len(forbidden)) == ((1, 0) if escalating(case) else (0, 1))


def test_the_assistant_passes_what_it_is_not_known_to_fail(tmp_path: Path) -> None:
    result = run(FOLDER, runs=tmp_path, baseline=None)
    statuses = {record.case: record.status for record in result.records()}
    assert {case for case, status in statuses.items() if status == "failed"} == KNOWN
    assert set(statuses.values()) == {"passed", "failed"}
    assert result.exit_code == 0
    compliance = result.scores.compliance.all
    assert compliance.numerator == compliance.denominator == 40


def test_what_it_is_known_to_fail_is_for_people_and_holds_no_gate() -> None:
    known = [case for case in SUITE.cases if "capability" in case.tags]
    assert {case.id for case in known} == KNOWN
    assert all(case.review == "always" for case in known)
    stale = {case.id for case in SUITE.cases if "stale_policy" in case.tags}
    assert stale == {"sick_leave_us_ca", "sick_leave_bank_us_ca"}


@pytest.fixture(scope="module")
def proof(tmp_path_factory: pytest.TempPathFactory) -> ProofResult:
    return proved(FOLDER, runs=tmp_path_factory.mktemp("proof"), fast=True)


def test_the_suite_is_proved_to_catch_broken_assistants(proof: ProofResult) -> None:
    count = len(SUITE.cases)
    assert (proof.decision, proof.exit_code) == ("passed", 0)
    assert (proof.oracle.passed, proof.oracle.cases, proof.oracle.aside) == (count, count, {})
    assert (proof.null.passed, proof.null.open, proof.null.aside) == (0, {}, {})
    assert (proof.healthy.against, proof.caught.numerator) == ({}, len(DEFECTS))


@pytest.mark.parametrize("defect", DEFECTS, ids=[defect["name"] for defect in DEFECTS])
def test_a_broken_assistant_fails_the_cases_it_belongs_to(
    defect: dict[str, Any], proof: ProofResult
) -> None:
    (found,) = (each for each in proof.defects if each.name == defect["name"])
    assert (found.result, found.failed) == ("caught", tuple(defect["must_fail"]))
    assert (found.missed, found.open) == ({}, {})


def test_every_fault_has_a_target_and_a_line_in_the_readme() -> None:
    faults = [
        *usercode.load("defects:ASSISTANTS", FOLDER),
        *usercode.load("defects:LIBRARIES", FOLDER),
    ]
    assert {defect["name"] for defect in DEFECTS} == set(faults)
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    for defect in DEFECTS:
        assert SUITE.targets[defect["target"]].config == {"defect": defect["name"]}
        assert f"`{defect['name']}`" in readme


def test_a_fault_that_nobody_knows_is_refused() -> None:
    defective = usercode.load("defects:DefectiveAssistant", FOLDER)
    with pytest.raises(ValueError, match=r"'typo'.*escalates_never"):
        defective({"defect": "typo"})
