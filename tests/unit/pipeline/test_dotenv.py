from __future__ import annotations

import os
from pathlib import Path

import pytest

from probare.errors import InputError
from probare.pipeline.dotenv import filled_environ


def test_it_fills_what_is_not_set_for_as_long_as_it_lasts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOTENV_SET", "of the shell")
    monkeypatch.delenv("DOTENV_UNSET", raising=False)
    (tmp_path / ".env").write_text(
        "DOTENV_SET=of the file\nDOTENV_UNSET='a ${HOME} b'\n# note\nDOTENV_BARE\n"
    )
    with filled_environ(tmp_path) as environ:
        assert environ["DOTENV_SET"] == os.environ["DOTENV_SET"] == "of the shell"
        assert environ["DOTENV_UNSET"] == os.environ["DOTENV_UNSET"] == "a ${HOME} b"
        assert "DOTENV_BARE" not in environ
    assert "DOTENV_UNSET" not in os.environ
    assert os.environ["DOTENV_SET"] == "of the shell"


def test_it_is_taken_back_after_an_error_too(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("DOTENV_UNSET=1\n")
    with pytest.raises(RuntimeError), filled_environ(tmp_path):
        raise RuntimeError
    assert "DOTENV_UNSET" not in os.environ


def test_without_one_nothing_changes(tmp_path: Path) -> None:
    with filled_environ(tmp_path) as environ:
        assert environ == dict(os.environ)


def test_one_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"A=\xff\xfe\n")
    with pytest.raises(InputError, match=r"\.env cannot be read"), filled_environ(tmp_path):
        raise AssertionError
