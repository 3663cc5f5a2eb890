"""Signed notes and checkpoints, against the forms of c2sp.org."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

import pytest

from probare.evidence.checkpoints import (
    TreeHead,
    parse_checkpoint,
    sign_checkpoint,
    unsigned_checkpoint,
)
from probare.evidence.notes import (
    NoteError,
    canonical_base64,
    note_key_id,
    parse_note,
    sign_note,
    verifier_key,
)

ROOT = hashlib.sha256(b"root").digest()
HEAD = TreeHead("run-1", "trials.jsonl", 3, ROOT)
ORIGIN = "probare.dev/run/run-1/trials.jsonl"


def test_a_checkpoint_has_the_form_of_the_specification(keys: Any) -> None:
    text = sign_checkpoint(HEAD, keys.signing).decode()
    origin, size, root, empty, signature, end = text.split("\n")
    assert (origin, size, empty, end) == (ORIGIN, "3", "", "")
    assert base64.b64decode(root) == ROOT
    dash, name, encoded = signature.split(" ")
    assert (dash, name) == ("\u2014", ORIGIN)
    data = base64.b64decode(encoded)
    assert (
        data[:4] == hashlib.sha256(keys.verifying.der).digest()[:4] == note_key_id(keys.verifying)
    )
    assert keys.verifying.verify(data[4:], f"{ORIGIN}\n3\n{root}\n".encode())


def test_a_checkpoint_reads_back(keys: Any, other_keys: Any) -> None:
    head, note = parse_checkpoint(sign_checkpoint(HEAD, keys.signing))
    assert head == HEAD
    assert note.signed_by(ORIGIN, keys.verifying)
    assert not note.signed_by(ORIGIN, other_keys.verifying)
    assert not note.signed_by("probare.dev/run/run-1/transcripts.jsonl", keys.verifying)


def test_an_unsigned_one_reads_back_with_no_signature() -> None:
    head, note = parse_checkpoint(unsigned_checkpoint(HEAD))
    assert (head, note.signatures) == (HEAD, ())


def test_signatures_of_unknown_keys_are_ignored_but_not_bad_ones_of_a_known(
    keys: Any, other_keys: Any
) -> None:
    text = HEAD.text()
    mine = sign_note(text, ORIGIN, keys.signing)
    theirs = sign_note(text, ORIGIN, other_keys.signing).rpartition("\n\n")[2]
    assert parse_note((mine + theirs).encode()).signed_by(ORIGIN, keys.verifying)
    wrong = sign_note("other\n", ORIGIN, keys.signing).rpartition("\n\n")[2]
    assert not parse_note((mine + wrong).encode()).signed_by(ORIGIN, keys.verifying)


def test_the_verifier_key_of_other_tools(keys: Any) -> None:
    name, short, encoded = verifier_key(ORIGIN, keys.verifying).split("+", 2)
    assert name == ORIGIN
    assert short == keys.verifying.key_id[:8]
    assert base64.b64decode(encoded) == b"\x02" + keys.verifying.der


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "no empty line"),
        (b"text\n", "no empty line"),
        (b"\xff\n\n", "not UTF-8"),
        (b"te\rxt\n\n", "control characters"),
        (b"text\n\n\xe2\x80\x94 a.b AAAAAAA=", "no line feed"),
        (b"text\n\n- a.b AAAAAAAA\n", "malformed"),
        (b"text\n\n\xe2\x80\x94 a+b AAAAAAAA\n", "malformed"),
        (b"text\n\n\xe2\x80\x94 a b AAAAAAAA\n", "malformed"),
        (b"text\n\n\xe2\x80\x94 a.b AAAA\n", "not canonical base64"),
        (b"text\n\n\xe2\x80\x94 a.b AAAAAAB=\n", "not canonical base64"),
        (b"text\n\n" + b"\xe2\x80\x94 a.b AAAAAAAA\n" * 65, "more than 64"),
    ],
)
def test_what_is_no_note(data: bytes, what: str) -> None:
    with pytest.raises(NoteError, match=what):
        parse_note(data)


@pytest.mark.parametrize(
    ("text", "name"),
    [("no end", "a"), ("tab\t\n", "a"), ("x\n", ""), ("x\n", "a b"), ("x\n", "a+b")],
)
def test_what_cannot_be_signed(keys: Any, text: str, name: str) -> None:
    with pytest.raises(NoteError):
        sign_note(text, name, keys.signing)


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("\n3\n", "\n03\n", "size is no number"),
        ("\n3\n", "\n-3\n", "size is no number"),
        ("\n3\n", "\n3\nextension\n", "three lines"),
        ("probare.dev/run/run-1/", "example.com/", "names no run"),
        ("run-1", "..", "names no run"),
        ("=\n\n", "\n\n", "root is not"),
    ],
)
def test_what_is_no_checkpoint(old: str, new: str, what: str) -> None:
    data = unsigned_checkpoint(HEAD).decode()
    root = base64.b64encode(ROOT).decode()
    changed = data.replace(f"{root}\n\n", f"{root[:-1]}\n\n") if what == "root is not" else ""
    with pytest.raises(NoteError, match=what):
        parse_checkpoint((changed or data.replace(old, new)).encode())


@pytest.mark.parametrize("text", ["AAAA\n", "AAB=", "AA", "A A=", "é", "AAAA=="])
def test_base64_has_one_form(text: str) -> None:
    assert canonical_base64(text) is None


def test_base64_in_its_one_form() -> None:
    assert canonical_base64("AAE=") == b"\x00\x01"
    assert canonical_base64("") == b""
