"""Whatever is done to a sealed run, `verify` names the file, and in the logs the line."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from probare.encoding import digest
from probare.errors import InputError, RunDirectoryError
from probare.evidence import manifest as manifests
from probare.evidence import names
from probare.evidence.examination import Examination
from probare.evidence.sealing import seal
from probare.evidence.verifying import examine

LOGS = ("trials.jsonl", "transcripts.jsonl")


def _named(examination: Examination) -> set[str]:
    return {finding.file for finding in examination.findings}


def _lines(examination: Examination, file: str) -> set[int | None]:
    return {finding.line for finding in examination.findings if finding.file == file}


def test_a_signed_run_is_intact(signed: Path, keys: Any) -> None:
    examination = examine(signed, public=keys.verifying)
    assert examination.findings == ()
    assert (examination.kind, examination.run_id) == ("bundle", signed.name)
    assert (examination.signature, examination.key_id) == ("good", keys.verifying.key_id)
    assert examination.counts["trials"] == examination.counts["planned"] == 8
    assert examination.readable
    assert any("signed exactly these bytes" in text for text in examination.shows)
    assert any("when it was signed" in text for text in examination.shows_not)
    assert examination.unchecked == ()
    assert examination.manifest_sha256 == digest.of_file(signed / "manifest.json")


def test_without_a_key_the_signature_is_not_checked(signed: Path) -> None:
    examination = examine(signed)
    assert examination.intact
    assert examination.signature == "not checked"
    assert any(text.startswith("signature not checked") for text in examination.unchecked)
    assert all("signed exactly" not in text for text in examination.shows)


def test_an_unsigned_run_shows_only_that_its_files_agree(plain: Path) -> None:
    examination = examine(plain)
    assert examination.intact
    assert examination.signature == "absent"
    assert examination.shows[0].startswith("not signed: shows only that the files agree")


def test_with_a_key_missing_signatures_are_findings(plain: Path, keys: Any) -> None:
    examination = examine(plain, public=keys.verifying)
    assert _named(examination) == set(names.SIGNATURES)
    assert (examination.shows, examination.shows_not) == ((), ())


def test_another_key_is_named(signed: Path, keys: Any, other_keys: Any) -> None:
    examination = examine(signed, public=other_keys.verifying)
    assert _named(examination) == set(names.SIGNATURES)
    assert examination.signature == "bad"
    told = " ".join(map(str, examination.findings))
    assert f"signed by another key ({keys.verifying.key_id})" in told
    assert other_keys.verifying.key_id in told


def test_an_unsealed_run_is_not_intact(finished: Path) -> None:
    examination = examine(finished)
    assert [str(f) for f in examination.findings] == [
        "manifest.json: it is missing: this run is not sealed"
    ]


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_a_flipped_bit_of_any_file_is_named_with_its_line(
    signed: Path, keys: Any, files_of: Callable[[Path], list[str]], data: st.DataObject
) -> None:
    name = data.draw(st.sampled_from(files_of(signed)))
    path = signed / name
    old = path.read_bytes()
    place = data.draw(st.integers(0, len(old) - 1))
    changed = bytearray(old)
    changed[place] ^= 1 << data.draw(st.integers(0, 7))
    path.write_bytes(changed)
    try:
        examination = examine(signed, public=keys.verifying)
    finally:
        path.write_bytes(old)
    assert name in _named(examination)
    if name in LOGS:
        assert old[:place].count(b"\n") + 1 in _lines(examination, name)


@settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_without_a_key_too_save_in_the_signature_itself(
    signed: Path, files_of: Callable[[Path], list[str]], data: st.DataObject
) -> None:
    name = data.draw(st.sampled_from(files_of(signed)))
    path = signed / name
    old = path.read_bytes()
    places = list(range(len(old)))
    if name == "attestations.intoto.jsonl":
        first = old.index(b'"sig":"') + 7
        second = old.rindex(b'"sig":"') + 7
        inside = {*range(first, old.index(b'"', first)), *range(second, len(old))}
        places = [place for place in places if place not in inside]
    place = data.draw(st.sampled_from(places))
    changed = bytearray(old)
    changed[place] ^= 1 << data.draw(st.integers(0, 7))
    path.write_bytes(changed)
    try:
        examination = examine(signed)
    finally:
        path.write_bytes(old)
    assert name in _named(examination)


@settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_a_line_deleted_swapped_copied_or_added_is_named(
    signed: Path, keys: Any, files_of: Callable[[Path], list[str]], data: st.DataObject
) -> None:
    textual = [name for name in files_of(signed) if not name.startswith("blobs/")]
    name = data.draw(st.sampled_from([*textual, *LOGS, *LOGS]))
    path = signed / name
    old = path.read_bytes()
    lines = old.splitlines(keepends=True)
    what = data.draw(st.sampled_from(["delete", "swap", "copy", "append", "insert"]))
    first = data.draw(st.integers(0, len(lines) - 1))
    second = data.draw(st.integers(0, len(lines) - 1))
    expected = {first + 1}
    if what == "delete":
        del lines[first]
    elif what == "swap":
        lines[first], lines[second] = lines[second], lines[first]
        expected = {first + 1, second + 1}
    elif what == "copy":
        lines.insert(second, lines[first])
        expected = {second + 1}
    elif what == "append":
        lines.append(b'{"case":"one"}\n')
        expected = {len(lines)}
    else:
        lines.insert(first, b"\n")
    changed = b"".join(lines)
    if changed == old:
        return
    path.write_bytes(changed)
    try:
        examination = examine(signed, public=keys.verifying)
    finally:
        path.write_bytes(old)
    assert name in _named(examination)
    if name in LOGS:
        told = _lines(examination, name)
        if what == "copy":  # beside its original either of the two may be called the copy
            assert told & {first + 1, first + 2, second + 1, second + 2}
        else:
            assert expected <= told


@pytest.mark.parametrize("name", LOGS)
def test_the_words_for_lines(signed: Path, name: str) -> None:
    path = signed / name
    old = path.read_bytes()
    lines = old.splitlines(keepends=True)

    def told(changed: list[bytes]) -> list[str]:
        path.write_bytes(b"".join(changed))
        found = [str(f) for f in examine(signed).findings if f.file == name and f.line]
        path.write_bytes(old)
        return found

    assert told(lines[:-2]) == [f"{name}:7: the file was truncated: lines 7 to 8 are missing"]
    assert told(lines[:2] + lines[3:]) == [f"{name}:3: this line is missing"]
    assert told([*lines, lines[0]]) == [
        f"{name}:9: this line was added: a copy of the line sealed as 1"
    ]
    assert told([lines[0], lines[2], lines[1], *lines[3:]]) == [
        f"{name}:2: the lines were reordered: this is the line sealed as 3",
        f"{name}:3: the lines were reordered: this is the line sealed as 2",
    ]
    assert told([*lines[:4], lines[4].replace(b"a", b"b"), *lines[5:]]) == [
        f"{name}:5: this line was changed"
    ]
    assert told([*lines[:-1], lines[-1][:-1]]) == [
        f"{name}:8: the file ends in this line without a line feed"
    ]
    assert told([]) == [f"{name}:1: the file was truncated: lines 1 to 8 are missing"]


@pytest.mark.parametrize("name", ["report.md", "trials.jsonl", "VERIFY.md", "trials.leaves"])
def test_a_missing_file_is_named(signed: Path, name: str) -> None:
    (signed / name).unlink()
    examination = examine(signed)
    assert f"{name}: it is missing" in [str(f) for f in examination.findings]
    assert examination.readable == (name != "trials.jsonl")


def test_every_file_that_is_missing_is_named(
    signed: Path, keys: Any, files_of: Callable[[Path], list[str]], tmp_path: Path
) -> None:
    for name in files_of(signed):
        aside = tmp_path / "aside"
        (signed / name).rename(aside)
        assert name in _named(examine(signed, public=keys.verifying))
        aside.rename(signed / name)
    assert examine(signed, public=keys.verifying).intact


def test_an_extra_file_is_named(signed: Path) -> None:
    (signed / "blobs" / "extra.txt").write_text("x")
    (signed / ".hidden").write_text("x")
    assert _named(examine(signed)) == {"blobs/extra.txt", ".hidden"}


def test_files_swapped_for_each_other_are_both_named(signed: Path) -> None:
    one, other = signed / "report.md", signed / "VERIFY.md"
    first, second = one.read_bytes(), other.read_bytes()
    one.write_bytes(second)
    other.write_bytes(first)
    assert _named(examine(signed)) == {"report.md", "VERIFY.md"}


def test_signatures_of_another_run_are_named(
    signed: Path, unsealed_run: Path, keys: Any, tmp_path: Path
) -> None:
    other = tmp_path / "other" / "another-run"
    shutil.copytree(unsealed_run, other)
    run = json.loads((other / "run.json").read_bytes())
    summary = json.loads((other / "summary.json").read_bytes())
    (other / "run.json").write_text(json.dumps({**run, "run_id": "another-run"}))
    (other / "summary.json").write_text(json.dumps({**summary, "run_id": "another-run"}))
    seal(other, key=keys.signing)
    assert examine(other, public=keys.verifying).intact
    for name in names.SIGNATURES:
        old = (signed / name).read_bytes()
        shutil.copy(other / name, signed / name)
        assert name in _named(examine(signed, public=keys.verifying))
        assert name in _named(examine(signed))
        (signed / name).write_bytes(old)


def test_a_run_sealed_again_by_another_hand_is_seen_with_the_key(
    signed: Path, keys: Any, other_keys: Any
) -> None:
    """All files changed in agreement: without the key intact, and it says what that is worth."""
    for name in names.SEAL:
        (signed / name).unlink()
    path = signed / "report.md"
    path.write_text("all well")
    seal(signed, key=other_keys.signing)
    assert examine(signed).intact
    assert any("whoever can change" in text for text in examine(signed).shows_not)
    assert _named(examine(signed, public=keys.verifying)) == set(names.SIGNATURES)


def _reseal(folder: Path, change: Callable[[dict[str, Any]], None] | None = None) -> None:
    """Seal without any of the sealer's own checks, as a hostile writer would."""
    raw = json.loads((folder / "manifest.json").read_bytes())
    for entry in raw["files"]:
        path = folder / entry["path"]
        if path.is_file():
            entry |= {"size": path.stat().st_size, "sha256": digest.of_file(path)}
    if change is not None:
        change(raw)
    data = json.dumps(raw).encode()
    (folder / "manifest.json").write_bytes(data)
    (folder / "manifest.sha256").write_bytes(manifests.digest_line(data))


