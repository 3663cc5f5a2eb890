"""Which trials are embedded whole: all that did not pass, as many of the others as are cheap.

What is left out is counted, and the page says so.
"""

from __future__ import annotations

import msgspec

from probare.model.record import TrialRecord
from probare.model.score import CaseSummary

PRIORITY_BYTES = 18_000_000
PASSED_BYTES = 2_000_000
PASSED_TRIALS = 400


class Chooser:
    """Decides trial by trial, in the order in which they were written.

    All trials of cases that did not pass have priority, within `PRIORITY_BYTES`; of passed cases
    the first trials are taken, within `PASSED_BYTES` and `PASSED_TRIALS`.
    """

    def __init__(self, cases: int) -> None:
        self.embedded = 0
        self.left_out_passed = 0
        self.left_out_others = 0
        self._priority = PRIORITY_BYTES
        self._passed = PASSED_BYTES
        self._passed_trials = PASSED_TRIALS
        self._each = max(1, PASSED_TRIALS // max(1, cases))

    @property
    def wants_passed(self) -> bool:
        """Whether trials of passed cases are still taken."""
        return self._passed > 0 and self._passed_trials > 0

    def wants(self, record: TrialRecord, case: CaseSummary, taken: int) -> bool:
        """Whether this trial is embedded, `taken` of its case being so already."""
        if case.status != "passed" or record.status != "passed":
            wanted = self._priority > 0
            self.left_out_others += not wanted
        else:
            wanted = self.wants_passed and taken < self._each
            self.left_out_passed += not wanted
        self.embedded += wanted
        return wanted

    def took(self, case: CaseSummary, size: int, *, trial: bool = True) -> None:
        """Count what was embedded, in bytes."""
        if case.status != "passed":
            self._priority -= size
        else:
            self._passed -= size
            self._passed_trials -= trial

    def case_fits(self, case: CaseSummary) -> bool:
        """Whether a case's own page fits still."""
        return (self._priority if case.status != "passed" else self._passed) > 0


class Left(msgspec.Struct, frozen=True, kw_only=True):
    """What the file holds and what it does not, in numbers of trials and of cases."""

    trials: int
    embedded: int
    left_out_passed: int
    left_out_others: int
    cases: int
    cases_left_out: int
