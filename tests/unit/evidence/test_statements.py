"""The two statements: read by in-toto's own library, and true to the run."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from probare.encoding import digest
from probare.evidence import manifest as manifests
from probare.evidence import statements
from probare.evidence.dsse import open_envelope
from probare.evidence.statements import StatementError, result_predicate


def _payloads(folder: Path) -> list[bytes]:
    lines = (folder / "attestations.intoto.jsonl").read_bytes().splitlines()
    return [open_envelope(line).payload for line in lines]


def test_both_are_about_the_manifest_the_checkpoints_and_the_summary(signed: Path) -> None:
    for payload in _payloads(signed):
        subject = json.loads(payload)["subject"]
        assert [entry["name"] for entry in subject] == [
            "manifest.json",
            "trials.checkpoint",
            "transcripts.checkpoint",
            "summary.json",
        ]
        for entry in subject:
            assert entry["digest"] == {"sha256": digest.of_file(signed / entry["name"])}


def test_in_toto_reads_them(signed: Path) -> None:
    parsing: Any = import_module("google.protobuf.json_format")
    predicates: Any = import_module("in_toto_attestation.predicates.test_result.v0.test_result_pb2")
    wrapper: Any = import_module("in_toto_attestation.v1.statement")
    messages: Any = import_module("in_toto_attestation.v1.statement_pb2")

    for payload in _payloads(signed):
        message = parsing.Parse(payload, messages.Statement())
        wrapper.Statement.copy_from_pb(message).validate()
    predicate = json.loads(_payloads(signed)[1])["predicate"]
    result = parsing.ParseDict(predicate, predicates.TestResult())
    assert result.result == "FAILED"
    assert list(result.passed_tests) == ["one", "three", "large"]
    assert list(result.failed_tests) == ["two"]
    assert [entry.name for entry in result.configuration] == ["run.json", "suite.jsonl"]


def test_the_run_predicate_is_what_the_run_says(signed: Path) -> None:
    run = json.loads((signed / "run.json").read_bytes())
    summary = json.loads((signed / "summary.json").read_bytes())
    statement = json.loads(_payloads(signed)[0])
    predicate = statement["predicate"]
    assert statement["predicateType"] == "https://probare.dev/attestation/run/v1"
    assert predicate["suite"] == {"name": "sealed", "digest": run["suite_digest"]}
    assert predicate["cases"] == {
        case: entry["digest"] for case, entry in summary["per_case"].items()
    }
    assert predicate["target"]["name"] == run["target"]
    assert predicate["versions"] == run["versions"]
    assert predicate["decision"] == summary["decision"] == "failed"
    assert predicate["scores"] == summary["scores"]
    assert (predicate["parent"], predicate["plan"]) == (None, None)


@pytest.mark.parametrize(
    ("decision", "status", "result", "where"),
    [
        ("passed", "passed", "PASSED", "passedTests"),
        ("passed", "needs_review", "WARNED", "warnedTests"),
        ("passed", "failed", "WARNED", "failedTests"),
        ("failed", "failed", "FAILED", "failedTests"),
        ("failed", "flaky", "FAILED", "failedTests"),
        ("incomplete", "errored", "FAILED", "failedTests"),
        ("incomplete", "ungraded", "FAILED", "failedTests"),
        ("incomplete", "passed", "FAILED", "passedTests"),
        (None, "passed", "FAILED", "passedTests"),
        ("passed", None, "WARNED", "failedTests"),
    ],
)
def test_an_error_is_never_a_pass(decision: Any, status: Any, result: str, where: str) -> None:
    manifest = manifests.Manifest(run_id="r", files=(), merkle={})
    summary = {"decision": decision, "per_case": {"c": {"status": status}}}
    predicate = result_predicate(summary, manifest)
    assert predicate["result"] == result
    assert {key for key in predicate if predicate[key] == ["c"]} == {where}


@pytest.mark.parametrize(
    ("payload", "what"),
    [
        (b"", "not JSON"),
        (b"[]", "not an in-toto Statement"),
        (b'{"_type":"https://in-toto.io/Statement/v0.1"}', "not an in-toto Statement"),
        (b'{"_type": "https://in-toto.io/Statement/v1"}', "compact form"),
        (b'{"_type":"https://in-toto.io/Statement/v1","a":1E5}', "compact form"),
        (b'{"_type":"https://in-toto.io/Statement/v1","a":1,"a":1}', "duplicate key"),
        (b"[" * 100_000, "nested too deep"),
    ],
)
def test_what_is_no_statement(payload: bytes, what: str) -> None:
    with pytest.raises(StatementError, match=what):
        statements.decode(payload)
