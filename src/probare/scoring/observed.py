"""What one run showed of each case: its status, and which required checks failed or passed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec

from probare.model.proof import CheckName
from probare.model.record import CaseRecord, CaseStatus, TrialRecord
from probare.model.verdict import CheckVerdict


class CaseSeen(msgspec.Struct, frozen=True, kw_only=True):
    """One case of one run, over all its trials and the checks of the case as a whole.

    `failed` maps each required check that failed in any trial to its first reason; `passed` are
    those that passed in at least one trial and failed in none; `checks` are all that were
    recorded. `completed` says whether any trial did; `error` is the first reason why there is
    no answer, in words.
    """

    status: CaseStatus
    failed: dict[CheckName, str]
    passed: frozenset[CheckName]
    checks: frozenset[CheckName]
    completed: bool
    error: str


class _Gathering:
    __slots__ = ("checks", "completed", "error", "failed", "passed")

    def __init__(self) -> None:
        self.failed: dict[CheckName, str] = {}
        self.passed: set[CheckName] = set()
        self.checks: set[CheckName] = set()
        self.completed = False
        self.error = ""

    def add(self, verdicts: Iterable[CheckVerdict], names: dict[CheckName, CheckName]) -> None:
        numbers: Counter[tuple[str, str, str]] = Counter()
        for verdict in verdicts:
            if not verdict.required:
                continue
            alike = (verdict.list, verdict.label, verdict.grader)
            numbers[alike] += 1
            name = CheckName(
                list=verdict.list,
                label=verdict.label,
                grader=verdict.grader,
                number=numbers[alike],
            )
            name = names.setdefault(name, name)
            self.checks.add(name)
            if verdict.result == "fail":
                self.failed.setdefault(name, verdict.reason)
            elif verdict.result == "pass":
                self.passed.add(name)
            elif not self.error:
                self.error = f"{verdict.label}: {verdict.result}: {verdict.reason}"


def observe(
    statuses: Mapping[str, CaseStatus],
    records: Iterable[TrialRecord],
    case_records: Iterable[CaseRecord],
) -> dict[str, CaseSeen]:
    """Return what a run showed of each planned case. `statuses` are those of its summary."""
    names: dict[CheckName, CheckName] = {}
    found = {case: _Gathering() for case in statuses}
    for record in records:
        case = found[record.case]
        case.completed = case.completed or record.stop == "completed"
        if record.error is not None and not case.error:
            case.error = f"{record.error.type}: {record.error.message}"
        case.add(record.verdicts, names)
    for judged in case_records:
        found[judged.case].add(judged.verdicts, names)
    return {
        name: CaseSeen(
            status=statuses[name],
            failed=case.failed,
            passed=frozenset(case.passed - case.failed.keys()),
            checks=frozenset(case.checks),
            completed=case.completed,
            error=case.error or ("" if case.checks else "nothing ran"),
        )
        for name, case in found.items()
    }
