"""The suite itself: it passes the guide and the oracle, and catches what is broken."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from probare import run
from probare.grading import usercode
from probare.loading import load
from probare.model.proof import ProofResult
from probare.model.suite import Suite
from probare.pipeline.catalogue import BuiltCatalogue
from probare.pipeline.proving import proved
from probare.pipeline.runs import Run

FOLDER = Path(__file__).parent
SUITE: Suite = load(FOLDER, BuiltCatalogue(), {}).suite
AUTOMATIC = {case.id for case in SUITE.cases if case.counts_for_compliance}
PROVE: dict[str, Any] = SUITE.extras["prove"]
DEFECTS: list[dict[str, Any]] = PROVE["defects"]


@pytest.fixture(autouse=True)
def _offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HELP_MODEL", "")


def ran(target: str | None, tmp_path: Path) -> Run:
    return run(FOLDER, target=target, runs=tmp_path, baseline=None)


def statuses(result: Run) -> dict[str, str]:
    return {record.case: record.status for record in result.records()}


def test_the_golden_set_has_the_cases_that_the_readme_speaks_of() -> None:
    carried = {case.id: case for case in SUITE.cases if case.split == "carried_over"}
    assert set(carried) == {"help_ex_orient", "help_ex_guard_delta", "help_ex_guard_ready"}
    assert [case.id for case in carried.values() if not case.counts_for_compliance] == [
        "help_ex_orient"
    ]
    sizes = {"language": 0, "report_guard": 0, "orientation": 0}
    for case in SUITE.cases:
        assert case.category is not None
        sizes[case.category] += 1
        assert (case.category == "orientation") == (case.review == "always")
    assert sizes == {"language": 16, "report_guard": 18, "orientation": 6}
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert all(f"| `{name}` | {size} |" in readme for name, size in sizes.items())


def test_the_offline_guide_passes_every_case(tmp_path: Path) -> None:
    result = ran(None, tmp_path)
    assert statuses(result) == {case.id: "passed" for case in SUITE.cases}
    assert (result.exit_code, result.passed) == (0, True)
    compliance = result.scores.compliance
    assert (compliance.carried_over.numerator, compliance.carried_over.denominator) == (2, 2)
    assert (compliance.held_out.numerator, compliance.held_out.denominator) == (32, 32)


@pytest.fixture(scope="module")
def proof(tmp_path_factory: pytest.TempPathFactory) -> ProofResult:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HELP_MODEL", "")
        return proved(FOLDER, runs=tmp_path_factory.mktemp("proof"))


def test_the_suite_is_proved_to_catch_broken_guides(proof: ProofResult) -> None:
    assert (proof.decision, proof.exit_code) == ("passed", 0)
    assert (proof.oracle.passed, proof.oracle.cases, proof.oracle.aside) == (40, 40, {})
    assert (proof.null.passed, proof.null.open, proof.null.aside) == (0, {}, {})
    assert (proof.healthy.passed, proof.caught.numerator) == (40, len(DEFECTS))


@pytest.mark.parametrize("defect", DEFECTS, ids=[defect["name"] for defect in DEFECTS])
def test_a_broken_guide_fails_the_cases_it_belongs_to(
    defect: dict[str, Any], proof: ProofResult
) -> None:
    (found,) = (each for each in proof.defects if each.name == defect["name"])
    assert (found.result, found.failed) == ("caught", tuple(defect["must_fail"]))
    outcomes = proof.matrix[found.name]
    assert "errored" not in outcomes.values()
    elsewhere = {case for case in AUTOMATIC if outcomes[case] != "passed"}
    assert elsewhere == {*found.failed, *found.also_failed}


def test_the_faults_that_help_guides_are_known_for_are_among_them() -> None:
    names = {defect["name"] for defect in DEFECTS}
    assert names >= {
        "english_on_button",
        "report_when_not_ready",
        "no_report_when_ready",
        "empty_reply",
        "cut_reply",
    }


def test_every_defect_has_a_target_and_cases_that_must_fail() -> None:
    faults = usercode.load("defects:BEFORE", FOLDER), usercode.load("defects:AFTER", FOLDER)
    named = {defect["name"] for defect in DEFECTS}
    assert named == {name for group in faults for name in group}
    for defect in DEFECTS:
        assert SUITE.targets[defect["target"]].config == {"defect": defect["name"]}
        assert set(defect["must_fail"]) <= AUTOMATIC
        assert defect["must_fail"]


def test_a_fault_that_nobody_knows_is_refused() -> None:
    defective = usercode.load("defects:DefectiveHelp", FOLDER)
    with pytest.raises(ValueError, match=r"'typo'.*english_on_button"):
        defective({"defect": "typo"})
