"""The seal, verification, pre-registration, excerpts and lineage, by the real command line."""

from __future__ import annotations

import json
import os
import shutil
import stat
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

AGENT = """
def say(input):
    if input == "crash":
        raise ValueError("down")
    return f"hello {input}"
"""
SUITE = """
suite: greeter
target: {python: "agent:say"}
defaults: {expect: [{contains: hello}]}
gate: {min: {pass_rate: 0.5}}
cases:
  - {id: a, input: Ada}
  - {id: b, input: Bob, trials: 2}
"""


@pytest.fixture
def suite(write_suite: Any) -> Path:
    return write_suite(SUITE, AGENT)


@pytest.fixture
def key(probare: Any, tmp_path: Path) -> Path:
    done = probare("keygen")
    assert done.code == 0, done.err
    return tmp_path / "probare.key"


@pytest.fixture
def sealed(probare: Any, suite: Path, key: Path, only_run: Callable[[], Path]) -> Path:
    assert probare("run", suite, "--key", key).code == 0
    return only_run()


def test_keygen_protects_the_private_key(probare: Any, key: Path) -> None:
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    again = probare("keygen")
    assert again.code == 2
    assert "exists" in again.err


def test_every_run_ends_sealed(probare: Any, suite: Path, only_run: Callable[[], Path]) -> None:
    assert probare("run", suite).code == 0
    run = only_run()
    assert (run / "manifest.json").is_file()
    assert not (run / "attestations.intoto.jsonl").exists()
    done = probare("verify", run)
    assert done.code == 0, done.out
    assert done.out.startswith("INTACT")
    assert "only that the files agree with each other" in done.out
    assert "statuses, summary and decision follow" in done.out


def test_a_signed_run_verifies_with_its_key_alone(
    probare: Any, sealed: Path, key: Path, tmp_path: Path
) -> None:
    done = probare("verify", sealed, "--key", key.with_suffix(".pub"))
    assert done.code == 0, done.out
    assert "signature not checked" in probare("verify", sealed).out
    assert probare("keygen", "--out", "other.key").code == 0
    other = probare("verify", sealed, "--key", "other.pub")
    assert other.code == 1
    assert "another key" in other.out


def test_with_a_key_a_missing_attestation_is_a_fault(probare: Any, sealed: Path, key: Path) -> None:
    (sealed / "attestations.intoto.jsonl").unlink()
    done = probare("verify", sealed, "--key", key.with_suffix(".pub"))
    assert done.code == 1
    assert "attestations.intoto.jsonl" in done.out


def test_an_unsigned_run_is_signed_later(
    probare: Any, suite: Path, key: Path, only_run: Callable[[], Path]
) -> None:
    probare("run", suite)
    run = only_run()
    before = (run / "manifest.json").read_bytes()
    assert probare("verify", run, "--key", key.with_suffix(".pub")).code == 1
    assert probare("seal", run, "--key", key).code == 0
    assert (run / "manifest.json").read_bytes() == before
    assert probare("verify", run, "--key", key.with_suffix(".pub")).code == 0
    again = probare("seal", run, "--key", key)
    assert again.code == 2
    assert "sealed" in again.err


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("trials.jsonl", b'"passed"', b'"failed"'),
        ("transcripts.jsonl", b"hello Ada", b"hello Eve"),
        ("summary.json", b'"exit_code": 0', b'"exit_code": 1'),
        ("report.md", b"greeter", b"greeted"),
        ("basis.json", b'"stopped"', b'"stoqped"'),
        ("suite.jsonl", b"Ada", b"Eve"),
    ],
)
def test_what_was_changed_is_named(
    probare: Any, sealed: Path, name: str, before: bytes, after: bytes
) -> None:
    path = sealed / name
    data = path.read_bytes()
    assert before in data
    path.write_bytes(data.replace(before, after, 1))
    done = probare("verify", sealed, "--json")
    assert done.code == 1
    assert any(found["file"] == name for found in done.json["findings"])


def test_a_forger_without_the_key_is_found(
    probare: Any, sealed: Path, key: Path, tmp_path: Path
) -> None:
    """A bundle made anew from changed records agrees with itself; the key tells."""
    forged = tmp_path / "forged"
    shutil.copytree(sealed, forged)
    for name in ("manifest.json", "manifest.sha256", "attestations.intoto.jsonl"):
        (forged / name).unlink()
    for path in forged.glob("*.checkpoint"):
        path.unlink()
    assert probare("keygen", "--out", "forger.key").code == 0
    assert probare("seal", forged, "--key", "forger.key").code == 0
    assert probare("verify", forged).code == 0
    assert probare("verify", forged, "--key", key.with_suffix(".pub")).code == 1


