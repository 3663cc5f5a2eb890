import os
from pathlib import Path

import pytest

from probare.encoding import digest
from probare.errors import GraderError
from probare.graders.artifact_files import Files, safe
from probare.model.case import Case
from probare.model.event import Artifact, Channel
from probare.model.outcome import Outcome, Transcript
from probare.model.suite import Trust
from probare.ports.grader import GradingSettings, TrialView


def _files(
    *events: Artifact,
    folder: Path | None = None,
    trust: Trust = "observed",
    named: tuple[str, ...] = (),
    observes: tuple[Channel, ...] = (),
) -> Files:
    transcript = Transcript(
        case="c", events=events, outcome=Outcome(artifacts=named), observes=observes
    )
    settings = GradingSettings()
    return Files(
        TrialView(
            case=Case(id="c"),
            transcript=transcript,
            trust=trust,
            workspace=folder,
            settings=settings,
        )
    )


def _seen(path: str = "a.txt", **fields: object) -> Artifact:
    return Artifact(path=path, source="observed", **fields)  # pyright: ignore[reportArgumentType]


def test_bytes_on_disk_go_before_what_was_kept(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("disk")
    files = _files(_seen(sha256="0" * 64, attributes={"text": "kept"}), folder=tmp_path)
    assert files.read("a.txt") == b"disk"
    assert files.sha256("a.txt") == digest.of_bytes(b"disk")
    assert files.size("a.txt") == 4


def test_what_was_kept_stands_in_where_the_folder_is_gone(tmp_path: Path) -> None:
    kept = _seen(sha256="0" * 64, size=7, attributes={"text": "kept"})
    files = _files(kept, folder=tmp_path / "gone")
    assert (files.read("a.txt"), files.sha256("a.txt")) == (b"kept", "0" * 64)
    assert files.size("a.txt") == 7


def test_a_claimed_event_counts_only_where_the_target_is_trusted() -> None:
    claimed = Artifact(path="a.txt", size=99, attributes={"text": "told"})
    assert _files(claimed).problem("a.txt") == "is not there"
    trusted = _files(claimed, trust="claimed")
    assert (trusted.read("a.txt"), trusted.size("a.txt")) == (b"told", 4)


def test_paths_are_those_recorded_named_and_where_nobody_looked_those_on_disk(
    tmp_path: Path,
) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "b.txt").write_text("b")
    (tmp_path / "link").symlink_to(tmp_path / "sub")
    seen = _seen("./a.txt")
    assert _files(seen, named=("c.txt",)).paths() == ["a.txt", "c.txt"]
    assert _files(seen, folder=tmp_path).paths() == ["a.txt", "link", "sub/b.txt"]
    assert _files(seen, folder=tmp_path, observes=("artifacts",)).paths() == ["a.txt"]


def test_what_is_no_plain_file(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "real.txt").write_text("x")
    (tmp_path / "link.txt").symlink_to("real.txt")
    (tmp_path / "linked").symlink_to("folder")
    (tmp_path / "folder" / "in.txt").write_text("x")
    os.mkfifo(tmp_path / "pipe")
    files = _files(folder=tmp_path)
    problems = {
        path: files.problem(path)
        for path in (
            "folder",
            "link.txt",
            "linked/in.txt",
            "pipe",
            "real.txt",
            "none",
            "../x",
            "bad\0name",
        )
    }
    assert problems == {
        "folder": "is no file",
        "link.txt": "is a link",
        "linked/in.txt": "is a link",
        "pipe": "is no file",
        "real.txt": "",
        "none": "is not there",
        "../x": "is not there",
        "bad\0name": "is not there",
    }
    assert files.text("link.txt") is None
    with pytest.raises(GraderError, match="is a link"):
        files.read("link.txt")
    files.refuse_unread()


def test_the_same_of_what_was_kept() -> None:
    files = _files(
        _seen("link", attributes={"link": "x"}),
        _seen("pipe", attributes={"special": "p"}),
        _seen("big", size=10**9),
    )
    said = [files.problem(path) for path in ("link", "pipe", "big")]
    assert said == ["is a link", "is no file", "is too large"]


def test_texts_in_other_encodings(tmp_path: Path) -> None:
    (tmp_path / "utf16").write_bytes("Ärger".encode("utf-16"))
    (tmp_path / "latin").write_bytes("Ärger".encode("latin-1"))
    (tmp_path / "wide").write_bytes(b"\xff" + "abc".encode("utf-16-le"))
    files = _files(folder=tmp_path)
    assert [files.text(name) for name in ("utf16", "latin", "wide")] == ["Ärger", "Ärger", "ÿabc"]


def test_what_cannot_be_read_is_told_of_once_it_matters() -> None:
    files = _files(_seen(sha256="0" * 64), _seen("b", attributes={"base64": "%"}))
    assert files.text("a.txt") is None
    with pytest.raises(GraderError, match="not kept"):
        files.refuse_unread()
    with pytest.raises(GraderError, match="not kept"):
        files.read("b")


def test_no_more_is_read_than_asked_for(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("12345")
    kept = _seen("b", attributes={"text": "12345"})
    files = _files(kept, folder=tmp_path)
    for path in ("a.txt", "b"):
        assert files.read(path, 5) == b"12345"
        with pytest.raises(GraderError, match="larger than 4 bytes"):
            files.read(path, 4)


def test_masked_content_has_no_digest_of_its_own() -> None:
    masked = Artifact(path="a", attributes={"text": "x [secret:KEY#abcdefgh]"})
    with pytest.raises(GraderError, match="masked"):
        _files(masked, trust="claimed").sha256("a")


@pytest.mark.parametrize("path", ["a", "a/b.txt", "..a", "a..b/c", "ä"])
def test_safe_paths(path: str) -> None:
    assert safe(path)


@pytest.mark.parametrize(
    "path", ["", "/a", "..", "a/..", "../a", "./a", "a//b", "a/", "C:x", "\\a"]
)
def test_unsafe_paths(path: str) -> None:
    assert not safe(path)
