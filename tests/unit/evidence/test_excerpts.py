"""Excerpts: one case's evidence, alone, and any changed byte of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from probare.errors import RunDirectoryError, SelectionError
from probare.evidence.excerptfile import MAX_SIZE
from probare.evidence.excerpts import make_excerpt
from probare.evidence.notes import NoteError
from probare.evidence.tlogproof import parse_proof
from probare.evidence.verifying import examine


def _write(tmp_path: Path, data: bytes) -> Path:
    path = tmp_path / "one.excerpt.json"
    path.write_bytes(data)
    return path


def test_it_is_verified_alone(signed: Path, keys: Any, tmp_path: Path) -> None:
    path = _write(tmp_path, make_excerpt(signed, "one"))
    examination = examine(path, public=keys.verifying)
    assert examination.findings == ()
    assert (examination.kind, examination.run_id) == ("excerpt", signed.name)
    assert (examination.signature, examination.key_id) == ("good", keys.verifying.key_id)
    assert examination.counts["trials"] == 2
    assert any("other trials" in text for text in examination.shows_not)


def test_lines_are_as_stored_and_no_other_case_is_in_it(signed: Path) -> None:
    raw = json.loads(make_excerpt(signed, "two"))
    stored = (signed / "trials.jsonl").read_bytes().splitlines()
    transcripts = (signed / "transcripts.jsonl").read_bytes().splitlines()
    for trial in raw["trials"]:
        index = int(trial["record_proof"].split("\n")[1].removeprefix("index "))
        assert trial["record"].encode() == stored[index]
        assert trial["transcript"].encode() == transcripts[index]
    assert [trial["trial"] for trial in raw["trials"]] == [0, 1]
    assert b"three" not in make_excerpt(signed, "two")


def test_a_proof_has_the_form_of_the_specification(signed: Path) -> None:
    raw = json.loads(make_excerpt(signed, "one", 1))
    proof = raw["trials"][0]["record_proof"]
    header, index, *path = proof.partition("\n\n")[0].split("\n")
    assert header == "c2sp.org/tlog-proof@v1"
    assert index.startswith("index ")
    assert len(path) == 3
    assert proof.partition("\n\n")[2].encode() == (signed / "trials.checkpoint").read_bytes()


def test_one_trial(signed: Path, keys: Any, tmp_path: Path) -> None:
    path = _write(tmp_path, make_excerpt(signed, "one", 1))
    examination = examine(path, public=keys.verifying)
    assert examination.intact
    assert examination.counts["trials"] == 1


def test_large_texts_come_with_it(signed: Path, keys: Any, tmp_path: Path) -> None:
    data = make_excerpt(signed, "large")
    assert len(json.loads(data)["blobs"]) == 1
    examination = examine(_write(tmp_path, data), public=keys.verifying)
    assert examination.intact
    assert examination.unchecked == ()
    raw = json.loads(data)
    raw["blobs"] = {}
    bare = json.dumps(raw, indent=1, ensure_ascii=False).replace("{\n }", "{}").encode() + b"\n"
    examination = examine(_write(tmp_path, bare), public=keys.verifying)
    assert [
        "texts that transcripts refer to are not in it" in f.what for f in examination.findings
    ] == [True]


def test_of_an_unsigned_run(plain: Path, keys: Any, tmp_path: Path) -> None:
    path = _write(tmp_path, make_excerpt(plain, "one"))
    examination = examine(path)
    assert examination.intact
    assert examination.signature == "absent"
    assert examination.shows[0].startswith("not signed")
    assert [f.what for f in examine(path, public=keys.verifying).findings] == [
        "its checkpoints are missing their signatures: the run was not signed"
    ]


def test_without_a_key_and_with_another(signed: Path, other_keys: Any, tmp_path: Path) -> None:
    path = _write(tmp_path, make_excerpt(signed, "one"))
    examination = examine(path)
    assert (examination.intact, examination.signature) == (True, "not checked")
    examination = examine(path, public=other_keys.verifying)
    assert examination.signature == "bad"
    assert all("signed by another key" in f.what for f in examination.findings)


@pytest.fixture(scope="module")
def excerpt(signed_run: Path) -> bytes:
    return make_excerpt(signed_run, "one")


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_any_flipped_bit_is_seen(
    excerpt: bytes, keys: Any, tmp_path: Path, data: st.DataObject
) -> None:
    changed = bytearray(excerpt)
    place = data.draw(st.integers(60, len(changed) - 1))
    changed[place] ^= 1 << data.draw(st.integers(0, 7))
    assert not examine(_write(tmp_path, bytes(changed)), public=keys.verifying).intact


def _trial(raw: dict[str, Any], **fields: Any) -> None:
    raw["trials"][0] |= fields


def _swap_lines(raw: dict[str, Any]) -> None:
    one, two = raw["trials"]
    one["transcript"], two["transcript"] = two["transcript"], one["transcript"]


def _swap_proofs(raw: dict[str, Any]) -> None:
    one, two = raw["trials"]
    one["record_proof"], two["record_proof"] = two["record_proof"], one["record_proof"]


def _logs_for_each_other(raw: dict[str, Any]) -> None:
    trial = raw["trials"][0]
    trial["record_proof"], trial["transcript_proof"] = (
        trial["transcript_proof"],
        trial["record_proof"],
    )


FORGERIES: list[tuple[Callable[[dict[str, Any]], None], str]] = [
    (lambda raw: raw.update(case="two"), "another case or trial"),
    (lambda raw: raw.update(run_id="other"), "a proof is of"),
    (lambda raw: raw.update(trials=[]), "no trial"),
    (lambda raw: raw.update(trials=raw["trials"][:1] * 2), "twice"),
    (lambda raw: raw.update(more=1), "unknown field"),
    (lambda raw: raw.update(blobs={"0" * 64: "x"}), "no transcript in it refers"),
    (lambda raw: _trial(raw, trial=5), "another case or trial"),
    (lambda raw: _trial(raw, record="{}"), "not what it should be"),
    (lambda raw: _trial(raw, record="[" * 100_000), "nested too deep"),
    (lambda raw: _trial(raw, transcript="{}"), "not the one in the signed tree"),
    (lambda raw: _trial(raw, record_proof="x"), "malformed"),
    (
        lambda raw: _trial(raw, record=raw["trials"][0]["record"].replace("passed", "failed")),
        "not the one in the signed tree",
    ),
    (_swap_lines, "of another transcript"),
    (_swap_proofs, "stand at different lines"),
    (_logs_for_each_other, "a proof is of"),
]


@pytest.mark.parametrize(("forge", "what"), FORGERIES)
def test_forgeries(excerpt: bytes, keys: Any, tmp_path: Path, forge: Any, what: str) -> None:
    raw = json.loads(excerpt)
    forge(raw)
    data = json.dumps(raw, indent=1, ensure_ascii=False).encode() + b"\n"
    found = examine(_write(tmp_path, data), public=keys.verifying).findings
    assert any(what in f.what for f in found), [str(f) for f in found]


def test_trials_of_two_runs_are_not_one_excerpt(
    excerpt: bytes, plain: Path, tmp_path: Path
) -> None:
    raw = json.loads(excerpt)
    raw["trials"][1] = json.loads(make_excerpt(plain, "one"))["trials"][1]
    data = json.dumps(raw, indent=1, ensure_ascii=False).encode() + b"\n"
    assert not examine(_write(tmp_path, data)).intact


def test_a_giant_excerpt_is_not_read(excerpt: bytes, tmp_path: Path) -> None:
    path = _write(tmp_path, excerpt)
    with path.open("r+b") as file:
        file.truncate(1 << 40)
    (found,) = examine(path).findings
    assert f"larger than the {MAX_SIZE:,} bytes" in found.what


def test_unknown_cases_and_trials(signed: Path) -> None:
    with pytest.raises(SelectionError, match=r"no trial of the case 'ones'.*did you mean 'one'"):
        make_excerpt(signed, "ones")
    with pytest.raises(SelectionError, match=r"no trial 2.*it has 0, 1"):
        make_excerpt(signed, "one", 2)


def test_an_unsealed_run_is_refused(finished: Path) -> None:
    with pytest.raises(RunDirectoryError, match=r"not sealed.*probare seal"):
        make_excerpt(finished, "one")


@pytest.mark.parametrize("name", ["trials.jsonl", "transcripts.jsonl", "trials.checkpoint"])
def test_a_run_that_was_changed_is_refused(signed: Path, name: str) -> None:
    path = signed / name
    path.write_bytes(path.read_bytes().replace(b"8", b"9").replace(b"e", b"x"))
    with pytest.raises(RunDirectoryError, match=r"no excerpt can be made|probare verify"):
        make_excerpt(signed, "one")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "not a proof"),
        ("c2sp.org/tlog-proof@v2\nindex 0\n\nx\n", "not a proof"),
        ("c2sp.org/tlog-proof@v1\nextra AAAA\nindex 0\n\nx\n", "index is no number"),
        ("c2sp.org/tlog-proof@v1\nindex 01\n\nx\n", "index is no number"),
        ("c2sp.org/tlog-proof@v1\nindex 0\nAAAA\n\nx\n", "a step of its path"),
        ("c2sp.org/tlog-proof@v1\nindex 0\n" + "x\n" * 64 + "\nx\n", "longer than"),
        ("c2sp.org/tlog-proof@v1\nindex 0\n\nx\n", "no empty line"),
    ],
)
def test_what_is_no_proof(text: str, what: str) -> None:
    with pytest.raises(NoteError, match=what):
        parse_proof(text)
