from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest

import probare
from probare.errors import InputError, RunDirectoryError
from probare.model.verdict import Verdict
from probare.pipeline.runs import Run
from probare.ports.grader import Grader, TrialView, holds
from probare.stores.writer import locked


class SameOutput(Grader, frozen=True, kw_only=True):
    """All trials of a case have the same output."""

    NAME: ClassVar[str] = "same_output"
    LOOKS_AT: ClassVar[str | None] = None
    SCOPE: ClassVar[Any] = "case"

    def grade_case(self, trials: Sequence[TrialView]) -> Verdict:
        outputs = {str(trial.transcript.outcome.output) for trial in trials}
        return holds(len(outputs) == 1, f"{len(outputs)} different outputs")


Agent = Callable[..., Any]


def suite(agent: Agent, cases: int = 3, check: Any = None, **keys: Any) -> probare.Suite:
    expect = [check or {"equals": "ok"}]
    return probare.Suite(
        "s",
        target=agent,
        cases=[probare.Case(id=f"c{n}", input=n, expect=expect) for n in range(cases)],
        **keys,
    )


def cut_to(run: Run, lines: int) -> None:
    """Leave a run as a kill would: so many whole trials, half of the next, no conclusion."""
    trials = run.folder / "trials.jsonl"
    kept = trials.read_bytes().splitlines(keepends=True)
    rest = kept[lines][:25] if lines < len(kept) else b""
    trials.write_bytes(b"".join(kept[:lines]) + rest)
    unseal(run)
    for name in ("summary.json", "report.md", "junit.xml"):
        (run.folder / name).unlink()


def unseal(run: Run) -> None:
    """Leave a run as a kill would between its end and its seal."""
    for path in run.folder.glob("manifest.*"):
        path.unlink()


def counted(run: Run) -> Counter[tuple[str, int]]:
    return Counter((record.case, record.trial) for record in run.records())


class TestResume:
    def test_exactly_what_is_missing_runs(self, tmp_path: Path) -> None:
        asked: list[tuple[str, int, int]] = []

        def agent(case: Any, trial: int, seed: int) -> str:
            asked.append((case.id, trial, seed))
            return "ok"

        first = probare.run(suite(agent), runs=tmp_path, trials=2, seed=3, concurrency=1)
        whole = list(asked)
        cut_to(first, 2)
        assert first.folder.joinpath("trials.jsonl").read_bytes()[-1:] != b"\n"
        interrupted = Run(first.folder)
        assert (interrupted.exit_code, interrupted.summary) == (130, None)
        with pytest.raises(RunDirectoryError, match="was interrupted") as caught:
            _ = interrupted.scores
        assert f"probare run --resume {first.folder}" in caught.value.hint
        asked.clear()
        again = probare.run(suite(agent), runs=tmp_path / "unused", resume=first.folder)
        assert asked == whole[2:]
        assert again.folder == first.folder
        assert again.exit_code == 0
        assert set(counted(again).values()) == {1}
        assert len(counted(again)) == 6
        assert not (tmp_path / "unused").exists()

    def test_a_changed_suite_is_refused(self, tmp_path: Path) -> None:
        run = probare.run(suite(lambda: "ok"), runs=tmp_path)
        unseal(run)
        before = (run.folder / "trials.jsonl").read_bytes()
        for changed in (
            suite(lambda: "ok", cases=4),
            suite(lambda: "ok", check={"equals": "no"}),
            suite(lambda: "ok", trials=2),
        ):
            with pytest.raises(RunDirectoryError, match="the suite has changed"):
                probare.run(changed, resume=run.folder)
        assert (run.folder / "trials.jsonl").read_bytes() == before
        assert Run(run.folder).exit_code == 0

    def test_a_sealed_run_is_refused(self, tmp_path: Path) -> None:
        run = probare.run(suite(lambda: "ok"), runs=tmp_path)
        with pytest.raises(RunDirectoryError, match="is sealed"):
            probare.run(suite(lambda: "ok"), resume=run.folder)

    def test_a_run_in_which_another_writes_is_left_alone(self, tmp_path: Path) -> None:
        """Cutting back what another process has half written would lose it."""
        run = probare.run(suite(lambda: "ok"), runs=tmp_path)
        cut_to(run, 1)
        before = {path.name: path.read_bytes() for path in run.folder.iterdir()}
        with (
            locked(run.folder),
            pytest.raises(RunDirectoryError, match="being written by another process"),
        ):
            probare.run(suite(lambda: "ok"), resume=run.folder, retry_errored=True)
        assert {path.name: path.read_bytes() for path in run.folder.iterdir()} == before

    def test_errored_trials_run_again_when_asked(self, tmp_path: Path) -> None:
        broken = True
        asked: list[str] = []

        def agent(case: Any) -> str:
            asked.append(case.id)
            if broken and case.id != "c0":
                raise ValueError("down")
            return "ok" if case.id != "c2" else "no"

        made = suite(agent)
        run = probare.run(made, runs=tmp_path)
        assert run.exit_code == 3
        asked.clear()
        unseal(run)
        assert probare.run(made, resume=run.folder).exit_code == 3
        assert asked == []
        unseal(run)
        broken = False
        again = probare.run(made, resume=run.folder, retry_errored=True)
        assert sorted(asked) == ["c1", "c2"]
        assert again.exit_code == 1
        assert counted(again) == Counter({("c0", 0): 1, ("c1", 0): 1, ("c2", 0): 1})
        assert all(again.transcript(record).case == record.case for record in again.records())

    def test_the_selection_of_then_holds(self, tmp_path: Path) -> None:
        made = suite(lambda: "ok", cases=6)
        run = probare.run(made, runs=tmp_path, sample=3, seed=1)
        planned = set(counted(run))
        cut_to(run, 1)
        assert set(counted(probare.run(made, resume=run.folder))) == planned


