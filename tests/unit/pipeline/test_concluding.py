from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import probare
from probare.errors import InputError
from probare.pipeline import baselinefile
from probare.pipeline.catalogue import BuiltCatalogue
from probare.pipeline.comparing import decide_again, diff_runs, report_text
from probare.pipeline.concluding import Conclusion, basis_of
from probare.pipeline.runs import Run
from probare.stores.reader import RunReader

TWO_TARGETS = """
suite: greeter
target: one
targets:
  one: {python: "agent:say"}
  two: {python: "agent:say", trust: claimed}
cases: [{id: a, input: Ada, expect: [{contains: hello}]}]
"""


def notes(run: Run) -> str:
    assert run.summary is not None
    return "\n".join(run.summary.notes)


def concluded(run: Run, **keys: Any) -> str:
    reader = RunReader(run.folder)
    conclusion = Conclusion(folder=run.folder, plan=reader.plan, suite=reader.suite(), **keys)
    return "\n".join(basis_of(conclusion, BuiltCatalogue()).notes)


@pytest.fixture
def run(write_suite: Any, tmp_path: Path) -> Run:
    return probare.run(write_suite(TWO_TARGETS), runs=tmp_path / "runs")


def test_no_baseline_is_said(run: Run) -> None:
    assert "no baseline to be held against (make one: probare baseline set RUN)" in notes(run)


def test_the_baseline_and_its_other_target_are_said(
    run: Run, write_suite: Any, tmp_path: Path
) -> None:
    baselinefile.set_from(run.folder, None)
    folder = tmp_path / "suite"
    again = probare.run(folder, runs=tmp_path / "runs")
    assert f"held against the baseline {run.folder.name}" in notes(again)
    assert "another target" not in notes(again)
    other = probare.run(folder, runs=tmp_path / "runs", target="two")
    assert "which was another target: one" in notes(other)


def test_claimed_trust_is_always_said(run: Run, tmp_path: Path) -> None:
    other = probare.run(tmp_path / "suite", runs=tmp_path / "runs", target="two")
    assert "trust: claimed" in notes(other)
    assert "trust: claimed" not in notes(run)


def test_hung_threads_problems_and_bare_secrets_are_said(run: Run) -> None:
    assert "1 hung thread was abandoned: probare-7" in concluded(run, hung=("probare-7",))
    assert "2 hung threads were abandoned" in concluded(run, hung=("a", "b"))
    assert "could not be torn down" in concluded(run, problem="the target could not be torn down")
    short = concluded(run, unmasked={"PIN": "shorter than 6 characters"})
    assert "the value of PIN is not masked: shorter than 6 characters" in short


def test_a_secret_that_cannot_be_masked_is_said(
    write_suite: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIN_OF_TEST", "12")
    suite = (
        "suite: s\ntarget: {python: 'agent:say', config: {pin: '${PIN_OF_TEST}'}}\n"
        "cases: [{id: a, input: Ada, expect: [{contains: hello}]}]\n"
    )
    found = probare.run(write_suite(suite, name="pins"), runs=tmp_path / "runs")
    assert "the value of PIN_OF_TEST is not masked" in notes(found)


def test_an_early_end_is_said_and_never_a_pass(tmp_path: Path) -> None:
    suite = probare.Suite(
        "s",
        target=lambda: "no",
        cases=[probare.Case(id=f"c{n}", expect=[{"equals": "ok"}]) for n in range(5)],
    )
    run = probare.run(suite, runs=tmp_path, fail_fast=True, concurrency=1)
    assert run.summary is not None
    assert run.exit_code == 1
    assert (run.summary.cases.planned, run.summary.cases.run) == (5, 1)
    assert "--fail-fast: c0 failed" in "\n".join([*run.summary.why, *run.summary.notes])


def test_deciding_again_gives_the_same_and_takes_todays_baseline(run: Run, tmp_path: Path) -> None:
    again = decide_again(run.folder, None)
    assert run.summary is not None
    assert (again.decision, again.scores) == (run.summary.decision, run.summary.scores)
    with pytest.raises(InputError, match="there is no baseline"):
        decide_again(run.folder, tmp_path / "typo.json")
    (tmp_path / "suite" / "baseline.json").write_text("{")
    with pytest.raises(InputError, match="is not a baseline"):
        decide_again(run.folder, None)


def test_reports_are_made_anew_without_touching_the_run(run: Run) -> None:
    before = {path.name: path.read_bytes() for path in run.folder.iterdir()}
    assert report_text(run.folder, "md") == before["report.md"]
    assert report_text(run.folder, "junit") == before["junit.xml"]
    assert {path.name: path.read_bytes() for path in run.folder.iterdir()} == before
    with pytest.raises(InputError, match="no report format 'mdd'"):
        report_text(run.folder, "mdd")


def test_runs_of_two_suites_are_not_compared(run: Run, tmp_path: Path) -> None:
    other = probare.Suite(
        "other", target=lambda: "ok", cases=[probare.Case(id="a", expect=[{"equals": "ok"}])]
    )
    second = probare.run(other, runs=tmp_path / "runs")
    with pytest.raises(InputError, match="runs of two suites: 'greeter' and 'other'"):
        diff_runs(run.folder, second.folder)
    assert diff_runs(run.folder, run.folder).fell == ()
