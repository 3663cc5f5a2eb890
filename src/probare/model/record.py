"""Lines of a run directory: trial records and case-wide verdicts, and what was planned."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec

from probare.model.outcome import Stop, UsageTotal
from probare.model.verdict import CheckVerdict

TrialStatus: TypeAlias = Literal["failed", "errored", "needs_review", "ungraded", "passed"]
CaseStatus: TypeAlias = Literal["flaky", "failed", "errored", "needs_review", "ungraded", "passed"]


class TranscriptRef(msgspec.Struct, frozen=True):
    """Where the trial's line stands in `transcripts.jsonl`: byte offset, length without the
    line feed, and the SHA-256 of those bytes.
    """

    offset: int
    length: int
    sha256: str


class TrialError(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a trial did not complete."""

    type: str
    message: str
    hint: str = ""


class TrialRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A line of `trials.jsonl`. `trial` counts from 0; times are in milliseconds.

    `started` is UTC in ISO 8601. `salt` is random, so that a neighbour's leaf in the Merkle
    tree cannot be guessed.
    """

    case: str
    trial: int
    stop: Stop
    status: TrialStatus
    error: TrialError | None
    attempts: int
    verdicts: tuple[CheckVerdict, ...]
    started: str
    duration_ms: float
    first_token_ms: float | None
    usage: UsageTotal | None
    output_text: str | None
    transcript: TranscriptRef
    salt: str


class CaseRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A line of `cases.jsonl`: the case-wide verdicts of one case."""

    case: str
    verdicts: tuple[CheckVerdict, ...]


class RunPlan(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`run.json`: what was planned, before anything ran.

    `cases` maps each selected case to its planned number of trials. `options` are the command's,
    so that a resumed run goes on with the same. `plan` is the SHA-256 of the sealed plan that the
    run is held to, `parent` the run that this one was made from.
    """

    run_id: str
    suite: str
    suite_digest: str
    target: str
    target_kind: str
    trust: str
    created: str
    seed: int
    cases: dict[str, int]
    options: dict[str, Any]
    versions: dict[str, str]
    suite_path: str | None = None
    git_commit: str | None = None
    parent: str | None = None
    parent_reason: str | None = None
    target_settings: dict[str, Any] = {}
    plan: str | None = None
    format: int = 1
