"""in-toto Statements v1 about a sealed run: Probare's own predicate, and the test result.

Everything in them is read from the bundle's `run.json`, `summary.json` and manifest as they are
stored, so that `verify` can make them again and compare. The predicates are described in
docs/evidence.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from probare.encoding import jsonbytes
from probare.encoding.narrow import mapping
from probare.evidence import names
from probare.evidence.manifest import Manifest

STATEMENT = "https://in-toto.io/Statement/v1"
RUN_PREDICATE = "https://probare.dev/attestation/run/v1"
TEST_RESULT_PREDICATE = "https://in-toto.io/attestation/test-result/v0.1"

SUBJECTS = (
    names.MANIFEST,
    names.TRIALS_CHECKPOINT,
    names.TRANSCRIPTS_CHECKPOINT,
    names.SUMMARY,
)

_RUN_FIELDS = ("run_id", "created", "git_commit", "seed", "versions")
_DECISION_FIELDS = ("decision", "exit_code", "why", "scores")


class StatementError(ValueError):
    """A payload is not a statement in its one form."""


def statement(kind: str, digests: Mapping[str, str], predicate: Any) -> dict[str, Any]:
    """Return a Statement about files given by name and SHA-256."""
    subject = [{"name": name, "digest": {"sha256": sha256}} for name, sha256 in digests.items()]
    return {
        "_type": STATEMENT,
        "subject": subject,
        "predicateType": kind,
        "predicate": predicate,
    }


def run_predicate(
    run: Mapping[str, Any], summary: Mapping[str, Any], manifest: Manifest
) -> dict[str, Any]:
    """Return Probare's own predicate: what was run, with which digests, and what came of it."""
    cases = mapping(summary.get("per_case"))
    predicate: dict[str, Any] = {key: run.get(key) for key in _RUN_FIELDS}
    predicate["suite"] = {"name": run.get("suite"), "digest": run.get("suite_digest")}
    predicate["target"] = {
        "name": run.get("target"),
        "kind": run.get("target_kind"),
        "trust": run.get("trust"),
    }
    predicate["cases"] = {case: mapping(entry).get("digest") for case, entry in cases.items()}
    predicate["counts"] = {key: summary.get(key) for key in ("cases", "trials")}
    predicate |= {key: summary.get(key) for key in _DECISION_FIELDS}
    predicate["parent"] = msgspec.to_builtins(manifest.parent)
    predicate["plan"] = {"sha256": manifest.plan} if manifest.plan else None
    return predicate


def result_predicate(summary: Mapping[str, Any], manifest: Manifest) -> dict[str, Any]:
    """Return the predicate of `in-toto.io/attestation/test-result/v0.1`.

    A test is a case. Only a case that passed is a passed test; one that people must judge is
    warned; every other is failed. An incomplete run is FAILED. WARNED is a run that its gate
    lets through though not every case passed.
    """
    lists: dict[str, list[str]] = {"passedTests": [], "warnedTests": [], "failedTests": []}
    for case, entry in mapping(summary.get("per_case")).items():
        lists[_LISTS.get(str(mapping(entry).get("status")), "failedTests")].append(case)
    if summary.get("decision") != "passed":
        result = "FAILED"
    else:
        result = "WARNED" if lists["warnedTests"] or lists["failedTests"] else "PASSED"
    digests = {file.path: file.sha256 for file in manifest.files}
    configuration = [
        {"name": name, "digest": {"sha256": digests[name]}}
        for name in (names.RUN, names.SUITE, names.PLAN)
        if name in digests
    ]
    return {"result": result, "configuration": configuration, **lists}


def about_run(
    digests: Mapping[str, str],
    run: Mapping[str, Any],
    summary: Mapping[str, Any],
    manifest: Manifest,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the two statements about a run; `digests` are those of the SUBJECTS."""
    subjects = {name: digests[name] for name in SUBJECTS}
    return (
        statement(RUN_PREDICATE, subjects, run_predicate(run, summary, manifest)),
        statement(TEST_RESULT_PREDICATE, subjects, result_predicate(summary, manifest)),
    )


_LISTS = {"passed": "passedTests", "needs_review": "warnedTests"}


def encode(value: dict[str, Any]) -> bytes:
    """Return a statement's bytes, the payload of its envelope."""
    return jsonbytes.encode(value)


def decode(payload: bytes) -> dict[str, Any]:
    """Read a payload strictly. Raises StatementError: no JSON, or not in its compact form."""
    try:
        value = jsonbytes.decode_strict(payload)
    except RecursionError:
        raise StatementError("its payload is nested too deep") from None
    except ValueError as error:
        raise StatementError(f"its payload is not JSON: {error}") from None
    if not isinstance(value, dict) or value.get("_type") != STATEMENT:  # pyright: ignore[reportUnknownMemberType]
        raise StatementError("its payload is not an in-toto Statement v1")
    if jsonbytes.encode(value) != payload:
        raise StatementError("its payload is not in its compact form")
    return mapping(value)
