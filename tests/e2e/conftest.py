"""The real command line, in a process of its own, on suites written to a folder."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest


class Result(NamedTuple):
    """What a command left: its exit code and what it printed."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Probare = Callable[..., Result]
WriteSuite = Callable[..., Path]


@pytest.fixture
def probare(tmp_path: Path) -> Probare:
    """Call `probare` in the test's folder."""

    def call(*arguments: str | Path, env: Mapping[str, str] | None = None) -> Result:
        done = subprocess.run(
            [sys.executable, "-m", "probare", *map(str, arguments)],
            cwd=tmp_path,
            env={**os.environ, "NO_COLOR": "1", "COLUMNS": "100", **(env or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        assert "Traceback" not in done.stderr, done.stderr
        return Result(done.returncode, done.stdout, done.stderr)

    return call


@pytest.fixture
def write_suite(tmp_path: Path) -> WriteSuite:
    """Write a suite's files; the agent's module is `agent.py`."""

    def write(suite: str, agent: str = "", name: str = "demo", **files: str) -> Path:
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        # a module of the same size, written in the same second, would be taken for the old one
        shutil.rmtree(folder / "__pycache__", ignore_errors=True)
        (folder / "suite.yaml").write_text(suite)
        if agent:
            (folder / "agent.py").write_text(agent)
        for file, text in files.items():
            (folder / file.replace("__", ".")).write_text(text)
        return folder

    return write


@pytest.fixture
def only_run(tmp_path: Path) -> Callable[[], Path]:
    """Return the one run directory there is."""

    def find() -> Path:
        runs = [path for path in (tmp_path / "runs").iterdir() if path.is_dir()]
        assert len(runs) == 1, runs
        return runs[0]

    return find
