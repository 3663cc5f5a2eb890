"""The suites themselves: they pass what is right, and catch what is broken."""

from __future__ import annotations

from collections import Counter
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
HILL = FOLDER / "capability"
SUITE: Suite = load(FOLDER, BuiltCatalogue(), {}).suite
CLIMB: Suite = load(HILL, BuiltCatalogue(), {}).suite
PROVE: dict[str, Any] = SUITE.extras["prove"]
DEFECTS: list[dict[str, Any]] = PROVE["defects"]
SIZES = {"parser": 6, "fetcher": 4, "description": 4, "writer": 6, "critic": 4, "tailor": 3}


@pytest.fixture(autouse=True)
def _offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEL", "")
    monkeypatch.setenv("DRAFT_MODEL", "")


def ran(folder: Path, target: str | None, tmp_path: Path, **more: Any) -> Run:
    return run(folder, target=target, runs=tmp_path, baseline=None, **more)


def statuses(result: Run) -> dict[str, str]:
    return {record.case: record.status for record in result.records()}


def test_there_are_as_many_tasks_as_the_readme_says() -> None:
    assert Counter(case.category for case in SUITE.cases) == SIZES
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert all(f"| `{name}` | {size} |" in readme for name, size in SIZES.items())
    for case in SUITE.cases:
        assert case.runner == case.category
        assert "regression" in case.tags
    assert {case.tags for case in CLIMB.cases} == {("capability",)}
    assert f"{len(CLIMB.cases)} tasks" in readme


@pytest.mark.parametrize("suite", [SUITE, CLIMB], ids=["tasks", "hill"])
def test_each_task_has_a_reference_of_its_own(suite: Suite) -> None:
    folder = FOLDER if suite is SUITE else HILL
    assert all(isinstance(case.reference, dict) for case in suite.cases)
    kept = {path.stem for path in (folder / "references").iterdir()}
    assert kept == {case.id for case in suite.cases}


def test_the_tailor_passes_all_tasks(tmp_path: Path) -> None:
    result = ran(FOLDER, None, tmp_path)
    assert statuses(result) == {case.id: "passed" for case in SUITE.cases}
    assert (result.exit_code, result.passed) == (0, True)


def test_one_category_several_times_is_the_same_each_time(tmp_path: Path) -> None:
    result = ran(FOLDER, None, tmp_path, categories=["parser"], trials=3)
    records = list(result.records())
    assert len(records) == 18
    assert {record.status for record in records} == {"passed"}


def test_the_oracle_climbs_the_hill_and_the_null_target_does_not(tmp_path: Path) -> None:
    assert set(statuses(ran(HILL, "oracle", tmp_path)).values()) == {"passed"}
    assert set(statuses(ran(HILL, "null", tmp_path)).values()) == {"failed"}


def test_the_hill_is_not_climbed_yet_and_holds_no_gate(tmp_path: Path) -> None:
    result = ran(HILL, None, tmp_path)
    counts = Counter(statuses(result).values())
    assert len(CLIMB.cases) >= 12
    assert 0 < counts["passed"] < len(CLIMB.cases)
    assert counts["errored"] == 0
    assert result.exit_code == 0


@pytest.fixture(scope="module")
def proof(tmp_path_factory: pytest.TempPathFactory) -> ProofResult:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MODEL", "")
        patch.setenv("DRAFT_MODEL", "")
        return proved(FOLDER, runs=tmp_path_factory.mktemp("proof"), fast=True)


def test_the_suite_is_proved_to_catch_broken_steps(proof: ProofResult) -> None:
    assert (proof.decision, proof.exit_code) == ("passed", 0)
    assert (proof.oracle.passed, proof.oracle.cases) == (27, 27)
    assert (proof.null.passed, proof.null.open, proof.null.aside) == (0, {}, {})
    assert (proof.healthy.against, proof.caught.numerator) == ({}, len(DEFECTS))


@pytest.mark.parametrize("defect", DEFECTS, ids=[defect["name"] for defect in DEFECTS])
def test_a_broken_step_fails_a_task_of_its_category(
    defect: dict[str, Any], proof: ProofResult
) -> None:
    category = defect["name"].partition("_")[0]
    (found,) = (each for each in proof.defects if each.name == defect["name"])
    assert (found.result, found.failed) == ("caught", tuple(defect["must_fail"]))
    assert all(case.startswith(f"{category}_") for case in found.failed)


def test_every_step_has_a_defect_and_every_defect_a_target() -> None:
    faults = usercode.load("defects:FAULTS", FOLDER)
    assert {defect["name"] for defect in DEFECTS} == set(faults)
    assert {name.partition("_")[0] for name in faults} == set(SIZES)
    for defect in DEFECTS:
        assert SUITE.targets[defect["target"]].config == {"defect": defect["name"]}
        assert defect["must_fail"]


def test_a_fault_that_nobody_knows_is_refused() -> None:
    defective = usercode.load("defects:DefectiveTailor", FOLDER)
    with pytest.raises(ValueError, match=r"'typo'.*parser_loses_awards"):
        defective({"defect": "typo"})