class TestCaseWideChecks:
    def graded(self, folder: Path) -> list[dict[str, Any]]:
        return [json.loads(line) for line in (folder / "cases.jsonl").read_text().splitlines()]

    def run(self, agent: Agent, tmp_path: Path, **options: Any) -> Run:
        made = suite(agent, cases=2, check="same_output")
        return probare.run(made, runs=tmp_path, graders=[SameOutput], **options)

    def test_they_read_all_trials_and_ask_for_two(self, tmp_path: Path) -> None:
        def agent(case: Any, trial: int) -> str:
            return f"{trial}" if case.id == "c1" else "ok"

        run = self.run(agent, tmp_path)
        assert counted(run) == Counter({(f"c{c}", t): 1 for c in (0, 1) for t in (0, 1)})
        found = {line["case"]: line["verdicts"][0]["result"] for line in self.graded(run.folder)}
        assert found == {"c0": "pass", "c1": "fail"}
        assert run.exit_code == 1

    def test_those_that_an_interruption_left_out_are_made_up_for(self, tmp_path: Path) -> None:
        run = self.run(lambda: "ok", tmp_path)
        cases = run.folder / "cases.jsonl"
        cases.write_bytes(cases.read_bytes().splitlines(keepends=True)[0] + b'{"case": "c')
        unseal(run)
        (run.folder / "summary.json").unlink()
        made = suite(lambda: "ok", cases=2, check="same_output")
        again = probare.run(made, graders=[SameOutput], resume=run.folder)
        assert again.exit_code == 0
        assert sorted(line["case"] for line in self.graded(run.folder)) == ["c0", "c1"]


class TestBeforeAnythingRuns:
    @pytest.mark.parametrize(
        ("options", "check", "message"),
        [
            ({"target": "other"}, None, "has no target 'other'"),
            ({"cases": "c9"}, None, "--case c9 matches no case"),
            ({"baseline": "typo.json"}, None, "there is no baseline typo.json"),
            ({"trials": 0}, None, "trials should be at least 1"),
            ({}, {"is_json": None, "transform": "nowhere_at_all:f"}, "no module"),
        ],
    )
    def test_bad_input_leaves_no_run(
        self, options: dict[str, Any], check: Any, message: str, tmp_path: Path
    ) -> None:
        asked: list[str] = []

        def agent() -> str:
            asked.append("once")
            return "ok"

        runs = tmp_path / "runs"
        with pytest.raises(InputError, match=message):
            probare.run(suite(agent, check=check), runs=runs, **options)
        assert asked == []
        assert not runs.exists() or not list(runs.iterdir())

    def test_a_target_that_cannot_be_had_leaves_no_run(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="no module 'nowhere_at_all'"):
            probare.run(
                probare.Suite(
                    "s",
                    target={"python": "nowhere_at_all:f"},
                    cases=[probare.Case(id="a", expect=["is_json"])],
                    folder=tmp_path,
                ),
                runs=tmp_path / "runs",
            )
        assert list((tmp_path / "runs").iterdir()) == []


def test_two_runs_never_share_a_directory(tmp_path: Path) -> None:
    """Field report B62."""
    runs = [probare.run(suite(lambda: "ok"), runs=tmp_path) for _ in range(3)]
    assert len({run.folder for run in runs}) == 3
    assert len(list(tmp_path.iterdir())) == 3


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RunDirectoryError, match="cannot make the run directory") as caught:
        probare.run(suite(lambda: "ok"), runs=tmp_path / "file")
    assert "--runs" in caught.value.hint


def test_how_a_run_reads(tmp_path: Path) -> None:
    run = probare.run(suite(lambda: "ok"), runs=tmp_path)
    assert repr(run) == f"<Run {run.folder.name}: passed>"
    assert run.passed
    assert run.scores.pass_rate.value == 1.0
    assert list(run.case_records()) == []
