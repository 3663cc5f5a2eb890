"""Counting trials as they stream by: a few numbers a case, no records kept."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime

from probare.errors import RunDirectoryError
from probare.model.case import Case, Check
from probare.model.record import CaseRecord, CaseStatus, TrialRecord, TrialStatus
from probare.model.statuses import case_status
from probare.model.verdict import CheckVerdict

_STATUSES: tuple[TrialStatus, ...] = (
    "passed",
    "failed",
    "errored",
    "needs_review",
    "ungraded",
)
_DECIDED = ("passed", "failed", "flaky")


class Weights:
    """Check weights of one list over a case's trials: passed, open (error, unknown, skipped)."""

    __slots__ = ("open", "passed")

    def __init__(self) -> None:
        self.passed = 0.0
        self.open = 0.0


class CaseTally:
    """One case's counts. `planned` is n, the planned trials; missing ones count as not passed.

    `all_weight` and `forbid_weight` are what all planned trials' checks weigh together, the
    case-wide ones once: the denominators of accuracy and safety.
    """

    __slots__ = (
        "all",
        "all_weight",
        "case",
        "counts",
        "duration_ms",
        "forbid",
        "forbid_weight",
        "known",
        "planned",
        "seen",
        "wide",
    )

    def __init__(self, case: Case, planned: int, case_wide: Collection[str]) -> None:
        self.case = case
        self.planned = planned
        self.counts = [0, 0, 0, 0, 0]
        self.seen = 0
        self.all = Weights()
        self.forbid = Weights()
        self.forbid_weight = _weigh(case.forbid, planned, case_wide)
        self.all_weight = self.forbid_weight + _weigh(case.expect, planned, case_wide)
        self.duration_ms = 0.0
        self.wide: tuple[CheckVerdict, ...] = ()
        self.known: CaseStatus | None = None

    def add(self, record: TrialRecord) -> None:
        """Count one trial."""
        bit = 1 << record.trial
        if self.seen & bit or record.trial >= self.planned:
            raise RunDirectoryError(
                f"{record.case} trial {record.trial} is recorded twice or was not planned"
            )
        self.seen |= bit
        self.known = None
        self.counts[_STATUSES.index(record.status)] += 1
        self.duration_ms += record.duration_ms
        self._weigh(record.verdicts)

    def add_wide(self, verdicts: tuple[CheckVerdict, ...]) -> None:
        """Count the case-wide verdicts."""
        self.wide = verdicts
        self.known = None
        self._weigh(verdicts)

    def _weigh(self, verdicts: Iterable[CheckVerdict]) -> None:
        for verdict in verdicts:
            result = verdict.result
            if result == "fail":
                continue
            weight = verdict.weight
            forbidden = verdict.list == "forbid"
            if result == "pass":
                self.all.passed += weight
                if forbidden:
                    self.forbid.passed += weight
            else:
                self.all.open += weight
                if forbidden:
                    self.forbid.open += weight

    @property
    def run(self) -> int:
        """How many of the planned trials are recorded."""
        return sum(self.counts)

    @property
    def passed(self) -> int:
        """c: how many trials passed."""
        return self.counts[0]

    @property
    def most_passed(self) -> int:
        """How many trials would have passed at best: all that did not fail."""
        return self.planned - self.counts[1]

    def count(self, status: TrialStatus) -> int:
        """How many trials have that status."""
        return self.counts[_STATUSES.index(status)]

    @property
    def status(self) -> CaseStatus:
        """The case's status. A trial that did not run leaves it errored, unless one failed."""
        if self.known is None:
            self.known = self._status()
        return self.known

    def _status(self) -> CaseStatus:
        statuses: list[TrialStatus] = [
            s for s, count in zip(_STATUSES, self.counts, strict=True) if count
        ]
        found = case_status(statuses, self.wide)
        if self.run < self.planned and found not in ("failed", "flaky"):
            return "errored"
        return found

    @property
    def decided(self) -> bool:
        """Whether the case has an answer: passed, failed or flaky."""
        return self.status in _DECIDED

    def accuracy(self, *, best: bool = False) -> float | None:
        """Weight of passed checks over weight of all, over all planned trials."""
        return self._share(self.all, self.all_weight, best)

    def safety(self, *, best: bool = False) -> float | None:
        """The same over the checks of `forbid`; None where there is none."""
        return self._share(self.forbid, self.forbid_weight, best)

    def _share(self, weights: Weights, whole: float, best: bool) -> float | None:
        if whole <= 0:
            return None
        if not best:
            return min(1.0, weights.passed / whole)
        missing = (self.planned - self.run) * whole / self.planned
        return min(1.0, (weights.passed + weights.open + missing) / whole)

    @property
    def eligible(self) -> bool:
        """Whether the case counts in pass rates: all do, save those that only people judge."""
        return self.case.automatic or self.case.review != "always"


def _weigh(checks: Sequence[Check], planned: int, case_wide: Collection[str]) -> float:
    return sum(check.weight * (1 if check.grader in case_wide else planned) for check in checks)


class OptionalTally:
    """How an optional check's answers agree with the trials' statuses."""

    __slots__ = ("agree", "disagree", "failed", "other", "passed")

    def __init__(self) -> None:
        self.passed = self.failed = self.other = self.agree = self.disagree = 0

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
            self.disagree += held != (status == "passed")


class Tally:
    """All cases of a run. Add records in any order, then summarise."""

    def __init__(
        self,
        cases: Sequence[Case],
        planned: Mapping[str, int],
        case_wide: Collection[str] = (),
    ) -> None:
        self.cases = {case.id: CaseTally(case, planned[case.id], case_wide) for case in cases}
        self.optional: dict[str, OptionalTally] = {}
        self.cost_usd: float = 0.0
        self.costs_known = 0
        self.tokens = 0
        self.tokens_known = 0
        self.with_usage = 0
        self._first: float | None = None
        self._last = 0.0

    @property
    def duration_ms(self) -> float:
        """From the first trial's start to the last one's end, in milliseconds."""
        return 0.0 if self._first is None else round((self._last - self._first) * 1000, 3)

    def add(self, record: TrialRecord) -> None:
        """Count one trial. Raises RunDirectoryError on one that was counted or not planned."""
        tally = self.cases.get(record.case)
        if tally is None:
            raise RunDirectoryError(f"a trial of '{record.case}' is recorded but not planned")
        tally.add(record)
        began = datetime.fromisoformat(record.started).timestamp()
        self._first = began if self._first is None else min(self._first, began)
        self._last = max(self._last, began + record.duration_ms / 1000)
        for verdict in record.verdicts:
            if not verdict.required:
                found = self.optional.setdefault(verdict.label, OptionalTally())
                found.add(verdict.result, record.status)
        if record.usage is not None:
            self.with_usage += 1
            if record.usage.cost_usd is not None:
                self.cost_usd += record.usage.cost_usd
                self.costs_known += 1
            if record.usage.total_tokens is not None:
                self.tokens += record.usage.total_tokens
                self.tokens_known += 1

    def add_case(self, record: CaseRecord) -> None:
        """Count the case-wide verdicts of a case."""
        tally = self.cases.get(record.case)
        if tally is None:
            raise RunDirectoryError(f"case-wide verdicts of '{record.case}', not planned")
        tally.add_wide(record.verdicts)
