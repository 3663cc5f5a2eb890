"""`probare trace hash|show|diff` on real runs."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

AGENT = """
from pathlib import Path

def run(input, recorder, trial):
    with Path("imports.txt").open("a") as file:
        file.write("ran")
    def look(drug):
        return {"dose": 500}
    look = recorder.tool(look)
    recorder.message("user", "hello")
    look(drug=input["drug"])
    if input.get("clock"):
        recorder.note("tick", {"trial": trial})
    return "done"
"""
SUITE = """
suite: traced
target: {python: "agent:run"}
trials: 2
cases:
  - {id: stable, input: {drug: metformin}, expect: [identical_traces]}
  - {id: ticking, input: {drug: aspirin, clock: true}, expect: [{contains: done}]}
"""


@pytest.fixture
def run(probare: Any, write_suite: Any, only_run: Callable[[], Path], tmp_path: Path) -> Path:
    """A run; the suite and its agent are gone."""
    folder = write_suite(SUITE, AGENT)
    assert probare("run", "demo").code == 0
    for name in ("suite.yaml", "agent.py"):
        (folder / name).unlink()
    return only_run().relative_to(tmp_path)


def test_hashes_of_all_trials(probare: Any, run: Path) -> None:
    result = probare("trace", "hash", run, "stable")
    lines = result.out.splitlines()
    hashes = [re.fullmatch(r"trial (\d)  ([0-9a-f]{64})  \(3 events\)", line) for line in lines[:2]]
    assert [found and found[1] for found in hashes] == ["0", "1"]
    assert len({found[2] for found in hashes if found}) == 1
    assert lines[2] == "2 trials, one trace"
    assert lines[3].startswith("outside the hash: the harness's clocks")
    assert result.code == 0


def test_hashes_that_differ(probare: Any, run: Path) -> None:
    result = probare("trace", "hash", run, "ticking")
    assert result.code == 1
    assert "2 trials, 2 different traces" in result.out
    assert probare("trace", "hash", run, "ticking", "1").code == 0


def test_the_steps(probare: Any, run: Path) -> None:
    result = probare("trace", "show", run, "stable")
    assert result.code == 0
    lines = result.out.splitlines()
    assert lines[:4] == [
        "stable, trial 0 of 2: 3 events",
        "  0  user (claimed)",
        "       hello",
        "  1  call look",
    ]
    assert lines[4] == "       drug: metformin"
    assert re.fullmatch(r"       2  look answered in [0-9.]+ ms", lines[5])
    assert lines[6] == '            {"dose": 500}'


def test_the_first_difference(probare: Any, run: Path) -> None:
    same = probare("trace", "diff", run, "stable")
    assert same.code == 0
    assert same.out.startswith("trial 0 and trial 1 left one trace: ")
    apart = probare("trace", "diff", run, "ticking")
    assert apart.code == 1
    assert apart.out == (
        "the traces part at event 3 (note), in data.trial\n  trial 0: 0\n  trial 1: 1\n"
    )
    backwards = probare("trace", "diff", run, "ticking", "1", "0")
    assert backwards.out.endswith("  trial 1: 1\n  trial 0: 0\n")


def test_across_runs(probare: Any, run: Path, tmp_path: Path, write_suite: Any) -> None:
    write_suite(SUITE.replace("aspirin", "ibuprofen"), AGENT)
    assert probare("run", "demo", "--runs", "others").code == 0
    (other,) = (path for path in (tmp_path / "others").iterdir() if path.is_dir())
    assert probare("trace", "diff", run, "stable", "--other", other).code == 0
    apart = probare("trace", "diff", run, "ticking", "--other", other)
    assert apart.code == 1
    assert "arguments.drug" in apart.out
    assert "trial 0 of the other run: ibuprofen" in apart.out


def test_bad_input(probare: Any, run: Path, tmp_path: Path) -> None:
    for arguments, said in (
        (("hash", run, "stabel"), "did you mean 'stable'?"),
        (("hash", run, "stable", "9"), "it holds: 0, 1"),
        (("show", run, "stable", "-1"), "No such option"),
        (("show", run, "stable", "x"), "'x' is not a valid integer"),
        (("diff", run, "stable", "1", "1"), "these are one trial"),
        (("diff", run, "stable", "--other", "nowhere"), "does not exist"),
        (("hash", tmp_path / "demo", "stable"), "is not a run directory"),
    ):
        result = probare("trace", *arguments)
        assert (result.code, said in result.err) == (2, True), (arguments, result)


def test_none_of_it_imports_or_runs_the_suite(probare: Any, run: Path, tmp_path: Path) -> None:
    ran = (tmp_path / "imports.txt").read_text()
    (tmp_path / "demo" / "agent.py").write_text("raise SystemExit('imported')")
    for arguments in (("hash", run, "stable"), ("show", run, "stable"), ("diff", run, "stable")):
        assert probare("trace", *arguments).code == 0
    assert (tmp_path / "imports.txt").read_text() == ran
