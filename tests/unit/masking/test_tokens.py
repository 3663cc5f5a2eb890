"""A secret's token: equal for equal values, under a key that stays outside of any run."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from probare.errors import InputError
from probare.masking import Masker, tokens


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(tokens.VARIABLE, raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(tokens, "_own", {})


def test_equal_values_have_equal_digests_whatever_their_names() -> None:
    one, other = tokens.secret_token("A", "a value"), tokens.secret_token("B", "a value")
    assert one.partition("#")[2] == other.partition("#")[2]
    assert one.startswith("[secret:A#")
    assert tokens.secret_token("A", "another") != one


def test_every_form_of_a_secret_has_the_digest_of_the_secret() -> None:
    secret = "k9Qw7Lm2Zx8Rt4Vb6Nc1k9Qw"
    masker = Masker({"K": secret})
    token = tokens.secret_token("K", secret)
    assert masker.mask_text(secret) == token
    assert token in masker.mask_text(f"x{secret[:12]}")
    assert masker.mask_bytes(f'["{secret}"]'.encode()) == f'["{token}"]'.encode()


def test_no_identifier_of_digits_can_stand_in_a_digest() -> None:
    digests = {tokens.secret_token("N", str(n)).partition("#")[2] for n in range(200)}
    assert len(digests) == 200
    assert not any(char.isdigit() for digest in digests for char in digest)


def test_names_are_made_safe() -> None:
    assert tokens.secret_token('a"\n] b', "x").startswith("[secret:a____b#")


def test_the_key_is_made_once_for_its_user_alone(tmp_path: Path) -> None:
    path = tmp_path / "state" / "probare" / "mask.key"
    first = tokens.mask_key()
    assert path.read_bytes() == first
    assert len(first) == 32
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    tokens._own.clear()  # pyright: ignore[reportPrivateUsage]
    assert tokens.mask_key() == first
    assert [entry.name for entry in path.parent.iterdir()] == ["mask.key"]


def test_no_key_is_made_where_nothing_is_masked(tmp_path: Path) -> None:
    masker = Masker({"K": "a long secret value"})
    assert masker.mask_bytes(b'{"text":"nothing of it"}') == b'{"text":"nothing of it"}'
    assert not (tmp_path / "state").exists()


def test_a_key_of_the_environment_comes_first(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    mine = tokens.secret_token("A", "x")
    monkeypatch.setenv(tokens.VARIABLE, "shared between machines")
    shared = tokens.secret_token("A", "x")
    assert shared != mine
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "elsewhere"))
    assert tokens.secret_token("A", "x") == shared
    assert not (tmp_path / "elsewhere").exists()


def test_a_short_key_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(tokens.VARIABLE, "short")
    with pytest.raises(InputError, match="fewer than 16 characters"):
        tokens.mask_key()


def test_where_no_file_can_be_the_process_has_its_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    assert tokens.mask_key() == tokens.mask_key()
    monkeypatch.setattr(Path, "home", lambda: (_ for _ in ()).throw(RuntimeError("no home")))
    monkeypatch.delenv("XDG_STATE_HOME")
    assert tokens.key_path() is None
    assert tokens.mask_key() == tokens.mask_key()


def test_a_faster_process_wins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "state" / "probare" / "mask.key"
    link = os.link

    def second(source: Path, target: Path) -> None:
        target.write_bytes(b"of the other process: 32 bytes..")
        link(source, target)

    monkeypatch.setattr(os, "link", second)
    assert tokens.mask_key() == b"of the other process: 32 bytes.."
    assert [entry.name for entry in path.parent.iterdir()] == ["mask.key"]


def test_the_folder_is_the_users_own_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "relative")
    assert tokens.key_path() == Path.home() / ".local" / "state" / "probare" / "mask.key"
