"""The names of what stands in a run directory (DESIGN section 7)."""

from __future__ import annotations

import re
import secrets
from datetime import UTC, datetime

RUN = "run.json"
SUITE = "suite.jsonl"
TRANSCRIPTS = "transcripts.jsonl"
TRIALS = "trials.jsonl"
CASES = "cases.jsonl"
BASIS = "basis.json"
REVIEWS = "reviews.jsonl"
SUMMARY = "summary.json"
PREREGISTERED = "plan.intoto.json"
BLOBS = "blobs"
MANIFEST = "manifest.json"


def new_run_id(suite: str) -> str:
    """Return `<suite>-<UTC time>-<short id>`, safe as a folder's name whatever the suite's."""
    safe = re.sub(r"[^A-Za-z0-9._-]+", "-", suite).strip("-.")[:60] or "suite"
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    return f"{safe}-{moment}-{secrets.token_hex(3)}"
