"""The trials that a person will want to read: failed, errored, for review. Bounded."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from probare.model.case import Case
from probare.model.record import CaseRecord, TrialRecord, TrialStatus
from probare.model.score import Counts, Summary
from probare.model.verdict import CheckVerdict, Result

LIMIT = 200


class CaseWide(msgspec.Struct, frozen=True):
    """A case-wide verdict that did not pass."""

    case: str
    verdict: CheckVerdict


class Details(msgspec.Struct, kw_only=True):
    """The first so many trials of each kind, and how many there are in all.

    `wide` holds the case-wide verdicts that did not pass, by result; `wide_totals` counts them.
    `notes` are those of the cases that any of these is of.
    """

    failed: list[TrialRecord] = msgspec.field(default_factory=list[TrialRecord])
    errored: list[TrialRecord] = msgspec.field(default_factory=list[TrialRecord])
    needs_review: list[TrialRecord] = msgspec.field(default_factory=list[TrialRecord])
    totals: dict[TrialStatus, int] = msgspec.field(default_factory=dict[TrialStatus, int])
    wide: dict[Result, list[CaseWide]] = msgspec.field(default_factory=dict[Result, list[CaseWide]])
    wide_totals: dict[Result, int] = msgspec.field(default_factory=dict[Result, int])
    notes: dict[str, dict[str, str]] = msgspec.field(default_factory=dict[str, dict[str, str]])


def details(
    counts: Counts,
    records: Iterable[TrialRecord],
    case_records: Iterable[CaseRecord] = (),
    limit: int = LIMIT,
    cases: Iterable[Case] = (),
) -> Details:
    """Return the trials to read, reading the records once and keeping at most `limit` a kind.

    `counts` are the run's trials: where all passed, the records are not read at all. `cases` are
    read where there is something to tell of one.
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
        for verdict in record.verdicts:
            if verdict.result != "pass":
                total = found.wide_totals.get(verdict.result, 0) + 1
                found.wide_totals[verdict.result] = total
                if total <= limit:
                    found.wide.setdefault(verdict.result, []).append(CaseWide(record.case, verdict))
    told = {record.case for records in kept.values() for record in records}
    told |= {wide.case for each in found.wide.values() for wide in each}
    if told:
        found.notes = {case.id: case.notes for case in cases if case.notes and case.id in told}
    return found


class Notes:
    """The notes of cases, each told once, where the case is first read of."""

    def __init__(self, found: Details) -> None:
        self._left = dict(found.notes)

    def of(self, case: str) -> dict[str, str]:
        """Return a case's notes by name; none the second time."""
        return self._left.pop(case, {})


def telling(verdicts: Iterable[CheckVerdict], *results: Result) -> list[CheckVerdict]:
    """Return the verdicts with one of these results, the required ones first."""
    found = [verdict for verdict in verdicts if verdict.result in results]
    return sorted(found, key=lambda verdict: not verdict.required)


def not_run(summary: Summary) -> dict[str, int]:
    """Return the cases of which trials are missing, and how many: they count as errored."""
    missing = {name: case.trials - case.run for name, case in summary.per_case.items()}
    return {name: count for name, count in missing.items() if count > 0}
