"""The pytest plug-in: the suites of `probare_suites` are collected, each case a test.

It is loaded by every pytest where Probare is installed, so it imports nothing of it until there
is a suite to collect, or a test asks for the fixture `probare_run`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from probare.testing.caseruns import CaseResult

_MARK = (
    "probare(suite, category, split, tag): a case of a Probare suite;"
    " -m probare, or -m \"probare(tag='regression')\", selects such cases"
)
_REVIEWS = ("error", "skip")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options and the settings."""
    group = parser.getgroup("probare", "cases of Probare suites")
    group.addoption(
        "--probare-target",
        metavar="NAME",
        help="run the cases against the target of this name; else probare_target, else the suite's",
    )
    group.addoption(
        "--probare-trials", metavar="N", type=_positive, help="run each case so many times"
    )
    group.addoption(
        "--probare-runs",
        metavar="DIR",
        help="keep all run directories there; else those of cases that did not pass are kept in a"
        " temporary folder",
    )
    parser.addini(
        "probare_suites",
        "suites whose cases are tests: files, folders or patterns, relative to this file",
        type="paths",
        default=[],
    )
    parser.addini("probare_target", "the target to run cases against (default: the suite's)")
    parser.addini(
        "probare_review",
        "what a case is that a person has to judge: error (default) or skip",
        default="error",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Find the configured suites. Raises UsageError where one of them is not there."""
    config.addinivalue_line("markers", _MARK)
    review = config.getini("probare_review")
    if review not in _REVIEWS:
        raise pytest.UsageError(f"probare_review should be error or skip, is {review!r}")
    patterns: list[Path] = config.getini("probare_suites")
    if not patterns:
        return
    from probare.testing.suitefiles import Suites

    config.pluginmanager.register(Suites(config, patterns), "probare-suites")


@pytest.fixture
def probare_run(tmp_path: Path) -> Callable[..., CaseResult]:
    """Run one case from a test: `probare_run(Case(…), target=agent)`, or, of a suite's file,
    `probare_run("case_id", suite="evals", target="staging")`.

    Takes the arguments of `probare.testing.run_case` and returns its CaseResult; the run
    directory is made in the test's `tmp_path`.
    """
    from functools import partial

    from probare.testing.caseruns import run_case

    return partial(run_case, runs=tmp_path / "runs")


def _positive(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"should be a number from 1, is {text!r}")
    return number
