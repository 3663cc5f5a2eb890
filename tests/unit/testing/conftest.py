"""A suite with a case of every ending, and pytest run on it in this process."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from probare import run
from probare.testing import items, plugin

assert items.__doc__  # imported here, so that pytester leaves it where it is

AGENT = """
import os

asked = []


def reply(input):
    asked.append(input)
    if input == "crash":
        raise ValueError("boom \\x1b[31m")
    if input == "flaky":
        return "ok" if asked.count("flaky") == 2 else "no"
    if input == "count":
        return str(len(asked))
    if input == "variable":
        return os.environ.get("GREETING", "none")
    return input


def shout(input):
    return str(input).upper()
"""
SUITE = """
suite: endings
target: {python: "agent:reply"}
targets:
  loud: {python: "agent:shout"}
  away: {http: "${ENDINGS_URL}"}
cases:
  - {id: good, input: hello, tags: [regression], category: greeting, split: carried_over, expect: [{contains: hello}]}
  - {id: bad, input: hello, notes: {why: because}, expect: [{contains: world}]}
  - {id: flaky, input: flaky, trials: 3, expect: [{contains: ok}]}
  - {id: crash, input: crash, expect: [{contains: ok}]}
  - {id: unsure, input: ab, expect: [{language: en}]}
  - {id: unchecked, input: x, expect: [{contains: {text: x, required: false}}]}
  - {id: people, input: x, review: always}
  - {id: people_bad, input: x, review: always, forbid: [{contains: x}]}
  - {id: people_unsure, input: ab, review: always, expect: [{language: en}]}
  - {id: hill, input: x, tags: [capability], expect: [{contains: hello}]}
  - {id: hill_won, input: hello, tags: [capability], expect: [{contains: hello}]}
  - {id: hill_crash, input: crash, tags: [capability], expect: [{contains: ok}]}
  - {id: hill_held, input: x, tags: [capability, regression], expect: [{contains: hello}]}
"""  # noqa: E501

Tried = Callable[..., pytest.RunResult]


@pytest.fixture(scope="session")
def warm(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Import all that a run needs: `pytester` takes out of `sys.modules` what is imported while
    it runs, and modules in C do not bear to be imported twice.
    """
    folder = write(tmp_path_factory.mktemp("warm"))
    run(folder, runs=folder / "runs")


def write(folder: Path) -> Path:
    (folder / "suite.yaml").write_text(SUITE)
    (folder / "agent.py").write_text(AGENT)
    return folder


@pytest.fixture
def endings(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write the suite; return its folder, which lies where pytest is started."""
    monkeypatch.setattr(tempfile, "tempdir", str(pytester.path))
    folder = pytester.path / "endings"
    folder.mkdir()
    return write(folder)


@pytest.fixture
def tried(pytester: pytest.Pytester, warm: None) -> Tried:
    """Run pytest with the plug-in alone, warnings being errors: `tried("-k", "good", …)`."""

    def try_it(*arguments: object, **ini: str) -> pytest.RunResult:
        lines = ["[pytest]", "filterwarnings = error", *(f"{k} = {v}" for k, v in ini.items())]
        (pytester.path / "pytest.ini").write_text("\n".join(lines))
        words = ["-p", "no:probare", "-p", "no:cacheprovider", *map(str, arguments)]
        return pytester.runpytest_inprocess(*words, plugins=[plugin])

    return try_it
