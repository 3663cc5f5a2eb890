from __future__ import annotations

from typing import Any

import pytest


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("c.yaml", "id: a\ninput: 1\n"),
        ("c.yml", "- id: a\n  input: 1\n"),
        ("c.yaml", "cases:\n  - id: a\n    input: 1\n"),
        ("c.json", '{"id": "a", "input": 1}'),
        ("c.json", '[{"id": "a", "input": 1}]'),
        ("c.json", '{"cases": [{"id": "a", "input": 1}]}'),
        ("c.jsonl", '{"id": "a", "input": 1}'),
        ("c.NDJSON", '{"id": "a", "input": 1}\n\n'),
    ],
)
def test_one_case_in_every_form(folder: Any, name: str, text: str) -> None:
    folder.suite(f"suite: s\ncases: [{name}]\n").write(name, text)
    (case,) = folder.load().suite.cases
    assert (case.id, case.input) == ("a", 1)


def test_patterns_are_sorted_and_look_below(folder: Any) -> None:
    folder.suite("suite: s\ncases: ['cases/**/*.yaml']\n")
    for name in ("cases/b.yaml", "cases/a.yaml", "cases/x/c.yaml", "cases/skip.txt"):
        folder.write(name, f"id: {name.replace('/', '_')}\n")
    ids = [case.id for case in folder.load().suite.cases]
    assert ids == ["cases_a.yaml", "cases_b.yaml", "cases_x_c.yaml"]


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("case.yaml", "there is no file 'case.yaml' (did you mean 'cases.yaml'?)"),
        ("sub/x.yaml", "there is no file 'sub/x.yaml'"),
        ("nowhere/*.yaml", "'nowhere/*.yaml' matches no file (looked in "),
        ("sub", "'sub' is a folder (name its files: sub/*.yaml)"),
        ("s*b", "'s*b' matches no file"),
    ],
)
def test_files_that_are_not_there(folder: Any, name: str, hint: str) -> None:
    folder.write("cases.yaml", "id: a\n")
    (folder.path / "sub").mkdir()
    (fault,) = folder.suite(f"suite: s\ncases: ['{name}']\n").faults()
    assert fault.startswith(f"suite.yaml:2:9: cases[0]: {hint}")


def test_a_file_that_goes_away_is_a_fault(folder: Any) -> None:
    folder.suite("suite: s\ncases: [gone.jsonl, gone.csv, gone.yaml]\n")
    for name in ("gone.jsonl", "gone.csv", "gone.yaml"):
        (folder.path / name).symlink_to(folder.path / "nothing")
    assert [fault.split(": ")[1] for fault in folder.faults()] == [f"cases[{n}]" for n in range(3)]
