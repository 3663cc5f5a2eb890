"""Progress while a run goes on: a live bar on a terminal, plain lines elsewhere, or nothing."""

from __future__ import annotations

import sys
import threading
import time
from typing import TextIO

from rich.console import Console
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from probare.model.record import TrialRecord
from probare.reporting.tallying import Tallying
from probare.reporting.words import duration, one_line, plural

_REFRESH_A_SECOND = 5
_LINE_EVERY_SECONDS = 5.0
_SLOWEST_LINE_SECONDS = 60.0
_QUIET_SECONDS = 10.0
_FAILURES_TOLD = 10
_LINE = 200


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
        self._tally = Tallying()
        self._live = Live(
            console=console,
            refresh_per_second=_REFRESH_A_SECOND,
            transient=True,
            redirect_stdout=sys.stdout.isatty(),
            get_renderable=self._drawn,
        )

    def started(self, planned: int, done: int) -> None:
        """Show the bar."""
        self._tally.start(planned, done)
        self._live.start()

    def ended(self, record: TrialRecord) -> None:
        """Count one trial."""
        self._tally.add(record)

    def finished(self) -> None:
        """Take the bar away."""
        self._live.stop()

    def _drawn(self) -> Table:
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_column(width=20)
        grid.add_column()
        bar = ProgressBar(total=max(1, self._tally.planned), completed=self._tally.done, width=20)
        grid.add_row(bar, Text(self._tally.words()))
        return grid


class Lines:
    """A line now and then, and one for each of the first failures.

    Lines come every `every` seconds, and more seldom as the run grows long; they come though
    nothing ended, and say so, so that a run that waits is told from one that is dead.
    """

    def __init__(self, stream: TextIO, every: float = _LINE_EVERY_SECONDS) -> None:
        self._tally = Tallying()
        self._stream = stream
        self._every = every
        self._stop = threading.Event()
        self._told = 0
        self._thread = threading.Thread(target=self._keep_telling, name="probare-progress")
        self._thread.daemon = True

    def started(self, planned: int, done: int) -> None:
        """Begin to tell."""
        self._tally.start(planned, done)
        self._thread.start()

    def ended(self, record: TrialRecord) -> None:
        """Count one trial; tell of it where it failed or errored, up to a cap."""
        self._tally.add(record)
        if record.status in ("failed", "errored") and self._told <= _FAILURES_TOLD:
            self._told += 1
            if self._told > _FAILURES_TOLD:
                self._write("… further failures are counted, not told one by one")
            else:
                self._write(f"{record.status}: {_what(record)}")

    def finished(self) -> None:
        """Tell the last state."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(timeout=1)
        self._write(self._tally.words())

    def _keep_telling(self) -> None:
        done, since = -1, time.monotonic()
        wait = self._every
        while not self._stop.wait(wait):
            now = time.monotonic()
            wait = min(max(self._every, (now - self._tally.began) / 20), _SLOWEST_LINE_SECONDS)
            if done != self._tally.done:
                done, since = self._tally.done, now
            self._write(self._tally.words() + self._quiet(now - since))

    def _quiet(self, seconds: float) -> str:
        left = self._tally.planned - self._tally.done
        if seconds < _QUIET_SECONDS or left <= 0:
            return ""
        return f"  (nothing ended for {duration(seconds * 1000)}; {plural(left, 'trial')} to go)"

    def _write(self, line: str) -> None:
        try:
            self._stream.write(line + "\n")
            self._stream.flush()
        except (OSError, ValueError):  # the reader went away: progress is no reason to stop
            self._stop.set()


def _what(record: TrialRecord) -> str:
    """Return the trial and the first thing that went wrong with it, on one line."""
    why = "" if record.error is None else f"{record.error.type}: {record.error.message}"
    if not why:
        wanted = "fail" if record.status == "failed" else "error"
        found = next((v for v in record.verdicts if v.required and v.result == wanted), None)
        why = "" if found is None else f"{found.label}: {found.reason}"
    return one_line(f"{record.case} trial {record.trial}{': ' if why else ''}{why}", _LINE)
