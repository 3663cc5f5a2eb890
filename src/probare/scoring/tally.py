"""Counting trials as they stream by: a few numbers a case, no records kept."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime

import msgspec

from probare.errors import RunDirectoryError
from probare.model.case import Case
from probare.model.record import CaseRecord, TrialRecord
from probare.model.verdict import CheckVerdict, people_verdict


class CaseTally:
    """One case's counts: trials by status, and check weights by answer.

    `weight_passed` and `weight_failed` add up the weights of all checks over the trials, with a
    case-wide check counted once for each planned trial: so every check counts by its weight,
    however many trials there are. `forbid_passed` and `forbid_failed` are the part of `forbid`.
    What is neither passed nor failed is open: error, unknown, skipped, or not run.
    What people said of a trial counts as a check of its own, and answers what other checks left
    unknown; `people` counts the trials that they spoke of, `people_passed` those they passed, and
    `people_weight` adds up the weights. `seen` has a bit for each recorded trial; `wide` is null
    until the case-wide verdicts came.
    """

    __slots__ = (
        "case",
        "duration_ms",
        "errored",
        "failed",
        "forbid_failed",
        "forbid_passed",
        "needs_review",
        "passed",
        "people",
        "people_passed",
        "people_weight",
        "planned",
        "seen",
        "ungraded",
        "weight_failed",
        "weight_passed",
        "wide",
    )

    def __init__(self, case: Case, planned: int) -> None:
        self.case = case
        self.planned = planned
        self.passed = self.failed = self.errored = self.needs_review = self.ungraded = 0
        self.seen = 0
        self.people = self.people_passed = 0
        self.people_weight = 0.0
        self.weight_passed = self.weight_failed = 0.0
        self.forbid_passed = self.forbid_failed = 0.0
        self.duration_ms = 0.0
        self.wide: tuple[CheckVerdict, ...] | None = None

    @property
    def run(self) -> int:
        """How many of the planned trials are recorded."""
        return self.seen.bit_count()

    def add(self, record: TrialRecord) -> None:
        """Count one trial, once."""
        trial = record.trial
        if not 0 <= trial < self.planned:
            raise RunDirectoryError(
                f"trial {trial} of '{record.case}' is recorded, and {self.planned} were planned"
            )
        bit = 1 << trial
        if self.seen & bit:
            raise RunDirectoryError(f"trial {trial} of '{record.case}' is recorded twice")
        self.seen |= bit
        status = record.status
        if status == "passed":
            self.passed += 1
        elif status == "failed":
            self.failed += 1
        elif status == "errored":
            self.errored += 1
        elif status == "needs_review":
            self.needs_review += 1
        else:
            self.ungraded += 1
        self.duration_ms += record.duration_ms
        said = people_verdict(record.verdicts)
        if said is None:
            self._weigh(record.verdicts, 1)
            return
        self.people += 1
        self.people_passed += said.result == "pass"
        self.people_weight += said.weight
        self._weigh(_answered(record.verdicts, said), 1)

    def add_wide(self, verdicts: tuple[CheckVerdict, ...]) -> None:
        """Count the case-wide verdicts, once."""
        if self.wide is not None:
            raise RunDirectoryError(f"case-wide verdicts of '{self.case.id}' are recorded twice")
        self.wide = verdicts
        self._weigh(verdicts, self.planned)

    def _weigh(self, verdicts: Iterable[CheckVerdict], times: int) -> None:
        for verdict in verdicts:
            if verdict.result == "pass":
                self.weight_passed += verdict.weight * times
                if verdict.list == "forbid":
                    self.forbid_passed += verdict.weight * times
            elif verdict.result == "fail":
                self.weight_failed += verdict.weight * times
                if verdict.list == "forbid":
                    self.forbid_failed += verdict.weight * times


def _answered(verdicts: Iterable[CheckVerdict], said: CheckVerdict) -> Iterable[CheckVerdict]:
    """Yield verdicts with what people said in place of unknown."""
    for verdict in verdicts:
        unknown = verdict.result == "unknown"
        yield msgspec.structs.replace(verdict, result=said.result) if unknown else verdict


class OptionalTally:
    """How an optional check's answers agree with the trials' statuses."""

    __slots__ = ("agree", "failed", "failed_in_passed", "other", "passed", "passed_in_failed")

    def __init__(self) -> None:
        self.passed = self.failed = self.other = self.agree = 0
        self.passed_in_failed = self.failed_in_passed = 0

    @property
    def disagree(self) -> int:
        """In how many trials, where both are decided, the check and the status differ."""
        return self.passed_in_failed + self.failed_in_passed

    def add(self, result: str, status: str) -> None:
        """Count one answer beside the trial's status; only decided pairs can agree."""
        if result not in ("pass", "fail"):
            self.other += 1
            return
        held = result == "pass"
        self.passed += held
        self.failed += not held
        if status in ("passed", "failed"):
            self.agree += held == (status == "passed")
            self.passed_in_failed += held and status == "failed"
            self.failed_in_passed += not held and status == "passed"


