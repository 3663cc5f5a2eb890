"""Run-wide limits: when to stop starting trials."""

from __future__ import annotations

import time

from probare.model.record import TrialRecord
from probare.model.suite import Limits


class LimitWatch:
    """Sees each record as it ends; `reached` says in words which limit was reached, or ""."""

    def __init__(self, limits: Limits, *, fail_fast: bool = False) -> None:
        self._limits = limits
        self._fail_fast = fail_fast
        self._began = time.monotonic()
        self._cost = 0.0
        self._row = 0
        self.reached = ""

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the time limit; None where there is none."""
        if self._limits.time is None:
            return None
        return self._limits.time - (time.monotonic() - self._began)

    def see(self, record: TrialRecord) -> None:
        """Take note of one ended trial."""
        if self._fail_fast and record.status == "failed":
            self._reach(f"--fail-fast: {record.case} failed")
        spent = _spent(record)
        if spent:
            self._cost += spent
            if self._limits.cost is not None and self._cost >= self._limits.cost:
                self._reach(f"the cost limit: ${self._cost:.4f} of ${self._limits.cost:.4f} spent")
        self._row = self._row + 1 if record.status == "errored" else 0
        if self._limits.errors_in_a_row is not None and self._row >= self._limits.errors_in_a_row:
            self._reach(f"the limit of errors in a row: {self._row} trials errored")

    def time_is_up(self) -> bool:
        """Return whether the time limit is reached, and remember it."""
        left = self.seconds_left
        if left is not None and left <= 0:
            self._reach(f"the time limit of {self._limits.time:g} s")
            return True
        return False

    def _reach(self, words: str) -> None:
        self.reached = self.reached or words


def _spent(record: TrialRecord) -> float:
    """Return what is known of a trial's cost in US dollars, its judges' included."""
    cost = record.usage.cost_usd if record.usage is not None else None
    total = cost or 0.0
    for verdict in record.verdicts:
        for reply in verdict.judged:
            if reply.usage is not None:
                total += reply.usage.cost_usd or 0.0
    return total
