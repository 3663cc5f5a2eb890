from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import probare
from probare.errors import InputError, RunDirectoryError
from probare.pipeline.catalogue import BuiltCatalogue
from probare.pipeline.regrading import regrade
from probare.pipeline.runs import Run
from probare.stores.reader import RunReader

SUITE = """
suite: greeter
target: {python: "agent:say"}
defaults:
  expect: [{contains: hello}]
cases:
  - {id: a, input: Ada}
  - {id: b, input: crash}
"""


@pytest.fixture
def old(write_suite: Any, tmp_path: Path) -> Run:
    """A run of two cases: one passes, one crashes."""
    return probare.run(write_suite(SUITE), runs=tmp_path / "runs")


def test_the_same_checks_give_the_same_verdicts(old: Run, statuses: Any, tmp_path: Path) -> None:
    before = {path.name: path.read_bytes() for path in old.folder.iterdir()}
    new = regrade(old.folder, BuiltCatalogue(), tmp_path / "runs")
    assert statuses(new) == statuses(old) == {"a": "passed", "b": "errored"}
    assert new.exit_code == old.exit_code
    assert {path.name: path.read_bytes() for path in old.folder.iterdir()} == before
    plan = RunReader(new.folder).plan
    assert (plan.parent, plan.parent_reason) == (old.folder.name, "regrade")
    assert [r.transcript.sha256 for r in new.records()] == [
        r.transcript.sha256 for r in old.records()
    ]
    assert [(r.started, r.duration_ms) for r in new.records()] == [
        (r.started, r.duration_ms) for r in old.records()
    ]
    salts = [r.salt for run in (old, new) for r in run.records()]
    assert len(set(salts)) == len(salts) == 4


def test_a_suites_new_checks_judge_the_old_inputs(
    old: Run, statuses: Any, write_suite: Any, tmp_path: Path
) -> None:
    """The inputs stay those that the agent was given; the checks are today's."""
    changed = SUITE.replace("{contains: hello}", "{contains: $input}").replace("Ada", "Eve")
    new = regrade(old.folder, BuiltCatalogue(), tmp_path / "runs", suite_path=write_suite(changed))
    assert statuses(new) == {"a": "passed", "b": "errored"}
    cases = {case.id: case for case in RunReader(new.folder).suite().cases}
    assert cases["a"].input == "Ada"
    strict = changed.replace("{contains: $input}", "{contains: bye}")
    newer = regrade(old.folder, BuiltCatalogue(), tmp_path / "runs", suite_path=write_suite(strict))
    assert statuses(newer)["a"] == "failed"
    assert newer.exit_code == 1


def test_a_vanished_case_is_refused(old: Run, write_suite: Any, tmp_path: Path) -> None:
    """Field report B82: nothing drops out without a word."""
    shorter = SUITE.replace("  - {id: b, input: crash}\n", "")
    with pytest.raises(InputError, match="no longer has 1 of the run's cases: b"):
        regrade(old.folder, BuiltCatalogue(), tmp_path / "new", suite_path=write_suite(shorter))
    assert not (tmp_path / "new").exists()


def test_an_added_case_is_no_part_of_it(
    old: Run, statuses: Any, write_suite: Any, tmp_path: Path
) -> None:
    longer = write_suite(SUITE + "  - {id: c, input: new}\n")
    new = regrade(old.folder, BuiltCatalogue(), tmp_path / "runs", suite_path=longer)
    assert set(statuses(new)) == {"a", "b"}


@probare.grader
def polite(text: str) -> bool:
    return "hello" in text


def test_a_grader_that_is_no_longer_there_is_refused(tmp_path: Path) -> None:
    """Field report B82: "not regradable", loudly."""
    suite = probare.Suite(
        "s", target=lambda: "hello", cases=[probare.Case(id="a", expect=["polite"])]
    )
    old = probare.run(suite, graders=[polite], runs=tmp_path / "runs")
    assert old.passed
    with pytest.raises(InputError, match="there is no grader 'polite'") as caught:
        regrade(old.folder, BuiltCatalogue(), tmp_path / "new")
    assert "plug-in" in caught.value.hint
    assert not (tmp_path / "new").exists()
    assert regrade(old.folder, BuiltCatalogue([polite]), tmp_path / "new").passed


def test_graders_of_events_are_asked_again_too(tmp_path: Path, statuses: Any) -> None:
    """Field report B82: checks over the trace are graded from the stored transcript."""

    def agent(recorder: Any) -> str:
        recorder.tool(delete)("x")
        return "done"

    def delete(what: str) -> str:
        return what

    suite = probare.Suite(
        "s",
        target=agent,
        cases=[
            probare.Case(id="a", expect=[{"contains": "done"}, {"tool_called": "delete"}]),
            probare.Case(id="b", forbid=[{"tool_called": "delete"}]),
        ],
    )
    old = probare.run(suite, runs=tmp_path)
    new = regrade(old.folder, BuiltCatalogue(), tmp_path)
    assert statuses(new) == statuses(old) == {"a": "passed", "b": "failed"}
    graders = [[verdict.grader for verdict in record.verdicts] for record in new.records()]
    assert sorted(graders) == [["contains", "tool_called"], ["tool_called"]]


def test_secrets_that_a_grader_tells_are_masked(
    tmp_path: Path, write_suite: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    canary = "zq-canary-of-regrading"
    folder = write_suite(
        SUITE.replace("{contains: hello}", "{python: 'mine:told'}"),
        mine__py="import os\n\ndef told(text):\n    return True, os.getenv('DB_PASSWORD', '')\n",
    )
    old = probare.run(folder, runs=tmp_path / "runs")
    monkeypatch.setenv("DB_PASSWORD", canary)
    new = regrade(old.folder, BuiltCatalogue(), tmp_path / "runs")
    text = (new.folder / "trials.jsonl").read_text()
    assert canary not in text
    assert "[secret:DB_PASSWORD#" in text


def test_a_changed_transcript_is_refused(old: Run, tmp_path: Path) -> None:
    path = old.folder / "transcripts.jsonl"
    path.write_bytes(path.read_bytes().replace(b"hello Ada", b"hello Eve"))
    with pytest.raises(RunDirectoryError, match="is not the recorded one"):
        regrade(old.folder, BuiltCatalogue(), tmp_path / "new")
