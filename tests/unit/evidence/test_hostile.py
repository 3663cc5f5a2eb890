"""Bundles made to harm whoever verifies them: each is named or refused, nothing else happens."""

from __future__ import annotations

import json
import os
import socket
import tarfile
import zipfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from probare.errors import InputError, RunDirectoryError
from probare.evidence import folder as folders
from probare.evidence import manifest as manifests
from probare.evidence.folder import Folder, Unreadable
from probare.evidence.paths import MAX_DEPTH, colliding, path_problem, shown
from probare.evidence.verifying import examine

ENTRY: dict[str, Any] = {
    "size": 1,
    "sha256": "0" * 64,
    "media_type": "text/plain",
    "produced_by": "run",
    "derived_from": [],
}


def _list(folder: Path, *paths: str, size: int = 1) -> None:
    """Add entries to the manifest, its digest made to fit."""
    raw = json.loads((folder / "manifest.json").read_bytes())
    raw["files"] += [{**ENTRY, "path": path, "size": size} for path in paths]
    data = json.dumps(raw).encode()
    (folder / "manifest.json").write_bytes(data)
    (folder / "manifest.sha256").write_bytes(manifests.digest_line(data))


def _told(folder: Path) -> list[str]:
    return [str(finding) for finding in examine(folder).findings]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths that are opened for reading."""
    seen: list[str] = []
    real = Folder.open

    def spy(self: Folder, path: str) -> BinaryIO:
        seen.append(path)
        return real(self, path)

    monkeypatch.setattr(Folder, "open", spy)
    return seen


@pytest.mark.parametrize(
    ("path", "what"),
    [
        ("../outside", "leads elsewhere"),
        ("a/../../outside", "leads elsewhere"),
        ("/etc/passwd", "absolute"),
        ("//etc/passwd", "absolute"),
        ("a//b", "leads elsewhere"),
        ("./run.json", "leads elsewhere"),
        ("..\\outside", "one of"),
        ("C:\\windows", "one of"),
        ("C:file", "one of"),
        ("nul\0byte", "control"),
        ("new\nline", "control"),
        ("right\u202eleft", "invisible"),
        ("cafe\u0301", "composed"),
        ("", "empty"),
        ("a" * 5000, "too long"),
        ("a" * 300, "too long"),
        ("/".join("a" * 20), "folders deep"),
        ("space ", "space"),
        ("dot.", "full stop"),
    ],
)
def test_unsafe_paths_of_a_manifest(plain: Path, path: str, what: str, opened: list[str]) -> None:
    (plain.parent / "outside").write_text("x")
    _list(plain, path)
    assert any(text.startswith("manifest.json: it lists") and what in text for text in _told(plain))
    assert path not in opened


def test_a_path_listed_twice_and_a_part_of_the_seal(plain: Path) -> None:
    _list(plain, "report.md", "manifest.sha256")
    told = _told(plain)
    assert "manifest.json: it lists report.md twice" in told
    assert "manifest.json: it lists manifest.sha256, a part of the seal itself" in told


@pytest.mark.parametrize("name", ["report.md", "manifest.json", "manifest.sha256", "run.json"])
def test_links_are_not_followed(plain: Path, tmp_path: Path, name: str, opened: list[str]) -> None:
    (tmp_path / "outside").write_bytes((plain / name).read_bytes())
    (plain / name).unlink()
    (plain / name).symlink_to(tmp_path / "outside")
    assert f"{name}: is a link, and links are not followed" in _told(plain)
    assert name not in opened


@pytest.mark.parametrize("name", ["trials.checkpoint", "attestations.intoto.jsonl"])
def test_links_in_place_of_signatures(signed: Path, tmp_path: Path, keys: Any, name: str) -> None:
    (signed / name).rename(tmp_path / "outside")
    (signed / name).symlink_to(tmp_path / "outside")
    told = [str(f) for f in examine(signed, public=keys.verifying).findings]
    assert f"{name}: is a link, and links are not followed" in told
    assert examine(signed, public=keys.verifying).signature == "bad"


def test_a_folder_that_is_a_link(plain: Path, tmp_path: Path) -> None:
    (plain / "blobs").rename(tmp_path / "blobs")
    (plain / "blobs").symlink_to(tmp_path / "blobs")
    told = _told(plain)
    assert "blobs: is a link, and links are not followed" in told
    assert any(text.startswith("blobs/") and "missing" in text for text in told)


def test_a_file_swapped_for_a_link_while_it_is_examined(plain: Path) -> None:
    with Folder(plain) as held:
        (plain / "report.md").unlink()
        (plain / "report.md").symlink_to("/etc/passwd")
        with pytest.raises(Unreadable):
            held.open("report.md")
        (plain / "blobs").rename(plain / "aside")
        (plain / "blobs").symlink_to("/etc")
        with pytest.raises(Unreadable):
            held.open("blobs/passwd")


def _socket(path: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(here)


def _hard_link(path: Path) -> None:
    os.link(path.parent / "run.json", path)


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (os.mkfifo, "is a pipe"),
        (_socket, "is a socket"),
        (_hard_link, "is a hard link"),
        (Path.mkdir, "it is missing"),
    ],
)
def test_what_is_no_plain_file(plain: Path, make: Callable[[Path], None], what: str) -> None:
    (plain / "report.md").unlink()
    make(plain / "report.md")
    assert any(text.startswith("report.md: ") and what in text for text in _told(plain))


def test_a_giant_file_is_not_read(plain: Path) -> None:
    for name in ("report.md", "trials.jsonl", "transcripts.jsonl", "run.json"):
        with (plain / name).open("r+b") as file:
            file.truncate(1 << 40)
    told = _told(plain)
    assert any(text.startswith("report.md: it is 1,099,511,627,776 bytes long") for text in told)
    assert not examine(plain).readable


def test_giant_parts_of_the_seal_are_not_read(signed: Path, keys: Any) -> None:
    for name in ("manifest.sha256", "trials.checkpoint", "attestations.intoto.jsonl"):
        with (signed / name).open("r+b") as file:
            file.truncate(1 << 40)
        told = [str(f) for f in examine(signed, public=keys.verifying).findings]
        assert any(text.startswith(name) and "larger than" in text for text in told)
    with (signed / "manifest.json").open("r+b") as file:
        file.truncate(1 << 40)
    assert any("manifest.json: it is larger than" in text for text in _told(signed))


def test_a_file_that_grows_while_it_is_hashed(plain: Path) -> None:
    from probare.evidence.hashing import digest_file, digest_lines

    with Path("/dev/zero").open("rb") as endless:
        assert digest_file(endless, 1000).size < 1_000_000

    class Endless:
        def readline(self, most: int) -> bytes:
            return b"x\n"

    endless_lines: Any = Endless()
    assert digest_lines(endless_lines, 1000).size == 1002


def test_a_line_without_end(plain: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("probare.evidence.hashing.MAX_LINE", 100)
    assert "trials.jsonl:1: this line is longer than a line may be" in _told(plain)


def test_too_many_files(plain: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "MAX_FILES", 5)
    with pytest.raises(RunDirectoryError, match="more than 5 files"):
        examine(plain)


def test_folders_too_deep(plain: Path) -> None:
    deep = plain.joinpath(*["d"] * 50)
    deep.mkdir(parents=True)
    told = _told(plain)
    assert any("is a folder too deep inside others" in text for text in told)
    assert all(text.count("/") < MAX_DEPTH + 1 for text in told)


@pytest.mark.parametrize("content", [b"[" * 1_000_000, b'{"a":' * 1_000_000, b"", b"\0" * 100])
@pytest.mark.parametrize(
    "name", ["manifest.json", "attestations.intoto.jsonl", "trials.checkpoint"]
)
def test_nonsense_in_place_of_the_seal(signed: Path, keys: Any, name: str, content: bytes) -> None:
    (signed / name).write_bytes(content)
    for public in (None, keys.verifying):
        assert name in {f.file for f in examine(signed, public=public).findings}


@pytest.mark.parametrize(
    "raw", [b"bad\xffname", b"tab\tname", b"esc\x1b[31m", "right\u202eleft".encode()]
)
def test_odd_names_are_named_and_shown_safely(plain: Path, raw: bytes) -> None:
    Path(os.fsdecode(os.fsencode(plain) + b"/" + raw)).write_text("x")
    (told,) = _told(plain)
    assert "its name is unsafe" in told
    assert told.isprintable()


def test_names_that_differ_in_case(plain: Path) -> None:
    (plain / "RUN.json").write_text("x")
    told = _told(plain)
    assert any("differs from RUN.json only in case" in text for text in told)
    assert colliding(["a", "B", "b", "A"]) == [("A", "a"), ("B", "b")]


def test_names_in_findings_are_cut() -> None:
    assert len(shown("x" * 1000)) == 201
    assert path_problem("artifacts/é ✓.txt") == ""


@contextmanager
def _zip(path: Path) -> Generator[None]:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb", b"\0" * 10_000_000)
    yield


@pytest.mark.parametrize("kind", ["zip", "tar", "tar.gz", "tar.bz2", "tar.xz"])
def test_archives_are_not_unpacked(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"run.{kind}"
    (tmp_path / "bomb").write_bytes(b"\0" * 1_000_000)
    if kind == "zip":
        with _zip(path):
            pass
    else:
        mode: Any = {"tar": "w", "tar.gz": "w:gz", "tar.bz2": "w:bz2", "tar.xz": "w:xz"}[kind]
        with tarfile.open(path, mode) as archive:
            archive.add(tmp_path / "bomb", "bomb")
    with pytest.raises(InputError, match="archive, which Probare does not unpack"):
        examine(path)
