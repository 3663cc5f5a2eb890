"""Everything that can go wrong, as one tree.

ProbareError
├── InputError              what the user gave cannot be used; nothing ran (exit 2)
│   ├── LoadError           a suite has faults; carries all of them
│   ├── SelectionError      a selection matches nothing
│   ├── MissingExtra        an optional dependency is not installed
│   ├── RunDirectoryError   a run directory is missing, corrupt, sealed or in use
│   └── ReviewError         a review, an assignment or an incident is refused
│       ├── InvalidReview   what was filled in has faults; carries all of them
│       ├── NotAllowed      this person may not do or see it
│       ├── NotFound        there is no such item, review, incident or user
│       └── Outdated        things have changed since: rubric, transcript, who is assigned
├── TrialError              raised inside one trial; becomes how that trial stopped
│   ├── TargetError         the agent's own fault: it raised, exited, answered nothing
│   ├── InfraError          what lies around the agent failed; may be retried
│   └── LimitReached        the trial went past a limit (output size)
├── GraderError             a grader could not judge; becomes a verdict `error`
└── HarnessError            a fault of Probare itself

Every error has a message, may have a place, and may have a hint that says what to do.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands: a file, its line and column (from 1), and a path inside it."""

    file: str = ""
    line: int | None = None
    column: int | None = None
    path: str = ""

    def __str__(self) -> str:
        numbers = [str(n) for n in (self.line, self.column) if n is not None]
        where = ":".join([self.file, *numbers] if self.file else numbers)
        return ": ".join(part for part in (where, self.path) if part)


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with an input, where it is, and what may have been meant."""

    message: str
    place: Place = Place()
    hint: str = ""

    def __str__(self) -> str:
        where = str(self.place)
        text = f"{where}: {self.message}" if where else self.message
        return f"{text} ({self.hint})" if self.hint else text


class ProbareError(Exception):
    """The root: a message, a place and a hint."""

    def __init__(self, message: str, *, place: Place | None = None, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        self.hint = hint

    def __str__(self) -> str:
        return str(Fault(self.message, self.place or Place(), self.hint))


class InputError(ProbareError):
    """What the user gave cannot be used; nothing ran."""


class LoadError(InputError):
    """A suite has faults. All of them are listed, one a line."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        count = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
        super().__init__(f"{count} in the suite; nothing ran")
        self.faults = tuple(faults)

    def __str__(self) -> str:
        return "\n".join([*map(str, self.faults), self.message])


class SelectionError(InputError):
    """A selection (case, tag, category, split, failed run) matches nothing."""


class MissingExtra(InputError):  # noqa: N818 - reads as what it is
    """An optional dependency is not installed."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(
            f"this needs the package {package}, which is not installed",
            hint=f"pip install 'probare[{extra}]'",
        )


class RunDirectoryError(InputError):
    """A run directory is missing, corrupt, sealed, or in use by another process."""


class ReviewError(InputError):
    """A review, an assignment, an incident or an account is refused as it stands."""


class InvalidReview(ReviewError):  # noqa: N818 - reads as what it is
    """What was filled in has faults. All of them are listed, one a line."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        count = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
        super().__init__(f"{count} in the review; nothing was submitted")
        self.faults = tuple(faults)

    def __str__(self) -> str:
        return "\n".join([*map(str, self.faults), self.message])


class NotAllowed(ReviewError):  # noqa: N818 - reads as what it is
    """What this person may not do or see. `retry_after` is in seconds, where waiting helps."""

    def __init__(self, message: str, *, hint: str = "", retry_after: float | None = None) -> None:
        super().__init__(message, hint=hint)
        self.retry_after = retry_after


class NotFound(ReviewError):  # noqa: N818 - reads as what it is
    """There is no such item, review, incident or user."""


class Outdated(ReviewError):  # noqa: N818 - reads as what it is
    """Things have changed since: the rubric, the transcript, who is assigned, what is decided."""


class TrialError(ProbareError):
    """Raised inside one trial; it becomes how that trial stopped."""


class TargetError(TrialError):
    """The agent's own fault: it raised, exited, or answered nothing usable."""


class InfraError(TrialError):
    """What lies around the agent failed (connection, 429, 5xx, a missing recording).

    `retryable` says whether trying again can help; `retry_after` is the wait in seconds that
    the other side asked for, if it did.
    """

    def __init__(
        self,
        message: str,
        *,
        hint: str = "",
        retryable: bool = True,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message, hint=hint)
        self.retryable = retryable
        self.retry_after = retry_after


class LimitReached(TrialError):  # noqa: N818 - reads as what it is
    """The trial went past a limit, such as the size of its output."""


class GraderError(ProbareError):
    """A grader could not judge; the boundary turns it into a verdict `error`."""


class HarnessError(ProbareError):
    """A fault of Probare itself; shown with its traceback."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return "did you mean 'x'?" for the nearest known word, or an empty string."""
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f"did you mean '{near[0]}'?" if near else ""