def _rewrite(folder: Path, name: str, change: Callable[[list[bytes]], list[bytes]]) -> None:
    """Change a log and make root, count and leaves fit, as a hostile writer would."""
    from probare.evidence.hashing import digest_lines, leaves_file

    path = folder / name
    path.write_bytes(b"".join(change(path.read_bytes().splitlines(keepends=True))))
    with path.open("rb") as file:
        found = digest_lines(file)
    if name == "trials.jsonl":
        (folder / "trials.leaves").write_bytes(leaves_file(found.tokens))

    def roots(raw: dict[str, Any]) -> None:
        raw["merkle"][name] = {"leaves": found.leaves, "root": found.root.hex()}

    _reseal(folder, roots)


def _edited(number: int, **fields: Any) -> Callable[[list[bytes]], list[bytes]]:
    def change(lines: list[bytes]) -> list[bytes]:
        record = json.loads(lines[number]) | fields
        return [*lines[:number], msgspec.json.encode(record) + b"\n", *lines[number + 1 :]]

    return change


def _duplicate_key(lines: list[bytes]) -> list[bytes]:
    return [lines[0].replace(b"{", b'{"status":"passed",', 1), *lines[1:]]


WRITERS_FAULTS: list[tuple[str, Callable[[list[bytes]], list[bytes]], int, str]] = [
    ("trials.jsonl", _duplicate_key, 1, "duplicate key 'status'"),
    ("trials.jsonl", lambda x: [b"{}\n", *x[1:]], 1, "not a trial's record"),
    ("trials.jsonl", lambda x: [b"[" * 100_000 + b"\n", *x[1:]], 1, "nested too deep"),
    ("trials.jsonl", lambda x: [x[0], b"\xff\n", *x[2:]], 2, "not a trial's record"),
    ("trials.jsonl", lambda x: [x[1], x[0], *x[2:]], 1, "does not refer to line 1"),
    ("trials.jsonl", lambda x: [*x[:-1]], 8, "no trial refers to this line"),
    ("trials.jsonl", lambda x: [*x, x[0]], 9, "second time"),
    ("trials.jsonl", lambda x: [*x, x[0]], 9, "has no line for this trial"),
    ("trials.jsonl", _edited(3, case="unknown"), 4, "not in the plan"),
    ("trials.jsonl", _edited(3, trial=7), 4, "planned for 2"),
    ("trials.jsonl", _edited(3, trial=-1), 4, "planned for 2"),
    ("trials.jsonl", _edited(2, status="won"), 3, "not a trial's record"),
    (
        "trials.jsonl",
        _edited(0, transcript={"offset": 1, "length": 1, "sha256": "0" * 64}),
        1,
        "does not refer to line 1",
    ),
    (
        "transcripts.jsonl",
        lambda x: [x[0].replace(b"{", b'{"case":"x",', 1), *x[1:]],
        1,
        "duplicate",
    ),
    ("transcripts.jsonl", lambda x: [b"nonsense\n", *x[1:]], 1, "not JSON"),
    ("transcripts.jsonl", lambda x: [*x, b"{}\n"], 9, "no trial refers to this line"),
    ("transcripts.jsonl", _edited(4, case="unknown"), 5, "of another trial"),
    ("suite.jsonl", lambda x: [x[0], b"{]\n", *x[2:]], 2, "not JSON"),
]


