"""The names of what the seal covers and of what it is made of (DESIGN sections 7 and 9).

Those of the records are also in `stores.layout`, a room on the same row; a test holds the two
together.
"""

from __future__ import annotations

import re

RUN = "run.json"
SUITE = "suite.jsonl"
TRANSCRIPTS = "transcripts.jsonl"
TRIALS = "trials.jsonl"
CASES = "cases.jsonl"
SUMMARY = "summary.json"
BASIS = "basis.json"
BLOBS = "blobs"

PLAN = "plan.intoto.json"
RECIPE = "VERIFY.md"
LEAVES = "trials.leaves"

MANIFEST = "manifest.json"
MANIFEST_DIGEST = "manifest.sha256"
TRIALS_CHECKPOINT = "trials.checkpoint"
TRANSCRIPTS_CHECKPOINT = "transcripts.checkpoint"
ATTESTATIONS = "attestations.intoto.jsonl"

NEEDED = (RUN, SUITE, TRANSCRIPTS, TRIALS, SUMMARY)
LOGS = {TRIALS: TRIALS_CHECKPOINT, TRANSCRIPTS: TRANSCRIPTS_CHECKPOINT}
SIGNATURES = (TRIALS_CHECKPOINT, TRANSCRIPTS_CHECKPOINT, ATTESTATIONS)
SEAL = frozenset({MANIFEST, MANIFEST_DIGEST, *SIGNATURES})

_RUN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")


def is_run_id(text: str) -> bool:
    """Return whether a run id is one that can stand in a path and in a note's key name."""
    return _RUN_ID.fullmatch(text) is not None


def part_of(name: str) -> str:
    """Return the name under which a file of the seal stands while it is being written."""
    return f".{name}.part"
