"""Sealed plans: what will count, signed before the run (pre-registration).

A plan is one DSSE envelope, in the one form that `dsse` describes and a line feed after it,
around an in-toto Statement about the suite by its content digest. Its digest is the SHA-256 of
its file, which can be published or time-stamped. Signed plan and signed run show that one key
signed both and that they agree; that the plan came first needs an outside witness.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from probare.encoding import digest
from probare.encoding.narrow import mapping
from probare.errors import InputError
from probare.evidence import statements
from probare.evidence.dsse import EnvelopeError, OpenedEnvelope, open_envelope, sign_envelope
from probare.evidence.keys import PublicKey, SigningKey
from probare.evidence.writing import create_whole

PLAN_PREDICATE = "https://probare.dev/attestation/plan/v1"
MAX_SIZE = 64 * 1024 * 1024


class PlanFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a plan fixes.

    `cases` maps each case to its content digest, `checks` to a digest of its checks, `trials` to
    the number planned. `graders` maps a grader to its version. `gate` and `thresholds` are as
    the suite has them. `created` is UTC in ISO 8601, by the signer's clock. `target` is null
    where any target may be run; `probare` is the version that made the plan.
    """

    suite: str
    suite_digest: str
    cases: dict[str, str]
    checks: dict[str, str]
    graders: dict[str, str]
    trials: dict[str, int]
    gate: dict[str, Any]
    thresholds: dict[str, Any]
    created: str
    probare: str
    target: str | None = None


@dataclass(frozen=True, slots=True)
class SealedPlan:
    """A plan as read: `checked` says whether its signature was held against a key."""

    facts: PlanFacts
    sha256: str
    key_id: str
    checked: bool


def write_plan(path: Path, facts: PlanFacts, key: SigningKey) -> str:
    """Sign a plan and write it, never over an existing file; return its SHA-256."""
    statement = statements.statement(
        PLAN_PREDICATE, {facts.suite: facts.suite_digest}, msgspec.to_builtins(facts)
    )
    data = sign_envelope(statements.encode(statement), key) + b"\n"
    create_whole(path, data)
    return digest.of_bytes(data)


def read_plan(path: Path, public: PublicKey | None = None) -> SealedPlan:
    """Read a sealed plan and check its signature, where there is a key to check it with.

    Raises InputError: it cannot be read, is not a plan in its one form, was changed, or was
    signed by another key.
    """
    try:
        if path.stat().st_size > MAX_SIZE:
            raise InputError(f"{path} is larger than a plan may be")
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read the plan {path}: {error.strerror}") from error
    try:
        envelope, facts = open_plan(data)
    except ValueError as error:
        raise InputError(
            f"{path} is not a sealed plan: {error}", hint="make one with: probare plan SUITE"
        ) from None
    if public is not None:
        _check_key(path, envelope, public)
    return SealedPlan(facts, digest.of_bytes(data), envelope.key_id, public is not None)


def open_plan(data: bytes) -> tuple[OpenedEnvelope, PlanFacts]:
    """Take the bytes of a plan apart. Raises ValueError with what is wrong; no signature is
    verified.
    """
    if not data.endswith(b"\n"):
        raise EnvelopeError("it does not end in a line feed")
    envelope = open_envelope(data[:-1])
    statement = statements.decode(envelope.payload)
    if statement.get("predicateType") != PLAN_PREDICATE:
        raise EnvelopeError(f"it is not a statement of {PLAN_PREDICATE}")
    facts = msgspec.convert(mapping(statement.get("predicate")), PlanFacts)
    subject = {facts.suite: facts.suite_digest}
    if statement != statements.statement(PLAN_PREDICATE, subject, statement["predicate"]):
        raise EnvelopeError("its subject is not the suite that it plans")
    return envelope, facts


def _check_key(path: Path, envelope: OpenedEnvelope, public: PublicKey) -> None:
    if envelope.key_id != public.key_id:
        raise InputError(
            f"{path} was signed by another key ({envelope.key_id}), not by {public.key_id}"
        )
    if not envelope.signed_by(public):
        raise InputError(f"the signature of {path} does not hold: it was changed")
