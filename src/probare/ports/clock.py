"""The clock of a trial, and time that is not the trial's own.

What waits for somebody else's limit (a provider that says "later") does so under `not_counted()`:
whoever times the trial then leaves that time out, of its deadline and of its duration.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol


class TrialClock(Protocol):
    """Times one attempt of a trial. Thread-safe; stops may overlap."""

    def stop(self) -> None:
        """Count no time until as many `go_on` as `stop` have come."""
        ...

    def go_on(self) -> None:
        """Count again."""
        ...


CLOCK: ContextVar[TrialClock | None] = ContextVar("probare_trial_clock", default=None)


@contextmanager
def not_counted() -> Generator[None]:
    """Stop the clock of the trial that this runs in, where one runs, for the block's length."""
    clock = CLOCK.get()
    if clock is None:
        yield
        return
    clock.stop()
    try:
        yield
    finally:
        clock.go_on()
