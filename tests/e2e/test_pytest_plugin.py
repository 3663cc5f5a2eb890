"""The pytest plug-in as it is installed, in a pytest of its own, with its usual companions."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import probare
from probare.loading import load
from probare.pipeline.catalogue import BuiltCatalogue

ROOT = Path(__file__).parents[2]
SUITE = """
suite: greeter
target: {python: "greeter_agent:greet"}
cases:
  - {id: hello, input: Ada, expect: [{contains: hello}]}
  - {id: ada, input: Ada, expect: [{contains: ada}], trials: 2}
  - {id: grace, input: Grace, expect: [{contains: ada}]}
  - {id: crash, input: null, expect: [{contains: hello}]}
"""
AGENT = """
def greet(input):
    if input is None:
        raise ValueError("nobody there")
    return f"hello {input}"
"""

Pytest = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a suite and a test, whose warnings are errors."""
    evals = tmp_path / "evals"
    evals.mkdir()
    (evals / "suite.yaml").write_text(SUITE)
    (evals / "greeter_agent.py").write_text(AGENT)
    (tmp_path / "test_one.py").write_text("def test_one():\n    pass\n")
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\naddopts = --strict-markers --strict-config\nfilterwarnings = error\n"
        "probare_suites = evals\n"
    )
    return tmp_path


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    """An environment in which Probare is installed: with an entry point and a list of files."""
    site = tmp_path / "site" / "probare_entry-0.dist-info"
    site.mkdir(parents=True)
    (site / "METADATA").write_text("Metadata-Version: 2.1\nName: probare-entry\nVersion: 0\n")
    (site / "entry_points.txt").write_text("[pytest11]\nprobare = probare.testing.plugin\n")
    (site / "RECORD").write_text("probare/__init__.py,,\nprobare/testing/plugin.py,,\n")
    source = Path(probare.__file__).parents[1]
    ours = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return {**ours, "PYTHONPATH": f"{site.parent}{os.pathsep}{source}", "TMPDIR": str(tmp_path)}


@pytest.fixture
def run_pytest(tmp_path: Path, environ: dict[str, str]) -> Pytest:
    """Run pytest with the plug-in found by its entry point."""

    def run(*arguments: object, folder: Path = tmp_path) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *map(str, arguments)],
            cwd=folder,
            env=environ,
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        assert "Traceback" not in done.stderr, done.stderr
        return done

    return run


def count(done: subprocess.CompletedProcess[str]) -> str:
    """The counts of the last line."""
    return re.sub(r"=+| in [\d.]+s.*", "", done.stdout.splitlines()[-1]).strip()


def test_a_suite_is_collected_beside_the_tests(project: Path, run_pytest: Pytest) -> None:
    done = run_pytest()
    assert done.returncode == 1
    assert count(done) == "1 failed, 3 passed, 1 error"
    assert "evals/suite.yaml .." in done.stdout
    assert "probare run evals/suite.yaml --case grace" in done.stdout


def test_the_plug_in_can_be_left_out(project: Path, run_pytest: Pytest) -> None:
    (project / "pytest.ini").unlink()
    assert count(run_pytest("-p", "no:probare")) == "1 passed"


@pytest.mark.slow
def test_only_what_did_not_pass_runs_again(project: Path, run_pytest: Pytest) -> None:
    assert count(run_pytest()) == "1 failed, 3 passed, 1 error"
    assert count(run_pytest("--lf")) == "1 failed, 1 error"
    agent = project / "evals" / "greeter_agent.py"
    agent.write_text("def greet(input):\n    return 'hello Ada'\n")
    assert count(run_pytest("--lf")) == "2 passed"
    assert count(run_pytest()) == "5 passed"


def test_the_first_failure_ends_it(project: Path, run_pytest: Pytest) -> None:
    assert "stopping after 1 failures" in run_pytest("-x", "evals").stdout


@pytest.mark.slow
def test_cases_are_spread_over_processes(project: Path, run_pytest: Pytest) -> None:
    done = run_pytest("-n", 2, "-v")
    assert count(done) == "1 failed, 3 passed, 1 error"
    assert set(re.findall(r"(\w+) evals/suite\.yaml::(\w+)", done.stdout)) >= {
        ("PASSED", "hello"),
        ("PASSED", "ada"),
        ("FAILED", "grace"),
        ("ERROR", "crash"),
    }
    assert "errored, not failed: target error" in done.stdout


def test_coverage_counts_the_agent_and_warns_of_nothing(project: Path, run_pytest: Pytest) -> None:
    done = run_pytest("--cov=evals", "--cov-report=term", "evals")
    assert count(done) == "1 failed, 2 passed, 1 error"
    assert re.search(r"greeter_agent\.py +4 +0 +100%", done.stdout)
    assert "warning" not in (done.stdout + done.stderr).lower()


@pytest.mark.slow
def test_temporary_runs_are_those_that_did_not_pass(project: Path, run_pytest: Pytest) -> None:
    run_pytest("evals")
    (kept,) = project.glob("probare-pytest-*")
    assert len(list(kept.iterdir())) == 2
    (project / "evals" / "greeter_agent.py").write_text("def greet():\n    return 'hello Ada'\n")
    run_pytest("evals")
    assert list(project.glob("probare-pytest-*")) == [kept]


def test_where_no_suite_is_configured_nothing_of_it_is_imported(
    project: Path, run_pytest: Pytest
) -> None:
    (project / "pytest.ini").unlink()
    (project / "test_one.py").write_text(
        "import sys\n\ndef test_one():\n"
        "    ours = {name for name in sys.modules if name.split('.')[0] == 'probare'}\n"
        "    assert ours == {'probare', 'probare.testing', 'probare.testing.plugin'}\n"
        "    assert 'msgspec' not in sys.modules\n"
    )
    assert count(run_pytest("-p", "no:langsmith_plugin")) == "1 passed"


def test_a_script_that_imports_probare_may_start_pytest(
    project: Path, environ: dict[str, str]
) -> None:
    code = "import sys, probare, pytest; sys.exit(pytest.main(['evals', '-k', 'hello']))"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=project, env=environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "warning" not in (done.stdout + done.stderr).lower()


def test_a_suite_with_a_fault_is_listed_with_its_places(project: Path, run_pytest: Pytest) -> None:
    (project / "evals" / "suite.yaml").write_text(SUITE.replace("contains: ada", "contians: ada"))
    done = run_pytest()
    assert done.returncode == 2
    assert len(re.findall(r"^evals/suite\.yaml:[67]:\d+: .*contians", done.stdout, re.M)) == 2
    assert "2 faults in the suite; nothing ran" in done.stdout
    assert "Traceback" not in done.stdout


def test_the_suites_of_the_examples_are_tests(run_pytest: Pytest) -> None:
    done = run_pytest("examples", "-m", "probare", "--collect-only", folder=ROOT)
    found = set(re.findall(r"^(examples/[\w/]+/suite\.yaml)::(.+)$", done.stdout, re.M))
    suites = sorted(ROOT.glob("examples/**/suite.yaml"))
    assert {file for file, _ in found} == {str(path.relative_to(ROOT)) for path in suites}
    for path in suites:
        cases = {case.id for case in load(path, BuiltCatalogue(), {}).suite.cases}
        assert {case for file, case in found if file == str(path.relative_to(ROOT))} == cases
