"""The wheel, alone in an empty environment, makes a suite and runs it."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_wheel_alone_makes_a_suite_and_runs_it(tmp_path: Path) -> None:
    wheels = tmp_path / "wheels"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    build = [*pip, "wheel", "--quiet", "--no-deps", "-w", str(wheels), str(ROOT)]
    subprocess.run(build, check=True, timeout=300)
    wheel = next(wheels.glob("probare-*.whl"))
    home = tmp_path / "venv"
    venv.create(home, with_pip=True)
    python = home / "bin" / "python"
    constraints = ROOT / "constraints.txt"
    install = [str(python), "-m", "pip", "install", "--quiet", "-c", str(constraints), str(wheel)]
    subprocess.run(install, check=True, timeout=600)
    clean = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    for arguments in (["new", "demo"], ["run", "demo"]):
        done = subprocess.run(
            [str(home / "bin" / "probare"), *arguments],
            cwd=tmp_path,
            env=clean,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "demo" / "suite.yaml").exists()