@pytest.mark.parametrize(("name", "change", "line", "what"), WRITERS_FAULTS)
def test_the_writer_is_not_trusted(
    plain: Path,
    name: str,
    change: Callable[[list[bytes]], list[bytes]],
    line: int,
    what: str,
) -> None:
    if name in LOGS:
        _rewrite(plain, name, change)
    else:
        (plain / name).write_bytes(b"".join(change((plain / name).read_bytes().splitlines(True))))
        _reseal(plain)
    examination = examine(plain)
    found = [f for f in examination.findings if f.line == line and what in f.what]
    assert found, [str(f) for f in examination.findings]
    assert not examination.readable


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("run.json", b'{"run_id":"x","run_id":"y"}', "duplicate key"),
        ("run.json", b"[]", "not a JSON object"),
        ("run.json", b'{"run_id":"other"}', "another run"),
        ("summary.json", b'{"run_id":"other"}', "another run"),
        ("summary.json", b'{"value":NaN}', "NaN is not JSON"),
        ("summary.json", b"[" * 100_000, "nested too deep"),
        ("basis.json", b'{"stopped":"","stopped":"x"}', "duplicate key"),
    ],
)
def test_documents_are_read_strictly(plain: Path, name: str, content: bytes, what: str) -> None:
    (plain / name).write_bytes(content)
    _reseal(plain)
    examination = examine(plain)
    assert any(f.file == name and what in f.what for f in examination.findings)
    assert not examination.readable


