"""The settings of the plug-in, and what pytest visits."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

Tried = Callable[..., pytest.RunResult]


@pytest.mark.parametrize(
    ("ini", "said"),
    [
        ({"probare_suites": "absent"}, "probare_suites: there is no suite *absent"),
        ({"probare_suites": "absent*"}, "probare_suites: no suite matches *absent[*]"),
        ({"probare_review": "pass"}, "probare_review should be error or skip, is 'pass'"),
    ],
)
def test_settings_that_cannot_be_end_pytest(tried: Tried, ini: dict[str, str], said: str) -> None:
    result = tried(**ini)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: {said}"])
    assert "Traceback" not in result.stderr.str()


def test_without_suites_nothing_is_collected(tried: Tried, endings: Path) -> None:
    assert tried(endings).ret == pytest.ExitCode.NO_TESTS_COLLECTED


@pytest.mark.parametrize(
    ("arguments", "ini", "count"),
    [
        ([], {}, 2),
        ([], {"testpaths": "tests"}, 2),
        ([], {"testpaths": "endings"}, 1),
        (["tests"], {}, 1),
        (["endings"], {}, 1),
        (["endings/suite.yaml::good"], {}, 1),
    ],
)
def test_suites_are_visited_where_they_should_be(
    tried: Tried, endings: Path, arguments: list[str], ini: dict[str, str], count: int
) -> None:
    tests = endings.parent / "tests"
    tests.mkdir()
    (tests / "test_one.py").write_text("def test_one(): pass\n")
    result = tried(
        *arguments, "-k", "good or one", "--collect-only", "-q", probare_suites="endings", **ini
    )
    found = [line for line in result.outlines if "::" in line]
    assert len(found) == len(set(found)) == count


def test_the_marker_is_known_and_described(tried: Tried) -> None:
    tried("--markers").stdout.fnmatch_lines(["@pytest.mark.probare(suite, category, split, tag):*"])


def test_the_fixture_is_described(tried: Tried) -> None:
    tried("--fixtures").stdout.fnmatch_lines(["probare_run -- *", "*probare_run(Case(*"])


def test_the_fixture_runs_a_case_in_the_tests_folder(tried: Tried, endings: Path) -> None:
    (endings / "test_one.py").write_text(
        "from probare import Case\n\n"
        "def test_passes(probare_run, tmp_path):\n"
        "    result = probare_run(Case(id='a', expect=[{'contains': 'x'}]), target=lambda: 'x')\n"
        "    result.assert_passed()\n"
        "    assert result.run.folder.parent.parent == tmp_path\n\n"
        "def test_fails(probare_run):\n"
        "    case = Case(id='a', expect=[{'contains': 'x'}])\n"
        "    probare_run(case, target=lambda: 'y').assert_passed()\n"
    )
    result = tried(endings)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["E   *CaseFailed: a: failed: expect contains: x: *"])
    assert "raise CaseFailed" not in result.stdout.str()
