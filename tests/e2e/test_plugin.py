"""A third party's package brings a grader, a target and criteria by entry point."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PLUGIN = Path(__file__).parent.parent / "plugin"


@pytest.fixture
def installed(tmp_path: Path) -> str:
    """Install the toy package into a folder of its own; return that folder."""
    site = tmp_path / "site"
    package = site / "probare_toy"
    package.mkdir(parents=True)
    source = PLUGIN / "src" / "probare_toy" / "__init__.py"
    (package / "__init__.py").write_text(source.read_text())
    info = site / "probare_toy-0.0.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: probare-toy\nVersion: 0.0.1\n")
    (info / "entry_points.txt").write_text(
        "[probare.graders]\ntoy = probare_toy:GRADERS\n"
        "[probare.targets]\ntoy = probare_toy:PARROT\n"
        "[probare.criteria]\ntoy = probare_toy:CRITERIA\n"
    )
    return str(site)


SUITE = """
suite: toy
target: {parrot: "!!"}
cases:
  - {id: a, input: hello, expect: [{shouts: 2}]}
  - {id: b, input: hello, forbid: [{shouts: {marks: 3}}]}
"""


def test_a_plug_in_is_found(probare: Any, write_suite: Any, installed: str) -> None:
    write_suite(SUITE)
    without = probare("check", "demo")
    assert without.code == 2
    assert "shouts" in without.err
    assert "parrot" in without.err
    env = {"PYTHONPATH": installed}
    assert probare("graders", "shouts", env=env).out.startswith("shouts  (version 7")
    assert probare("run", "demo", env=env).code == 0


SCENARIO = {
    "id": "s01",
    "version": "1.0.0",
    "description": "The parrot shouts",
    "adapter": "bird",
    "config": {"marks": 2},
    "pass_criteria": ["The answer shouts"],
    "fail_criteria": ["The answer shouts too loud"],
}


def test_criteria_of_a_plug_in(probare: Any, write_suite: Any, installed: str) -> None:
    folder = write_suite(
        'suite: toy\ntargets: {bird: {parrot: "!!"}}\ncases: [scenarios/*/scenario.json]\n'
    )
    (folder / "scenarios" / "s01_loud").mkdir(parents=True)
    (folder / "scenarios" / "s01_loud" / "scenario.json").write_text(json.dumps(SCENARIO))
    without = probare("check", "demo")
    assert without.code == 2
    assert "unknown criterion 'The answer shouts'" in without.err
    result = probare("run", "demo", "--json", env={"PYTHONPATH": installed})
    assert (result.code, result.json["scores"]["safety"]["value"]) == (0, 1.0)


def test_a_broken_plug_in_is_named(probare: Any, write_suite: Any, installed: str) -> None:
    (Path(installed) / "probare_toy" / "__init__.py").write_text("1 / 0\n")
    write_suite(SUITE)
    result = probare("check", "demo", env={"PYTHONPATH": installed})
    assert result.code == 2
    assert "plug-in toy" in result.err


@pytest.mark.slow
def test_the_package_installs(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
    subprocess.run([*command, "--target", str(folder), str(PLUGIN)], check=True, timeout=300)
    assert (folder / "probare_toy" / "__init__.py").exists()
    assert list(folder.glob("probare_toy-*.dist-info/entry_points.txt"))