def test_a_manifest_with_wrong_roots_is_named(plain: Path) -> None:
    def count(raw: dict[str, Any]) -> None:
        raw["merkle"]["trials.jsonl"]["leaves"] = 7

    _reseal(plain, count)
    assert "manifest.json: it says 7 lines of trials.jsonl, which has 8" in map(
        str, examine(plain).findings
    )

    def root(raw: dict[str, Any]) -> None:
        raw["merkle"]["trials.jsonl"] = {"leaves": 8, "root": "0" * 64}

    _reseal(plain, root)
    assert "manifest.json: its Merkle root is not that of trials.jsonl" in map(
        str, examine(plain).findings
    )


def test_a_blob_under_a_wrong_name_is_named(plain: Path) -> None:
    blob = next((plain / "blobs").iterdir())
    blob.write_text("other")
    _reseal(plain)
    found = [f for f in examine(plain).findings if f.file == f"blobs/{blob.name}"]
    assert [f.what for f in found] == ["a blob's name is not the digest of its content"]
    assert not examine(plain).readable


def test_a_large_text_that_was_taken_out_is_named_though_the_seal_is_made_anew(
    plain: Path,
) -> None:
    blob = next((plain / "blobs").iterdir())
    blob.unlink()

    def drop(raw: dict[str, Any]) -> None:
        raw["files"] = [f for f in raw["files"] if not f["path"].startswith("blobs/")]

    _reseal(plain, drop)
    [found] = examine(plain).findings
    assert str(found).startswith("blobs: large texts are missing that lines ")
    assert not examine(plain).readable


