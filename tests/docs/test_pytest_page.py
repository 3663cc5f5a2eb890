"""`docs/pytest.md`: its example runs, its options and settings are those there are."""

from __future__ import annotations

import re
import tempfile
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import probare.testing
from probare.testing import CaseResult

PAGE = (Path(__file__).parents[2] / "docs" / "pytest.md").read_text(encoding="utf-8")


def test_the_example_is_a_test_that_passes(probare_run: Callable[..., CaseResult]) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(code, "docs/pytest.md", "exec"), names)
    names["test_it_greets"](probare_run)


def test_the_example_of_the_package_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    lines = (probare.testing.__doc__ or "").splitlines()
    code = textwrap.dedent("\n".join(line for line in lines if line.startswith("    ") or not line))
    names: dict[str, Any] = {}
    exec(compile(code, "probare.testing", "exec"), names)
    names["test_it_greets"]()


def test_every_option_and_setting_is_named(pytestconfig: pytest.Config) -> None:
    named = set(re.findall(r"--probare-\w+|probare_(?:suites|target|review)", PAGE))
    assert named == {
        "--probare-target",
        "--probare-trials",
        "--probare-runs",
        "probare_suites",
        "probare_target",
        "probare_review",
    }
    for name in named:
        known = pytestconfig.getoption if name.startswith("-") else pytestconfig.getini
        known(name)
