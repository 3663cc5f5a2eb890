import base64
import os
from pathlib import Path

import pytest

from probare.encoding import digest
from probare.model.event import Artifact, Event, Note
from probare.running import inventory


def _artifacts(events: tuple[Event, ...]) -> dict[str, Artifact]:
    return {event.path: event for event in events if isinstance(event, Artifact)}


def test_new_and_changed_files_are_read_and_untouched_ones_are_not(tmp_path: Path) -> None:
    (tmp_path / "kept.txt").write_text("as it was")
    (tmp_path / "changed.txt").write_text("before")
    before = inventory.snapshot(tmp_path)
    (tmp_path / "changed.txt").write_text("after it")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "image.bin").write_bytes(b"\xff\x00")
    events = inventory.events(tmp_path, before, first=7)
    found = _artifacts(events)
    assert list(found) == ["changed.txt", "out/image.bin"]
    text, data = found.values()
    assert (text.sha256, text.size) == (digest.of_bytes(b"after it"), 8)
    assert text.attributes == {"text": "after it"}
    assert data.attributes == {"base64": base64.b64encode(b"\xff\x00").decode()}
    assert [(event.seq, event.source) for event in events] == [(7, "observed"), (8, "observed")]


def test_links_and_pipes_are_named_and_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret").write_text("secret")
    home = tmp_path / "home"
    home.mkdir()
    (home / "file").symlink_to(outside / "secret")
    (home / "folder").symlink_to(outside)
    os.mkfifo(home / "pipe")
    found = _artifacts(inventory.events(home, {}, first=0))
    assert found["file"].attributes == {"link": str(outside / "secret")}
    assert found["folder"].attributes == {"link": str(outside)}
    assert found["pipe"].attributes["special"].startswith("p")
    assert all(event.sha256 is None for event in found.values())


def test_large_files_have_a_digest_and_huge_ones_a_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inventory, "LARGEST_CONTENT", 4)
    monkeypatch.setattr(inventory, "LARGEST_FILE", 8)
    (tmp_path / "large").write_bytes(b"12345678")
    (tmp_path / "huge").write_bytes(b"123456789")
    found = _artifacts(inventory.events(tmp_path, {}, first=0))
    assert found["large"].sha256 == digest.of_bytes(b"12345678")
    assert (found["huge"].sha256, found["huge"].size) == (None, 9)
    assert found["large"].attributes == found["huge"].attributes == {}


def test_too_many_files_end_in_a_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inventory, "MOST_FILES", 2)
    for name in "abc":
        (tmp_path / name).write_text(name)
    first, second, last = inventory.events(tmp_path, {}, first=0)
    assert isinstance(first, Artifact)
    assert isinstance(second, Artifact)
    assert isinstance(last, Note)
    assert "more than 2 files" in last.text
