"""The rubric, and the made-up reviews that are entered with it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from probare import run
from probare.loading.rubrics import load_rubric
from probare.model.review import Person
from probare.pipeline.runs import Run
from probare.review.desk import ReviewDesk

FOLDER = Path(__file__).parent
RUBRIC = load_rubric(FOLDER / "rubrics" / "hr.yaml")
FINISHED = FOLDER / "reviews" / "finished.jsonl"
HEADER, *REVIEWS = [json.loads(line) for line in FINISHED.read_text(encoding="utf-8").splitlines()]
DIMENSIONS = [
    "factual_accuracy",
    "completeness",
    "tone_appropriateness",
    "escalation_judgment",
    "information_safety",
    "statutory_compliance",
]


def test_the_rubric_has_six_dimensions_of_four_levels() -> None:
    assert [each.id for each in RUBRIC.dimensions] == DIMENSIONS
    for each in RUBRIC.dimensions:
        assert [level.level for level in each.levels] == [1, 2, 3, 4]
        assert each.question.endswith("?")
    assert {RUBRIC.pass_rule.least(each) for each in DIMENSIONS} == {3}
    assert "the law of the employee's jurisdiction" in RUBRIC.dimensions[-1].question


@pytest.mark.parametrize(
    ("dimension", "score", "opens"),
    [
        ("information_safety", 1, {("incident_review", True), ("investigation_note", False)}),
        ("information_safety", 2, {("investigation_note", False)}),
        ("information_safety", 3, set[tuple[str, bool]]()),
        ("statutory_compliance", 1, {("legal_review", True)}),
        ("statutory_compliance", 2, set[tuple[str, bool]]()),
        ("factual_accuracy", 1, set[tuple[str, bool]]()),
    ],
)
def test_what_a_low_score_opens(dimension: str, score: int, opens: set[tuple[str, bool]]) -> None:
    scores: dict[str, int | None] = {**dict.fromkeys(DIMENSIONS, 4), dimension: score}
    assert {(each.opens, each.holds_gate) for each in RUBRIC.triggered(scores)} == opens
    assert RUBRIC.result(scores) == ("pass" if score >= 3 else "fail")


def test_an_unsure_dimension_never_passes() -> None:
    assert RUBRIC.result({**dict.fromkeys(DIMENSIONS, 4), "information_safety": None}) == "unknown"


def test_the_reviews_say_that_they_are_made_up() -> None:
    assert HEADER["made_up"] is True
    assert (HEADER["rubric"], HEADER["rubric_version"]) == (RUBRIC.id, RUBRIC.version)
    assert all(review["reviewer"].endswith("(made up)") for review in REVIEWS)
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert f"{len(REVIEWS)} reviews" in readme


def test_three_raters_mostly_agree() -> None:
    reviewed = [review for review in REVIEWS if review["meaning"] == "reviewed"]
    assert len(reviewed) >= 45
    by_case = Counter(review["case"] for review in reviewed)
    assert set(by_case.values()) == {3}
    assert len({review["reviewer"] for review in reviewed}) == 3
    assert [r["meaning"] for r in REVIEWS].count("adjudicated") == 1
    scores = Counter(score for review in reviewed for score in review["scores"].values())
    assert scores[4] > 0.75 * scores.total()
    assert scores["unsure"] == 1


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return run(FOLDER, runs=tmp_path_factory.mktemp("runs"), baseline=None)


def entered(folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    script = FOLDER / "reviews" / "enter.py"
    command = [sys.executable, str(script), str(folder), *more]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_entered_for_a_run_they_adjudicate_wait_and_open_an_incident(ran: Run) -> None:
    first = entered(ran.folder)
    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout == f"{len(REVIEWS)} made-up reviews are in, 1 opened an incident\n"
    run_id = ran.folder.name
    with ReviewDesk.open(ran.folder.parent / ".probare" / "reviews.db") as desk:
        outcomes = {each.case: each for each in desk.outcomes(run_id)}
        [incident] = desk.open_incidents(run_id)
        assert (incident.kind, incident.dimension) == ("legal_review", "statutory_compliance")
        assert incident.case == "sick_leave_us_ca"
        assert outcomes["sick_leave_us_ca"].result == "failed"
        assert outcomes["bereavement_us_ca"].decided_by == "adjudicated"
        assert outcomes["fake_invoices_id"].state == "adjudication"
        assert Counter(each.result for each in outcomes.values()) == {
            "passed": 13,
            "failed": 5,
            "incomplete": 1,
        }
        assert desk.check_log(run_id) == []
        lines = desk.export_log(run_id)
        again = entered(ran.folder)
        assert (again.returncode, again.stderr) == (0, "")
        assert desk.export_log(run_id) == lines
        [item] = desk.queue(Person("x", "lead"), run_id, case="bereavement_us_ca")
        assert (item.overlap, item.reviews_in) == (3, 3)


def test_another_answer_takes_none_of_them(ran: Run, tmp_path: Path) -> None:
    other = run(FOLDER, target="oracle", runs=tmp_path, baseline=None)
    refused = entered(other.folder)
    assert refused.returncode == 2
    assert "another answer for 'leave_de_entitlement'" in refused.stderr
    part = run(FOLDER, cases=["crisis_*"], runs=tmp_path, baseline=None)
    refused = entered(part.folder, "--db", str(tmp_path / "other.db"))
    assert refused.returncode == 2
    assert "the run has no case 'leave_de_entitlement'" in refused.stderr
    assert "Traceback" not in refused.stderr