def test_a_changed_status_is_recounted_even_where_the_seal_is_made_anew(
    probare: Any, suite: Path, only_run: Callable[[], Path]
) -> None:
    probare("run", suite, "--case", "a")
    run = only_run()
    for path in (*run.glob("manifest.*"), run / "VERIFY.md", run / "trials.leaves"):
        path.unlink(missing_ok=True)
    path = run / "summary.json"
    path.write_text(path.read_text().replace('"exit_code": 0', '"exit_code": 3', 1))
    assert probare("seal", run).code == 0
    done = probare("verify", run)
    assert done.code == 1
    assert "the records give" in done.out


def test_nothing_changes_after_the_seal(probare: Any, sealed: Path, tmp_path: Path) -> None:
    before = {path: path.read_bytes() for path in sealed.rglob("*") if path.is_file()}
    assert probare("report", sealed, "--format", "html", "--out", "r.html").code == 0
    assert probare("gate", sealed).code == 0
    assert probare("run", "--resume", sealed).code == 2
    assert {path: path.read_bytes() for path in sealed.rglob("*") if path.is_file()} == before


def test_a_plan_holds_the_run_to_what_was_sealed_before(
    probare: Any, suite: Path, key: Path, only_run: Callable[[], Path]
) -> None:
    assert probare("plan", suite, "--key", key, "--out", "plan.json").code == 0
    assert probare("run", suite, "--plan", "plan.json", "--key", key).code == 0
    run = only_run()
    done = probare("verify", run, "--key", key.with_suffix(".pub"))
    assert done.code == 0, done.out
    assert "kept to the plan" in done.out
    assert "that the plan came before the run" in done.out
    assert "thrown away" in done.out


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("pass_rate: 0.5", "pass_rate: 0.4", "gate differs"),
        ("{contains: hello}", "{contains: hell}", "case a, b asks another thing"),
        ("trials: 2", "trials: 3", "case b has other trials"),
        ("  - {id: a, input: Ada}\n", "", "case a is gone"),
    ],
)
def test_a_suite_that_differs_from_the_plan_is_refused(
    probare: Any, suite: Path, key: Path, tmp_path: Path, before: str, after: str, told: str
) -> None:
    assert probare("plan", suite, "--key", key, "--out", "plan.json").code == 0
    path = suite / "suite.yaml"
    path.write_text(path.read_text().replace(before, after))
    done = probare("run", suite, "--plan", "plan.json", "--key", key)
    assert done.code == 2
    assert told in done.err
    assert not (tmp_path / "runs").exists()


def test_options_that_the_plan_does_not_have_are_refused(
    probare: Any, suite: Path, key: Path
) -> None:
    assert probare("plan", suite, "--key", key, "--out", "plan.json").code == 0
    assert "other trials" in probare("run", suite, "--plan", "plan.json", "--trials", "5").err
    some = probare("run", suite, "--plan", "plan.json", "--case", "a")
    assert some.code == 2
    assert "all cases" in some.err


def test_a_plan_of_another_key_is_refused(probare: Any, suite: Path, key: Path) -> None:
    assert probare("plan", suite, "--key", key, "--out", "plan.json").code == 0
    assert probare("keygen", "--out", "other.key").code == 0
    done = probare("run", suite, "--plan", "plan.json", "--key", "other.key")
    assert done.code == 2
    assert "another key" in done.err


def test_an_excerpt_proves_one_case_and_discloses_no_other(
    probare: Any, sealed: Path, key: Path, tmp_path: Path
) -> None:
    done = probare("excerpt", sealed, "--case", "b", "--out", "b.json")
    assert done.code == 0, done.err
    text = (tmp_path / "b.json").read_text()
    assert "Ada" not in text
    shutil.rmtree(sealed)
    alone = probare("verify", "b.json", "--key", key.with_suffix(".pub"))
    assert alone.code == 0, alone.out
    (tmp_path / "b.json").write_text(text.replace("Bob", "Rob"))
    assert probare("verify", "b.json", "--key", key.with_suffix(".pub")).code in (1, 2)
    assert probare("excerpt", "b.json", "--case", "b").code == 2


