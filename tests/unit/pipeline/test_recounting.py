from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import probare
from probare.pipeline.recounting import recount
from probare.stores.reader import RunReader

SUITE = """
suite: greeter
target: {python: "agent:say"}
trials: 2
defaults:
  expect: [{contains: hello}, {identical_traces: {}, required: false}]
  forbid: [{contains: bye, weight: 2}]
cases:
  - {id: a, input: Ada, tags: [regression]}
  - {id: b, input: crash}
"""

Edit = Callable[[Any], Any]


@pytest.fixture
def run(write_suite: Any, tmp_path: Path) -> Path:
    """A finished run: one case passes, one crashes."""
    return probare.run(write_suite(SUITE), runs=tmp_path / "runs").folder


def edited(run: Path, name: str, edit: Edit, line: int = 0) -> list[str]:
    """Change one line of a file as a forger would, and return what a recount says."""
    path = run / name
    text = path.read_text()
    if name.endswith(".jsonl"):
        lines = text.splitlines()
        value = json.loads(lines[line])
        edit(value)
        lines[line] = json.dumps(value)
        path.write_text("\n".join(lines) + "\n")
    else:
        value = json.loads(text)
        edit(value)
        path.write_text(json.dumps(value))
    return [f"{found.file}:{found.line}: {found.what}" for found in recount(RunReader(run))]


def put(**values: Any) -> Edit:
    return lambda value: value.update(values)


def inside(*path: str, put: dict[str, Any] | None = None, drop: str = "") -> Edit:
    """Change what stands deeper: put values there, or drop one."""

    def edit(value: Any) -> Any:
        for name in path:
            value = value[name]
        value.update(put or {})
        if drop:
            value.pop(drop)

    return edit


def test_an_honest_run_recounts_to_itself(run: Path) -> None:
    assert list(recount(RunReader(run))) == []


def passed_line(run: Path) -> int:
    lines = (run / "trials.jsonl").read_text().splitlines()
    return next(n for n, line in enumerate(lines) if json.loads(line)["status"] == "passed")


def crashed_line(run: Path) -> int:
    lines = (run / "trials.jsonl").read_text().splitlines()
    return next(n for n, line in enumerate(lines) if json.loads(line)["status"] == "errored")


def test_a_status_that_its_verdicts_do_not_give(run: Path) -> None:
    line = crashed_line(run)
    found = edited(run, "trials.jsonl", put(status="passed"), line)
    assert any(
        what.startswith(f"trials.jsonl:{line + 1}: case b trial")
        and what.endswith("says passed; its verdicts make it errored")
        for what in found
    )
    assert any(what.startswith("summary.json:None: trials: differs") for what in found)


def test_a_verdict_that_vanished(run: Path) -> None:
    line = passed_line(run)
    found = edited(run, "trials.jsonl", lambda value: value["verdicts"].pop(), line)
    assert (
        f"trials.jsonl:{line + 1}: case a has 2 checks to be judged here, the record 1 verdicts"
        in (found)
    )


@pytest.mark.parametrize(
    "change", [put(required=False), put(weight=0.5), put(label="another"), put(list="expect")]
)
def test_a_verdict_of_another_check(run: Path, change: Edit) -> None:
    found = edited(run, "trials.jsonl", lambda v: change(v["verdicts"][1]), passed_line(run))
    assert any("is not of the check 'contains: bye'" in what for what in found)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (put(case="zoe"), "case zoe trial"),
        (put(trial=7), "trial 7 of 'a' is recorded, and 2 were planned"),
        (put(usage={"input_tokens": 1}), "does not tell the usage"),
    ],
)
def test_a_record_that_is_not_of_its_trial(run: Path, change: Edit, told: str) -> None:
    assert told in "\n".join(edited(run, "trials.jsonl", change, passed_line(run)))


def test_a_trial_that_stands_twice(run: Path) -> None:
    def twice(value: Any) -> None:
        value["trial"] = 1 - value["trial"]

    found = edited(run, "trials.jsonl", twice, passed_line(run))
    assert any("of 'a' is recorded twice" in what for what in found)
    assert any("refers to the transcript of case a trial" in what for what in found)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (put(decision="passed"), 'decision: says "passed"; the records give "incomplete"'),
        (put(exit_code=0), "exit_code: says 0; the records give 3"),
        (inside("scores", put={"overall": 1.0}), "scores: differs from what the records give"),
        (inside("per_case", "b", put={"status": "passed"}), "per_case: differs"),
        (inside("per_case", drop="b"), "per_case: differs from what the records give in b"),
        (put(notes=[]), "notes: says []"),
    ],
)
def test_a_summary_that_the_records_do_not_give(run: Path, change: Edit, told: str) -> None:
    found = edited(run, "summary.json", change)
    assert any(what.startswith(f"summary.json:None: {told}") for what in found)


def test_a_case_that_was_taken_out_of_the_suite(run: Path) -> None:
    path = run / "suite.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))
    found = list(recount(RunReader(run)))
    assert "are not those that run.json planned" in found[0].what


def test_case_wide_verdicts_are_held_to_the_suite(run: Path) -> None:
    found = edited(run, "cases.jsonl", put(case="zoe"))
    assert "cases.jsonl:1: case zoe is not planned" in found
    found = edited(run, "cases.jsonl", put(case="a", verdicts=[]))
    assert any("has 1 checks to be judged here, the record 0 verdicts" in what for what in found)


def test_what_cannot_be_read_is_told(run: Path) -> None:
    (run / "summary.json").write_text("{}")
    [found] = recount(RunReader(run))
    assert "summary.json is corrupt" in found.what
