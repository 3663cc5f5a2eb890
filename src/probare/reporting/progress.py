"""Progress while a run goes on: a live bar on a terminal, plain lines elsewhere, or nothing."""

from __future__ import annotations

import threading
import time
from typing import TextIO

from rich.console import Console
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from probare.model.record import TrialRecord
from probare.reporting.words import duration, money

_REFRESH_A_SECOND = 5
_LINE_EVERY_SECONDS = 5.0
_FAILURES_TOLD = 10


class Counts:
    """The counters that all kinds of progress share. `ended` only adds."""

    def __init__(self) -> None:
        self.planned = 0
        self.before = 0
        self.done = 0
        self.statuses: dict[str, int] = {}
        self.cost = 0.0
        self.has_cost = False
        self.began = time.monotonic()

    def start(self, planned: int, done: int) -> None:
        """Begin counting."""
        self.planned, self.before, self.done = planned, done, done
        self.began = time.monotonic()

    def add(self, record: TrialRecord) -> None:
        """Count one ended trial."""
        self.done += 1
        self.statuses[record.status] = self.statuses.get(record.status, 0) + 1
        if record.usage is not None and record.usage.cost_usd is not None:
            self.cost += record.usage.cost_usd
            self.has_cost = True

    def words(self) -> str:
        """Return the state of things in a line."""
        parts = [f"{self.done:,}/{self.planned:,}"]
        names = {"passed": "passed", "failed": "failed", "errored": "errored"}
        parts += [f"{self.statuses.get(key, 0):,} {word}" for key, word in names.items()]
        for key, word in (("needs_review", "for people"), ("ungraded", "ungraded")):
            if self.statuses.get(key):
                parts.append(f"{self.statuses[key]:,} {word}")
        if self.has_cost:
            parts.append(money(self.cost))
        left = self.seconds_left()
        if left is not None:
            parts.append(f"{duration(left * 1000)} left")
        return "  ".join(parts)

    def seconds_left(self) -> float | None:
        """Return the time left at the pace so far; None before anything ended."""
        fresh = self.done - self.before
        if fresh <= 0 or self.done >= self.planned:
            return None
        return (time.monotonic() - self.began) / fresh * (self.planned - self.done)


class Silent:
    """Tells nobody."""

    def started(self, planned: int, done: int) -> None:
        """Tell nobody."""

    def ended(self, record: TrialRecord) -> None:
        """Tell nobody."""

    def finished(self) -> None:
        """Tell nobody."""


class Bar:
    """A live bar, redrawn a few times a second by a thread of its own."""

    def __init__(self, console: Console) -> None:
        self._counts = Counts()
        self._live = Live(
            console=console,
            refresh_per_second=_REFRESH_A_SECOND,
            transient=True,
            get_renderable=self._drawn,
        )

    def started(self, planned: int, done: int) -> None:
        """Show the bar."""
        self._counts.start(planned, done)
        self._live.start()

    def ended(self, record: TrialRecord) -> None:
        """Count one trial."""
        self._counts.add(record)

    def finished(self) -> None:
        """Take the bar away."""
        self._live.stop()

    def _drawn(self) -> Table:
        grid = Table.grid(padding=(0, 2))
        bar = ProgressBar(total=max(1, self._counts.planned), completed=self._counts.done, width=30)
        grid.add_row(bar, Text(self._counts.words()))
        return grid


class Lines:
    """A line every few seconds, and one for each of the first failures. Never silent for long:
    the line comes though nothing ended, so that a run that waits is told from one that hangs.
    """

    def __init__(self, stream: TextIO, every: float = _LINE_EVERY_SECONDS) -> None:
        self._counts = Counts()
        self._stream = stream
        self._every = every
        self._stop = threading.Event()
        self._told = 0
        self._thread = threading.Thread(target=self._keep_telling, name="probare-progress")
        self._thread.daemon = True

    def started(self, planned: int, done: int) -> None:
        """Begin to tell."""
        self._counts.start(planned, done)
        self._thread.start()

    def ended(self, record: TrialRecord) -> None:
        """Count one trial; tell of it where it failed or errored, up to a cap."""
        self._counts.add(record)
        if record.status in ("failed", "errored") and self._told < _FAILURES_TOLD:
            self._told += 1
            self._write(f"{record.status}: {record.case} trial {record.trial}")

    def finished(self) -> None:
        """Tell the last state."""
        self._stop.set()
        self._write(self._counts.words())

    def _keep_telling(self) -> None:
        while not self._stop.wait(self._every):
            self._write(self._counts.words())

    def _write(self, line: str) -> None:
        try:
            self._stream.write(line + "\n")
            self._stream.flush()
        except (OSError, ValueError):  # the reader went away: progress is no reason to stop
            self._stop.set()