class Spent:
    """A sum over trials of something that each may or may not tell: money, tokens."""

    __slots__ = ("known", "told")

    def __init__(self) -> None:
        self.known = 0.0
        self.told = 0

    def add(self, value: float | None) -> None:
        """Count one trial's part."""
        if value is not None:
            self.known += value
            self.told += 1


class Tally:
    """All cases of a run. Add records in any order, then summarise.

    `planned` maps each case to its number of trials, `case_wide` names the graders that judge a
    case as a whole. Nothing is kept of a record but its numbers.
    """

    def __init__(
        self,
        cases: Sequence[Case],
        planned: Mapping[str, int],
        case_wide: Collection[str] = (),
    ) -> None:
        lacking = planned.keys() - {case.id for case in cases}
        if lacking:
            raise RunDirectoryError(f"planned, and not in the suite: {', '.join(sorted(lacking))}")
        self.cases = {
            case.id: CaseTally(case, planned[case.id]) for case in cases if case.id in planned
        }
        self.case_wide = frozenset(case_wide)
        self.optional: dict[str, OptionalTally] = {}
        self.versions: dict[str, set[str]] = {}
        self.trials = 0
        self.cost_usd = Spent()
        self.tokens = Spent()
        self.judge_replies = 0
        self.judge_cost_usd = Spent()
        self.judge_tokens = Spent()
        self._began = math.inf
        self._ended = 0.0

    @property
    def elapsed_ms(self) -> float:
        """From the first trial's start to the last one's end, in milliseconds."""
        return round(max(0.0, self._ended - self._began) * 1000, 3)

    def add(self, record: TrialRecord) -> None:
        """Count one trial. Raises RunDirectoryError on one that was counted or not planned."""
        tally = self.cases.get(record.case)
        if tally is None:
            raise RunDirectoryError(f"a trial of '{record.case}' is recorded but not planned")
        tally.add(record)
        self.trials += 1
        self._note(record.verdicts, record.status)
        self._note_judges(record.verdicts)
        began = datetime.fromisoformat(record.started).timestamp()
        self._began = min(self._began, began)
        self._ended = max(self._ended, began + record.duration_ms / 1000)
        usage = record.usage
        if usage is not None:
            self.cost_usd.add(usage.cost_usd)
            self.tokens.add(usage.total_tokens)

    def _note_judges(self, verdicts: Iterable[CheckVerdict]) -> None:
        for verdict in verdicts:
            for reply in verdict.judged:
                self.judge_replies += 1
                if reply.usage is not None:
                    self.judge_cost_usd.add(reply.usage.cost_usd)
                    self.judge_tokens.add(reply.usage.total_tokens)

    def add_case(self, record: CaseRecord) -> None:
        """Count the case-wide verdicts of a case. Raises RunDirectoryError as `add` does."""
        tally = self.cases.get(record.case)
        if tally is None:
            raise RunDirectoryError(f"case-wide verdicts of '{record.case}', not planned")
        tally.add_wide(record.verdicts)
        self._note(record.verdicts, "")
        self._note_judges(record.verdicts)

    def _note(self, verdicts: Iterable[CheckVerdict], status: str) -> None:
        for verdict in verdicts:
            versions = self.versions.get(verdict.grader)
            if versions is None:
                self.versions[verdict.grader] = {verdict.grader_version}
            elif verdict.grader_version not in versions:
                versions.add(verdict.grader_version)
            if not verdict.required:
                found = self.optional.get(verdict.label)
                if found is None:
                    found = self.optional[verdict.label] = OptionalTally()
                found.add(verdict.result, status)