def test_lines_that_cannot_be_found_are_said_so(signed: Path) -> None:
    (signed / "trials.leaves").unlink()
    path = signed / "trials.jsonl"
    path.write_bytes(path.read_bytes().replace(b"passed", b"failed", 1))
    examination = examine(signed)
    assert {"trials.jsonl", "trials.leaves"} <= _named(examination)
    assert any("which line of trials.jsonl" in text for text in examination.unchecked)


def test_attestations_that_say_otherwise_are_named(
    finished: Path, keys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A signer whose attestation does not fit the bundle."""
    from probare.evidence import statements

    real: Callable[..., dict[str, Any]] = statements.run_predicate

    def lying(*args: Any) -> dict[str, Any]:
        return real(*args) | {"decision": "passed"}

    monkeypatch.setattr(statements, "run_predicate", lying)
    seal(finished, key=keys.signing)
    monkeypatch.undo()
    examination = examine(finished, public=keys.verifying)
    assert [str(f) for f in examination.findings] == [
        "attestations.intoto.jsonl:1: it says otherwise than run.json and summary.json: decision"
    ]
    assert examination.signature == "bad"


def test_a_manifest_that_lists_too_little_or_nonsense(plain: Path) -> None:
    def change(raw: dict[str, Any]) -> None:
        raw["files"] = [f for f in raw["files"] if f["path"] != "suite.jsonl"]
        raw["plan"] = "0" * 64
        next(f for f in raw["files"] if f["path"] == "report.md")["size"] = -1

    _reseal(plain, change)
    told = [str(f) for f in examine(plain).findings]
    assert "manifest.json: it does not list suite.jsonl, which every run has" in told
    assert "manifest.json: its plan is not the plan.intoto.json that it lists" in told
    assert "manifest.json: it gives report.md a size below zero" in told


def test_leaves_that_are_not_those_of_the_trials(plain: Path) -> None:
    path = plain / "trials.leaves"
    path.write_text(path.read_text().replace("a", "b"))
    _reseal(plain)
    assert [str(f) for f in examine(plain).findings] == [
        "trials.leaves: it is not that of trials.jsonl"
    ]


def test_a_log_without_its_last_line_feed(plain: Path) -> None:
    _rewrite(plain, "trials.jsonl", lambda lines: [*lines[:-1], lines[-1][:-1]])
    assert "trials.jsonl:8: its last line has no line feed" in map(str, examine(plain).findings)


def test_attestations_and_checkpoints_of_two_keys(
    plain: Path, keys: Any, other_keys: Any, tmp_path: Path
) -> None:
    other = tmp_path / "other" / plain.name
    shutil.copytree(plain, other)
    seal(plain, key=keys.signing)
    seal(other, key=other_keys.signing)
    lines = (plain / names.ATTESTATIONS).read_bytes().splitlines(keepends=True)
    theirs = (other / names.ATTESTATIONS).read_bytes().splitlines(keepends=True)
    (plain / names.ATTESTATIONS).write_bytes(lines[0] + theirs[1])
    told = [str(f) for f in examine(plain).findings]
    assert f"{names.ATTESTATIONS}: its two envelopes name different keys" in told
    (plain / names.ATTESTATIONS).write_bytes(b"".join(theirs))
    told = [str(f) for f in examine(plain).findings]
    assert f"{names.ATTESTATIONS}: its key is another than the checkpoints'" in told


def test_many_findings_of_one_file_are_counted(plain: Path) -> None:
    _rewrite(plain, "transcripts.jsonl", lambda lines: lines + [b"{}\n"] * 100)
    found = [f for f in examine(plain).findings if f.file == "transcripts.jsonl"]
    assert len(found) == 26
    assert found[-1].what == "and 75 more findings in this file"


@pytest.mark.parametrize("what", ["folder", "nothing", "text"])
def test_what_is_no_run(tmp_path: Path, what: str) -> None:
    path = tmp_path / "x"
    if what == "folder":
        path.mkdir()
    elif what == "text":
        path.write_text("hello")
    with pytest.raises(InputError):
        examine(path)


def test_a_folder_that_cannot_be_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: Any, **kwargs: Any) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(RunDirectoryError, match="Permission denied"):
        examine(tmp_path)
