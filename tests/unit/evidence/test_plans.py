"""Sealed plans."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from probare.encoding import digest
from probare.errors import InputError
from probare.evidence import names, statements
from probare.evidence.dsse import sign_envelope
from probare.evidence.plans import PLAN_PREDICATE, PlanFacts, read_plan, write_plan
from probare.evidence.sealing import seal
from probare.evidence.verifying import examine

FACTS = PlanFacts(
    suite="help-guide",
    suite_digest="1" * 64,
    cases={"one": "2" * 64, "two": "3" * 64},
    checks={"one": "4" * 64, "two": "5" * 64},
    graders={"contains": "1"},
    trials={"one": 3, "two": 1},
    gate={"max_drop": 0.1},
    thresholds={"accuracy": 0.9},
    created="2026-12-01T00:00:00+00:00",
    probare="0.1.0",
)


def test_it_reads_back(keys: Any, tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    sha256 = write_plan(path, FACTS, keys.signing)
    assert sha256 == digest.of_file(path)
    plan = read_plan(path, keys.verifying)
    assert (plan.facts, plan.sha256, plan.checked) == (FACTS, sha256, True)
    assert plan.key_id == keys.verifying.key_id
    assert not read_plan(path).checked
    assert sorted(p.name for p in tmp_path.iterdir()) == ["plan.json"]


def test_it_is_never_written_over(keys: Any, tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_text("mine")
    with pytest.raises(InputError, match="exists already"):
        write_plan(path, FACTS, keys.signing)
    assert path.read_text() == "mine"
    with pytest.raises(InputError, match="cannot be written"):
        write_plan(tmp_path / "no" / "plan.json", FACTS, keys.signing)


def test_another_key_is_named(keys: Any, other_keys: Any, tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    write_plan(path, FACTS, keys.signing)
    with pytest.raises(InputError, match=f"another key .{keys.verifying.key_id}"):
        read_plan(path, other_keys.verifying)


@pytest.fixture(scope="module")
def stored(keys: Any, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("plan") / "plan.json"
    write_plan(path, FACTS, keys.signing)
    return path.read_bytes()


@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_any_flipped_bit_is_seen(
    stored: bytes, keys: Any, tmp_path: Path, data: st.DataObject
) -> None:
    changed = bytearray(stored)
    place = data.draw(st.integers(0, len(changed) - 1))
    changed[place] ^= 1 << data.draw(st.integers(0, 7))
    path = tmp_path / "plan.json"
    path.write_bytes(changed)
    with pytest.raises(InputError):
        read_plan(path, keys.verifying)


def _statement(**changes: Any) -> dict[str, Any]:
    made = statements.statement(
        PLAN_PREDICATE, {"help-guide": "1" * 64}, msgspec.to_builtins(FACTS)
    )
    return made | changes


@pytest.mark.parametrize(
    "statement",
    [
        _statement(predicateType="https://probare.dev/attestation/run/v1"),
        _statement(predicate={}),
        _statement(predicate=msgspec.to_builtins(FACTS) | {"more": 1}),
        _statement(subject=[]),
        _statement(subject=[{"name": "help-guide", "digest": {"sha256": "9" * 64}}]),
        _statement(more=1),
    ],
)
def test_a_signed_statement_that_is_no_plan(
    keys: Any, tmp_path: Path, statement: dict[str, Any]
) -> None:
    path = tmp_path / "plan.json"
    path.write_bytes(sign_envelope(statements.encode(statement), keys.signing) + b"\n")
    with pytest.raises(InputError, match="not a sealed plan"):
        read_plan(path, keys.verifying)


@pytest.mark.parametrize("content", [b"", b"{}", b"[" * 100_000, b"\xff", b"x\n"])
def test_what_is_no_plan(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "plan.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match="not a sealed plan"):
        read_plan(path)
    with pytest.raises(InputError, match="cannot read the plan"):
        read_plan(tmp_path / "none")


def test_a_giant_plan_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(InputError, match="larger than a plan"):
        read_plan(path)


def test_a_run_names_the_plan_that_lies_in_it(finished: Path, keys: Any, other_keys: Any) -> None:
    sha256 = write_plan(finished / names.PLAN, FACTS, keys.signing)
    seal(finished, key=keys.signing)
    examination = examine(finished, public=keys.verifying)
    assert examination.intact
    assert examination.manifest is not None
    assert examination.manifest.plan == sha256


def test_a_plan_of_another_key_is_a_finding(finished: Path, keys: Any, other_keys: Any) -> None:
    write_plan(finished / names.PLAN, FACTS, other_keys.signing)
    seal(finished, key=keys.signing)
    (found,) = examine(finished, public=keys.verifying).findings
    assert found.file == names.PLAN
    assert "signed by another key" in found.what
    assert examine(finished).intact


def test_what_is_no_plan_under_its_name_is_a_finding(finished: Path, keys: Any) -> None:
    shutil.copy(finished / "run.json", finished / names.PLAN)
    seal(finished, key=keys.signing)
    assert "not a sealed plan" in str(examine(finished).findings[0])
