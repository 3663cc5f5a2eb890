"""Sealing: once, in order, whole, and finished after a kill."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from probare.errors import InputError, RunDirectoryError
from probare.evidence import names, writing
from probare.evidence.keys import generate, load_private
from probare.evidence.manifest import Parent
from probare.evidence.sealing import seal, seal_state
from probare.evidence.verifying import examine

ORDER = [
    "VERIFY.md",
    "trials.leaves",
    "manifest.json",
    "manifest.sha256",
    "trials.checkpoint",
    "transcripts.checkpoint",
    "attestations.intoto.jsonl",
]


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    names_written: list[str] = []
    real = writing.write_whole

    def write(folder: Path, name: str, data: bytes) -> None:
        real(folder, name, data)
        names_written.append(name)

    monkeypatch.setattr("probare.evidence.sealing.write_whole", write)
    return names_written


def test_without_a_key(finished: Path, written: list[str]) -> None:
    before = {p.name: p.read_bytes() for p in finished.iterdir() if p.is_file()}
    sealed = seal(finished)
    assert written == ORDER[:4]
    assert (sealed.run_id, sealed.trials, sealed.key_id) == (finished.name, 8, None)
    assert seal_state(finished) == "sealed"
    for name, data in before.items():
        assert (finished / name).read_bytes() == data
    assert examine(finished).intact


def test_with_a_key(finished: Path, keys: Any, written: list[str]) -> None:
    assert seal_state(finished) == "unsealed"
    sealed = seal(finished, key=keys.signing)
    assert written == ORDER
    assert sealed.key_id == keys.verifying.key_id
    assert seal_state(finished) == "signed"
    assert examine(finished, public=keys.verifying).intact


def test_the_same_run_has_the_same_manifest(
    unsealed_run: Path, plain: Path, tmp_path: Path
) -> None:
    import shutil

    again = tmp_path / "again" / unsealed_run.name
    shutil.copytree(unsealed_run, again)
    seal(again)
    assert (again / "manifest.json").read_bytes() == (plain / "manifest.json").read_bytes()


def test_signatures_are_added_without_a_sealed_byte_changing(plain: Path, keys: Any) -> None:
    before = {p.name: p.read_bytes() for p in plain.iterdir() if p.is_file()}
    seal(plain, key=keys.signing)
    assert all((plain / name).read_bytes() == data for name, data in before.items())
    assert examine(plain, public=keys.verifying).intact


def test_a_whole_seal_is_not_made_again(plain: Path, signed: Path, keys: Any) -> None:
    with pytest.raises(RunDirectoryError, match="sealed already"):
        seal(plain)
    with pytest.raises(RunDirectoryError, match="sealed and signed already"):
        seal(signed, key=keys.signing)


@pytest.mark.parametrize("change", ["byte", "line", "file", "gone", "digest", "parent"])
def test_nothing_that_changed_is_signed(plain: Path, keys: Any, change: str) -> None:
    parent = None
    if change == "byte":
        path = plain / "report.md"
        path.write_bytes(b"X" + path.read_bytes()[1:])
    elif change == "line":
        path = plain / "trials.jsonl"
        path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
        other = plain / "transcripts.jsonl"
        other.write_bytes(b"".join(other.read_bytes().splitlines(keepends=True)[:-1]))
    elif change == "file":
        (plain / "new.txt").write_text("new")
    elif change == "gone":
        (plain / "report.md").unlink()
    elif change == "digest":
        (plain / "manifest.sha256").write_text("0" * 64 + "  manifest.json\n")
    else:
        parent = Parent(run_id="other", manifest_sha256="0" * 64)
    with pytest.raises(RunDirectoryError, match="changed after it was sealed"):
        seal(plain, key=keys.signing, parent=parent)
    assert not any((plain / name).exists() for name in names.SIGNATURES)


class Killed(BaseException):
    pass


@pytest.mark.parametrize("after", range(len(ORDER)))
@pytest.mark.parametrize("during", [False, True])
def test_a_kill_leaves_an_unsealed_or_plainly_incomplete_run_that_seals_again(
    finished: Path, keys: Any, monkeypatch: pytest.MonkeyPatch, after: int, during: bool
) -> None:
    """Killed before (or while) writing each of the files, in turn."""
    real = writing.write_whole

    def write(folder: Path, name: str, data: bytes) -> None:
        if name == ORDER[after]:
            if during:
                (folder / names.part_of(name)).write_bytes(data[: len(data) // 2])
            raise Killed
        real(folder, name, data)

    monkeypatch.setattr("probare.evidence.sealing.write_whole", write)
    with pytest.raises(Killed):
        seal(finished, key=keys.signing)
    monkeypatch.undo()
    state = seal_state(finished)
    assert state == ("unsealed" if after <= 2 else "sealed" if after == 4 else "incomplete")
    examination = examine(finished, public=keys.verifying)
    assert not examination.intact
    assert any(f.file == ORDER[max(after, 2)] for f in examination.findings)
    seal(finished, key=keys.signing)
    assert examine(finished, public=keys.verifying).intact


@pytest.mark.parametrize("name", names.NEEDED)
def test_an_unfinished_run_is_refused(finished: Path, name: str) -> None:
    (finished / name).unlink()
    with pytest.raises(RunDirectoryError, match=rf"{name} missing.*--resume"):
        seal(finished)
    assert seal_state(finished) == "unsealed"


@pytest.mark.parametrize("name", ["trials.jsonl", "transcripts.jsonl"])
def test_half_a_line_is_refused(finished: Path, name: str) -> None:
    path = finished / name
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(RunDirectoryError, match="half a line"):
        seal(finished)


def test_logs_that_do_not_pair_are_refused(finished: Path) -> None:
    path = finished / "transcripts.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    with pytest.raises(RunDirectoryError, match="do not pair"):
        seal(finished)


def _link(folder: Path) -> None:
    (folder / "a.txt").symlink_to("/etc/passwd")


def _hard(folder: Path) -> None:
    (folder.parent / "outside").write_text("x")
    os.link(folder.parent / "outside", folder / "a.txt")


def _pipe(folder: Path) -> None:
    os.mkfifo(folder / "a.txt")


def _name(name: str) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        (folder / name).write_text("x")

    return make


def _key(folder: Path) -> None:
    generate(folder.parent / "k.key", folder.parent / "k.pub", "secret")
    (folder.parent / "k.key").rename(folder / "notes.txt")


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (_link, "is a link"),
        (_hard, "hard link"),
        (_pipe, "is a pipe"),
        (_name("a\\b"), "one of"),
        (_name("a\nb"), "control"),
        (_name('a"b'), "one of"),
        (_name("REPORT.md"), "differ only in case"),
        (_key, "is a private key"),
    ],
)
def test_what_cannot_be_sealed(finished: Path, make: Callable[[Path], None], what: str) -> None:
    make(finished)
    with pytest.raises(RunDirectoryError, match=what):
        seal(finished)
    assert seal_state(finished) == "unsealed"


@pytest.mark.parametrize("content", [b"{", b"[]"])
def test_a_corrupt_manifest_is_not_signed(plain: Path, keys: Any, content: bytes) -> None:
    (plain / "manifest.json").write_bytes(content)
    with pytest.raises(RunDirectoryError, match=r"manifest\.json is corrupt"):
        seal(plain, key=keys.signing)


@pytest.mark.parametrize("content", [b"{", b'{"run_id":1}', b'{"run_id":"a b"}', b"[" * 100_000])
def test_a_run_without_an_id_is_refused(finished: Path, content: bytes) -> None:
    (finished / "run.json").write_bytes(content)
    with pytest.raises(RunDirectoryError, match=r"run\.json"):
        seal(finished)


def test_a_full_disk_is_told(finished: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*args: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(RunDirectoryError, match="No space left"):
        seal(finished)
    monkeypatch.undo()
    assert seal_state(finished) == "unsealed"
    assert not list(finished.glob(".*.part"))


def test_the_key_does_not_come_from_the_run(finished: Path, tmp_path: Path) -> None:
    generate(tmp_path / "k.key", tmp_path / "k.pub")
    key = load_private(tmp_path / "k.key")
    key.path = finished / "k.key"
    with pytest.raises(InputError, match="no place in the run directory"):
        seal(finished, key=key)


def test_parts_of_a_seal_without_its_manifest_are_not_sealed_over(signed: Path, keys: Any) -> None:
    (signed / "manifest.json").unlink()
    with pytest.raises(RunDirectoryError, match=r"no manifest\.json"):
        seal(signed, key=keys.signing)


def test_a_parent_is_named(finished: Path, keys: Any) -> None:
    parent = Parent(run_id="old-run", manifest_sha256="a" * 64)
    seal(finished, key=keys.signing, parent=parent)
    examination = examine(finished, public=keys.verifying)
    assert examination.intact
    assert examination.manifest is not None
    assert examination.manifest.parent == parent


def test_files_of_any_kind_are_covered(finished: Path) -> None:
    (finished / "artifacts" / "case é").mkdir(parents=True)
    (finished / "artifacts" / "case é" / "drawing.svg").write_text("<svg/>")
    seal(finished)
    assert examine(finished).intact
    (finished / "artifacts" / "case é" / "drawing.svg").write_text("<svg >")
    assert [f.file for f in examine(finished).findings] == ["artifacts/case é/drawing.svg"]
