"""Which files the settings mean."""

from __future__ import annotations

from pathlib import Path

import pytest

from probare.testing.suitefiles import found


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in (
        "one/suite.yaml",
        "one/cases.yaml",
        "two/suite.json",
        "many/suite.yaml",
        "many/suite.yml",
        "none/README.md",
        "golden/golden_set.json",
        "od[d]/suite.yaml",
        "single.yaml",
        "notes.txt",
    ):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text('{"version": 1, "cases": []}' if "golden" in name else "")
    return tmp_path


@pytest.mark.parametrize(
    ("pattern", "files"),
    [
        ("one", ["one/suite.yaml"]),
        ("two/suite.json", ["two/suite.json"]),
        ("single.yaml", ["single.yaml"]),
        ("t*", ["two/suite.json"]),
        ("*/suite.json", ["two/suite.json"]),
        ("*.*", ["single.yaml"]),
        ("**/suite.yml", ["many/suite.yml"]),
        ("od[d]", ["od[d]/suite.yaml"]),
    ],
)
def test_a_file_a_folder_or_a_pattern(tree: Path, pattern: str, files: list[str]) -> None:
    assert [path.relative_to(tree).as_posix() for path in found(tree / pattern)] == files


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("absent", "there is no suite .*absent"),
        ("absent*", r"no suite matches .*absent\*"),
        ("none*", "no suite matches"),
        ("many", "several suites: suite.yaml, suite.yml"),
        ("none", "none"),
    ],
)
def test_what_means_no_suite_is_refused(tree: Path, pattern: str, said: str) -> None:
    with pytest.raises(pytest.UsageError, match=f"probare_suites: .*{said}"):
        list(found(tree / pattern))
