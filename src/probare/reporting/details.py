"""The trials that a person will want to read: failed, errored, for review. Bounded."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from probare.model.record import CaseRecord, TrialRecord, TrialStatus
from probare.model.score import Counts
from probare.model.verdict import CheckVerdict

LIMIT = 200


class Details(msgspec.Struct, kw_only=True):
    """The first so many trials of each kind, and how many there are in all."""

    failed: list[TrialRecord] = msgspec.field(default_factory=list[TrialRecord])
    errored: list[TrialRecord] = msgspec.field(default_factory=list[TrialRecord])
    needs_review: list[TrialRecord] = msgspec.field(default_factory=list[TrialRecord])
    case_wide: list[CaseRecord] = msgspec.field(default_factory=list[CaseRecord])
    totals: dict[TrialStatus, int] = msgspec.field(default_factory=dict[TrialStatus, int])


def details(
    counts: Counts,
    records: Iterable[TrialRecord],
    case_records: Iterable[CaseRecord] = (),
    limit: int = LIMIT,
) -> Details:
    """Return the trials to read, reading the records once and keeping at most `limit` a kind.

    `counts` are the run's trials: where all passed, the records are not read at all.
    """
    found = Details()
    if counts.passed == counts.run:
        records = ()
    kept: dict[TrialStatus, list[TrialRecord]] = {
        "failed": found.failed,
        "errored": found.errored,
        "needs_review": found.needs_review,
    }
    for record in records:
        found.totals[record.status] = found.totals.get(record.status, 0) + 1
        wanted = kept.get(record.status)
        if wanted is not None and len(wanted) < limit:
            wanted.append(record)
    for record in case_records:
        if not all(verdict.result == "pass" for verdict in record.verdicts):
            found.case_wide.append(record)
    return found


def telling(verdicts: Iterable[CheckVerdict], *results: str) -> list[CheckVerdict]:
    """Return the verdicts with one of these results, the required ones first."""
    found = [verdict for verdict in verdicts if verdict.result in results]
    return sorted(found, key=lambda verdict: not verdict.required)
