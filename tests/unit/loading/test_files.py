from __future__ import annotations

from pathlib import Path

import pytest

from probare.errors import Place
from probare.loading.faultlist import Faults
from probare.loading.files import as_text, read_bytes, shown_path


def test_paths_below_the_working_directory_are_relative(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    assert shown_path(tmp_path / "sub" / "x.yaml") == "x.yaml"
    assert shown_path(Path("y.yaml")) == "y.yaml"
    assert shown_path(tmp_path / "x.yaml") == str(tmp_path / "x.yaml")


def test_what_cannot_be_read_is_said_where_it_was_named(tmp_path: Path) -> None:
    faults = Faults()
    (tmp_path / "cases.yaml").write_text("")
    named_at = Place("suite.yaml", 3, 1)
    assert read_bytes(tmp_path / "case.yaml", faults, named_at) is None
    assert read_bytes(tmp_path, faults) is None
    missing, folder = map(str, faults)
    assert missing.startswith("suite.yaml:3:1: ")
    assert missing.endswith("case.yaml does not exist (did you mean 'cases.yaml'?)")
    assert folder.endswith("is a folder, not a file")


def test_text_is_utf8(tmp_path: Path) -> None:
    faults = Faults()
    assert as_text(b"\xef\xbb\xbfx\xc3\xa9", "f", faults) == "xé"
    assert as_text(b"one\ntwo \xff", "f", faults) is None
    assert as_text("x".encode("utf-16"), "f", faults) is None
    assert [str(fault) for fault in faults] == [
        "f:2:5: is not UTF-8 (save the file as UTF-8)",
        "f:1: is UTF-16, not UTF-8 (save the file as UTF-8)",
    ]
