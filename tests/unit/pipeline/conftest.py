"""Small suites, as files and in Python, and the catalogue that there is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from probare.loading import Loaded, load
from probare.pipeline.catalogue import BuiltCatalogue
from probare.pipeline.runs import Run

AGENT = """
from probare import Outcome

def say(input):
    if input == "crash":
        raise ValueError("down")
    return f"hello {input}"
"""

SUITE = """
suite: greeter
target: {python: "agent:say"}
defaults:
  expect: [{contains: hello}]
cases:
  - {id: a, input: Ada, tags: [one, regression], category: x}
  - {id: b, input: Bob, tags: [two], category: y, split: carried_over}
"""

WriteSuite = Callable[..., Path]


@pytest.fixture
def write_suite(tmp_path: Path) -> WriteSuite:
    """Write a suite's folder: `suite.yaml`, `agent.py`, and other files by name."""

    def write(suite: str = SUITE, agent: str = AGENT, name: str = "suite", **files: str) -> Path:
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        (folder / "suite.yaml").write_text(suite)
        (folder / "agent.py").write_text(agent)
        for file, text in files.items():
            (folder / file.replace("__", ".")).write_text(text)
        return folder

    return write


@pytest.fixture
def loaded(write_suite: WriteSuite) -> Callable[..., Loaded]:
    """Load a written suite."""

    def call(suite: str = SUITE, environ: dict[str, str] | None = None, **more: Any) -> Loaded:
        return load(write_suite(suite, **more), BuiltCatalogue(), environ or {})

    return call


@pytest.fixture
def statuses() -> Callable[[Run], dict[str, str]]:
    """Return the status of each case of a finished run."""

    def call(run: Run) -> dict[str, str]:
        assert run.summary is not None
        return {case: found.status for case, found in run.summary.per_case.items()}

    return call
