"""`probare show RUN CASE` on a real run."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

AGENT = """
import os

def run(input, recorder, trial):
    recorder.message("user", "What dose for me?")
    def look(drug):
        return {"dose": "500 mg", "key": os.environ["MY_API_KEY"]}
    look = recorder.tool(look)
    look(drug="metformin")
    recorder.decision("look", "allow", policy="minimum", reason="fine")
    recorder.usage(input_tokens=3, output_tokens=4)
    if trial == 2:
        return "Take \\x1b[2J500 mg with food."
    if trial == 1:
        raise RuntimeError("it broke")
    return "Take 500 mg."
"""
SUITE = """
suite: shown
target: {python: "agent:run"}
trials: 3
cases:
  - id: dose
    description: It says the dose
    input: {query: dose}
    expect: [{contains: 500 mg}]
    forbid: [{contains: food, label: No food}]
"""
SECRET = "correct-horse-battery-staple-42"


@pytest.fixture
def run(probare: Any, write_suite: Any, only_run: Callable[[], Path], tmp_path: Path) -> Path:
    folder = write_suite(SUITE, AGENT)
    assert probare("run", "demo", env={"MY_API_KEY": SECRET}).code == 1
    (folder / "agent.py").unlink()
    return only_run().relative_to(tmp_path)


def test_all_trials_failed_ones_first(probare: Any, run: Path) -> None:
    result = probare("show", run, "dose", env={"COLUMNS": "80"})
    assert result.code == 0
    out = result.out
    at = [out.index(f"dose, trial {number}  {word}") for number, word in (
        (2, "✗ failed"), (1, "! errored"), (0, "✓ passed"))]  # fmt: skip
    assert at == sorted(at)
    assert max(map(len, out.splitlines())) <= 80
    assert "\x1b" not in out
    assert SECRET not in out


def test_one_trial(probare: Any, run: Path) -> None:
    out = probare("show", run, "dose", "2").out
    assert out.count("dose, trial") == 1
    for part in (
        "  It says the dose",
        "user (claimed)",
        "What dose for me?",
        "call look\n",
        "drug: metformin",
        "look answered in",
        "decision: allow look (claimed)",
        "policy: minimum",
        "usage: 3 input tokens, 4 output tokens (claimed)",
        "Output\n  Take \\x1b[2J500 mg with food.",
        "✗ fail  forbid No food (contains)",
        "500 mg with «food».",
        "✓ pass  expect contains: 500 mg (contains)",
    ):
        assert part in out, part


def test_a_trial_that_broke_says_why(probare: Any, run: Path) -> None:
    out = probare("show", run, "dose", "1").out
    assert "\n  target error: " in out
    assert "RuntimeError: it broke" in out
    assert "No output" in out


def test_bad_input(probare: Any, run: Path) -> None:
    unknown = probare("show", run, "dos")
    assert unknown.code == 2
    assert "the run has no case 'dos'" in unknown.err
    assert "did you mean 'dose'?" in unknown.err
    assert probare("show", run, "dose", "3").code == 2


def test_it_is_paged_on_a_terminal(run: Path, tmp_path: Path) -> None:
    """The pager is asked once, with everything; colours are there."""
    pager = tmp_path / "pager"
    pager.write_text("#!/bin/sh\ncat > paged.txt\n")
    pager.chmod(0o755)
    env = {**os.environ, "PAGER": str(pager), "TERM": "xterm", "COLUMNS": "80"}
    env.pop("NO_COLOR", None)
    main, side = pty.openpty()
    try:
        command = [sys.executable, "-m", "probare", "show", str(run), "dose", "2"]
        done = subprocess.run(
            command, cwd=tmp_path, env=env, stdin=side, stdout=side, timeout=60, check=False
        )
    finally:
        os.close(side)
        os.close(main)
    paged = (tmp_path / "paged.txt").read_text()
    assert done.returncode == 0
    assert "dose, trial 2" in paged
    assert "Take \\x1b[2J500 mg" in paged
    assert "\x1b[2J" not in paged
