"""The examples of the README and of the package's docstring run as they stand."""

from __future__ import annotations

import os
import re
import textwrap
from pathlib import Path

import click
import pytest

import probare
from probare.cli import root

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
AGENT = "def greet(input):\n    return f\"Hello {input['name']}, how are you today, my friend?\"\n"


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def indented(text: str) -> str:
    """Return the indented example of a docstring."""
    lines = [line for line in text.splitlines() if line.startswith("    ") or not line]
    return textwrap.dedent("\n".join(lines))


PYTHON = [*blocks("python"), indented(probare.__doc__ or "")]


@pytest.mark.parametrize("code", PYTHON, ids=[f"example {n}" for n in range(len(PYTHON))])
def test_python_examples_run(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "assert" in code
    exec(compile(code, "example", "exec"), {"__name__": "example"})
    assert list((tmp_path / "runs").iterdir())


def test_the_suite_in_ten_lines_runs(tmp_path: Path) -> None:
    (suite,) = blocks("yaml")
    (tmp_path / "suite.yaml").write_text(suite)
    (tmp_path / "agent.py").write_text(AGENT)
    result = probare.run(tmp_path, runs=tmp_path / "runs")
    assert result.passed, result.summary
    assert len([line for line in suite.splitlines() if line.strip()]) <= 12


def test_every_command_that_is_named_exists() -> None:
    named = set(re.findall(r"`probare ([a-z]+)", README))
    context = click.Context(root)
    assert named
    assert named <= set(root.list_commands(context))


def test_every_room_of_the_house_is_on_the_map() -> None:
    rooms = {path.name for path in (Path(probare.__file__).parent).iterdir() if path.is_dir()}
    (house,) = [block for block in blocks("text") if "src/probare/" in block]
    words = set(re.findall(r"[a-z]+", house))
    assert rooms - {"__pycache__"} <= words


def test_the_two_commands_are_targets_of_the_makefile() -> None:
    makefile = Path(__file__).parents[2] / "Makefile"
    if not makefile.exists():
        pytest.skip("not in a checkout")
    targets = set(re.findall(r"^([a-z]+):", makefile.read_text(), re.MULTILINE))
    assert {"run", "test", "lint"} <= targets
    assert os.path.isfile(makefile.parent / "LICENSE")
