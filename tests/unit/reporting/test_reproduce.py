"""The command that makes a run again."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

from probare.cli.running import run_command
from probare.reporting.reproduce import command

Build = dict[str, Callable[..., Any]]
EVERYTHING = {
    "target": "x y",
    "trials": 3,
    "model": "m",
    "concurrency": 4,
    "timeout": 1.5,
    "retries": 0,
    "max_cost": 2.0,
    "fail_fast": True,
    "select": {
        "cases": ["a*", "b"],
        "tags": ["t"],
        "categories": ["c"],
        "split": "held_out",
        "limit": 2,
        "sample": 1,
        "failed": "old",
    },
}


def test_all_options_come_back_and_are_known_to_the_command(build: Build, tmp_path: Path) -> None:
    baseline = tmp_path / "a baseline.json"
    baseline.touch()
    options = EVERYTHING | {"baseline": str(baseline)}
    line = command(build["plan"](options=options, suite_path="a; rm -rf b"))
    assert line is not None
    words = shlex.split(line)
    assert words[:3] == ["probare", "run", "a; rm -rf b"]
    known = {flag for option in run_command.params for flag in option.opts}
    flags = [word for word in words if word.startswith("--")]
    assert set(flags) <= known
    assert len(flags) == 9 + 8 + 1
    context = run_command.make_context("run", words[2:])
    asked = context.params
    assert asked["cases"] == ("a*", "b")
    assert (asked["timeout"], asked["max_cost"], asked["seed"]) == (1.5, 2.0, 7)


def test_regraded_and_started_from_python(build: Build) -> None:
    reviewed = build["plan"](parent="old run", parent_reason="review")
    assert command(reviewed) == "probare review apply 'old run'"
    regraded = build["plan"](parent="old run", parent_reason="regrade")
    assert command(regraded) == "probare regrade 'old run'"
    assert command(build["plan"](suite_path=None)) is None
