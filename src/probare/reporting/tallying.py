"""The counters that every kind of progress shares."""

from __future__ import annotations

import time

from probare.model.record import TrialRecord
from probare.reporting.words import duration, money


class Tallying:
    """How far a run is. `add` only counts: it stands in the hot path.

    Written by one thread and read by another, which may see a count a moment old.
    """

    def __init__(self) -> None:
        self.planned = 0
        self.before = 0
        self.done = 0
        self.statuses: dict[str, int] = {
            "passed": 0, "failed": 0, "errored": 0, "needs_review": 0, "ungraded": 0
        }  # fmt: skip
        self.cost = 0.0
        self.has_cost = False
        self.began = time.monotonic()

    def start(self, planned: int, done: int) -> None:
        """Begin counting: `done` of `planned` trials were there before."""
        self.planned, self.before, self.done = planned, done, done
        self.began = time.monotonic()

    def add(self, record: TrialRecord) -> None:
        """Count one ended trial."""
        self.done += 1
        self.statuses[record.status] += 1
        usage = record.usage
        if usage is not None and usage.cost_usd is not None:
            self.cost += usage.cost_usd
            self.has_cost = True

    def words(self) -> str:
        """Return "120/2,000  118 passed  1 failed  1 errored  $0.4200  3 min 02 s left"."""
        counts = self.statuses
        parts = [f"{self.done:,}/{self.planned:,}"]
        parts += [f"{counts[key]:,} {key}" for key in ("passed", "failed", "errored")]
        parts += [f"{counts['needs_review']:,} for people"] if counts["needs_review"] else []
        parts += [f"{counts['ungraded']:,} ungraded"] if counts["ungraded"] else []
        parts += [money(self.cost)] if self.has_cost else []
        left = self.seconds_left()
        parts += [f"{duration(left * 1000)} left"] if left is not None else []
        return "  ".join(parts)

    def seconds_left(self) -> float | None:
        """Return the time left at the pace so far; None before anything ended, or at the end."""
        fresh = self.done - self.before
        if fresh <= 0 or self.done >= self.planned:
            return None
        return (time.monotonic() - self.began) / fresh * (self.planned - self.done)
