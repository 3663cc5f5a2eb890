from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import probare
from probare.errors import InputError, RunDirectoryError
from probare.pipeline import baselinefile


@pytest.mark.parametrize(
    ("suite", "baseline"),
    [
        ("suite.yaml", "baseline.json"),
        ("suite.yml", "baseline.json"),
        ("suite.json", "baseline.json"),
        ("other.yaml", "other.baseline.json"),
        ("golden.v2.json", "golden.v2.baseline.json"),
    ],
)
def test_where_it_stands(suite: str, baseline: str, tmp_path: Path) -> None:
    assert baselinefile.path_for(tmp_path / suite) == tmp_path / baseline


def test_beside_the_suite_of_a_folder(tmp_path: Path) -> None:
    assert baselinefile.path_for(tmp_path) == tmp_path / "baseline.json"


def test_none_is_none(tmp_path: Path) -> None:
    assert baselinefile.read(tmp_path / "baseline.json") is None
    assert baselinefile.chosen(None, tmp_path) is None
    assert baselinefile.chosen(None, None) is None


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"{}", b"\xff", b'{"run_id": 5}'])
def test_a_corrupt_one_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    path.write_bytes(content)
    for call in (
        lambda: baselinefile.read(path),
        lambda: baselinefile.chosen(None, tmp_path),
        lambda: baselinefile.chosen(path, None),
    ):
        with pytest.raises(InputError, match=r"baseline.json is not a baseline") as caught:
            call()
        assert "probare baseline set" in caught.value.hint


def test_one_that_is_asked_for_must_exist(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no baseline"):
        baselinefile.chosen(tmp_path / "typo.json", tmp_path)


def test_a_folder_is_no_baseline(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not a baseline"):
        baselinefile.read(tmp_path)


def test_it_is_set_from_a_run_and_read_back(write_suite: Any, tmp_path: Path) -> None:
    folder = write_suite()
    run = probare.run(folder, runs=tmp_path / "runs", trials=2)
    path, written = baselinefile.set_from(run.folder, None)
    assert path == folder / "baseline.json"
    assert baselinefile.read(path) == written == baselinefile.chosen(None, folder)
    assert {case: (kept.n, kept.c) for case, kept in written.cases.items()} == {
        "a": (2, 2),
        "b": (2, 2),
    }
    assert b"\n" in path.read_bytes()
    again = probare.run(folder, runs=tmp_path / "runs")
    assert again.summary is not None
    assert again.summary.baseline is not None


def test_an_incomplete_run_is_none(write_suite: Any, tmp_path: Path) -> None:
    suite = (
        "suite: s\ntarget: {python: 'agent:say'}\n"
        "cases: [{id: a, input: crash, expect: [is_json]}]\n"
    )
    run = probare.run(write_suite(suite), runs=tmp_path / "runs")
    with pytest.raises(InputError, match="is incomplete"):
        baselinefile.set_from(run.folder, None)


def test_a_run_of_a_suite_without_a_file_needs_a_place(tmp_path: Path) -> None:
    suite = probare.Suite(
        "s", target=lambda: "ok", cases=[probare.Case(id="a", expect=[{"equals": "ok"}])]
    )
    run = probare.run(suite, runs=tmp_path / "runs")
    with pytest.raises(RunDirectoryError, match="its suite has no file"):
        baselinefile.set_from(run.folder, None)
    path, _ = baselinefile.set_from(run.folder, tmp_path / "kept.json")
    assert baselinefile.chosen(path, None) is not None
    with pytest.raises(InputError, match="cannot be written"):
        baselinefile.set_from(run.folder, tmp_path / "no" / "such.json")


@pytest.mark.parametrize("beside", [True, False])
def test_a_bad_one_is_told_before_anything_runs(
    beside: bool, write_suite: Any, tmp_path: Path
) -> None:
    folder = write_suite()
    bad = folder / "baseline.json" if beside else tmp_path / "bad.json"
    bad.write_text("{")
    with pytest.raises(InputError, match="is not a baseline"):
        probare.run(folder, runs=tmp_path / "runs", baseline=None if beside else bad)
    assert not (tmp_path / "runs").exists()