def test_an_outside_witness_says_when_the_plan_was_there(
    probare: Any,
    suite: Path,
    key: Path,
    tmp_path: Path,
    only_run: Callable[[], Path],
    authority: Any,
) -> None:
    """An authority of openssl's stamps the plan; a stamp of after the run is a fault."""
    asked = ("--key", key, "--out", "plan.json", "--tsq", "plan.tsq")
    assert probare("plan", suite, *asked).code == 0
    query, reply, root = (tmp_path / name for name in ("plan.tsq", "plan.tsr", "root.pem"))
    reply.write_bytes(authority.answer(query.read_bytes()))
    root.write_bytes(authority.root)
    assert probare("run", suite, "--plan", "plan.json", "--key", key).code == 0
    stamp = ("--timestamp", "plan.tsr", "--tsa-root", root)
    done = probare("verify", only_run(), "--key", key.with_suffix(".pub"), *stamp)
    assert done.code == 0, done.out
    assert "saw the plan at" in done.out
    assert probare("verify", only_run(), "--timestamp", "plan.tsr").code == 2
    time.sleep(1.1)
    reply.write_bytes(authority.answer(query.read_bytes()))
    late = probare("verify", only_run(), "--key", key.with_suffix(".pub"), *stamp)
    assert late.code == 1
    assert "after the run began" in late.out


def test_an_unknown_case_has_no_excerpt(probare: Any, sealed: Path) -> None:
    done = probare("excerpt", sealed, "--case", "bb")
    assert done.code == 2
    assert "bb" in done.err


def test_a_regraded_run_names_the_one_before(
    probare: Any, sealed: Path, key: Path, tmp_path: Path
) -> None:
    assert probare("regrade", sealed, "--key", key).code == 0
    [new] = [path for path in (tmp_path / "runs").iterdir() if path != sealed]
    done = probare("verify", new, "--chain", "--key", key.with_suffix(".pub"))
    assert done.code == 0, done.out
    assert sealed.name in done.out
    data = (sealed / "trials.jsonl").read_bytes()
    (sealed / "trials.jsonl").write_bytes(data.replace(b"hello", b"hallo", 1))
    assert probare("verify", new, "--chain").code == 1
    assert probare("verify", new).code == 0


def test_an_interrupted_run_stays_unsealed(probare: Any, sealed: Path) -> None:
    for path in (*sealed.glob("manifest.*"), *sealed.glob("*.checkpoint"), sealed / "summary.json"):
        path.unlink()
    done = probare("seal", sealed)
    assert done.code == 2
    assert "did not end" in done.err


def test_a_key_with_a_passphrase(probare: Any, suite: Path, only_run: Callable[[], Path]) -> None:
    secret = {"PROBARE_KEY_PASSPHRASE": "correct horse"}
    assert probare("keygen", "--out", "k", "--passphrase", env=secret).code == 0
    without = probare("run", suite, "--key", "k")
    assert without.code == 2
    assert "PROBARE_KEY_PASSPHRASE" in without.err
    wrong = probare("run", suite, "--key", "k", env={"PROBARE_KEY_PASSPHRASE": "wrong"})
    assert wrong.code == 2
    assert "passphrase" in wrong.err
    assert probare("run", suite, "--key", "k", env=secret).code == 0
    for path in only_run().rglob("*"):
        assert path.is_dir() or b"correct horse" not in path.read_bytes()


@pytest.mark.parametrize("what", ["nothing", "empty", "text", "zip"])
def test_what_is_no_run_is_refused_clearly(probare: Any, tmp_path: Path, what: str) -> None:
    path = tmp_path / "x"
    if what == "empty":
        path.mkdir()
    elif what == "text":
        path.write_text("hello")
    elif what == "zip":
        path.write_bytes(b"PK\x03\x04" + os.urandom(100))
    done = probare("verify", path)
    assert done.code in (1, 2)
    assert str(path.name) in done.out + done.err


def test_a_link_out_of_the_bundle_is_refused(probare: Any, sealed: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("outside")
    (sealed / "report.md").unlink()
    (sealed / "report.md").symlink_to(tmp_path / "secret")
    done = probare("verify", sealed, "--json")
    assert done.code == 1
    assert any(found["file"] == "report.md" for found in done.json["findings"])
    assert json.loads(done.out)["intact"] is False
