"""Which run directories are kept."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from probare.testing.runfolder import RunFolder


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def made(folder: Path, name: str) -> Path:
    run = folder / name
    run.mkdir(parents=True)
    (run / "run.json").write_text("{}")
    return run


def test_nothing_is_made_before_it_is_needed(temporary: Path) -> None:
    RunFolder(None).close()
    assert list(temporary.iterdir()) == []


def test_a_temporary_folder_goes_when_nothing_is_left_in_it(temporary: Path) -> None:
    runs = RunFolder(None)
    assert runs.path == runs.path
    runs.forget(made(runs.path, "one"))
    runs.close()
    assert list(temporary.iterdir()) == []


def test_what_is_not_forgotten_stays() -> None:
    runs = RunFolder(None)
    run = made(runs.path, "one")
    runs.forget(made(runs.path, "two"))
    runs.close()
    assert [path.name for path in runs.path.iterdir()] == [run.name]


def test_in_a_chosen_folder_all_stay(tmp_path: Path) -> None:
    runs = RunFolder(tmp_path / "chosen")
    run = made(runs.path, "one")
    runs.forget(run)
    runs.close()
    assert run.is_dir()
