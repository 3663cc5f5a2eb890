"""Who is told as trials end: the live bar, plain lines, a notebook, nobody."""

from __future__ import annotations

from typing import Protocol

from probare.model.record import TrialRecord


class Progress(Protocol):
    """Told of each trial as it ends. Must be quick: it stands in the hot path."""

    def started(self, planned: int, done: int) -> None:
        """The run begins with `planned` trials, of which `done` were already there."""
        ...

    def ended(self, record: TrialRecord) -> None:
        """One trial ended and is stored."""
        ...

    def finished(self) -> None:
        """No more trials will end."""
        ...
