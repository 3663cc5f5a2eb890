"""What a trial's own process is told, and what it says, as JSON lines on a pipe of their own."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from probare.encoding import jsonbytes
from probare.errors import InfraError, InputError, LimitReached, ProbareError, TargetError
from probare.model.case import Case
from probare.model.event import Channel, Event, EventBase
from probare.model.outcome import Outcome
from probare.targets.recorder import Recorder


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """One trial, for a process of its own. Without a case, the agent is only looked at. `capture`
    says whether its spans are.
    """

    reference: str
    folder: str
    config: dict[str, Any] = {}
    model: str | None = None
    max_output: int = 1_000_000
    capture: bool = False
    case: Case | None = None
    trial: int = 0
    seed: int = 0
    workspace: str | None = None


class Failure(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An error of Probare's tree, on its way from one process to another."""

    kind: Literal["input", "target", "infra", "limit"]
    message: str
    hint: str = ""
    retryable: bool = True
    retry_after: float | None = None

    @classmethod
    def of(cls, error: ProbareError) -> Failure:
        """Return what another process needs to raise the same."""
        if isinstance(error, InfraError):
            return cls(
                kind="infra",
                message=error.message,
                hint=error.hint,
                retryable=error.retryable,
                retry_after=error.retry_after,
            )
        kind = "target"
        if isinstance(error, InputError):
            kind = "input"
        elif isinstance(error, LimitReached):
            kind = "limit"
        return cls(kind=kind, message=error.message, hint=error.hint)

    def error(self) -> ProbareError:
        """Return the error."""
        if self.kind == "infra":
            return InfraError(
                self.message,
                hint=self.hint,
                retryable=self.retryable,
                retry_after=self.retry_after,
            )
        kinds = {"input": InputError, "target": TargetError, "limit": LimitReached}
        return kinds[self.kind](self.message, hint=self.hint)


class Line(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that a trial's process says; its last line has `outcome`.

    `merged` are events of spans, in order, that belong among those before. An event that comes
    again with the same number has been completed. `at_ms` is a piece's time on the process's own
    clock, which starts when `began` is sent.
    """

    began: bool = False
    event: Event | None = None
    piece: str | None = None
    restart: bool = False
    at_ms: float | None = None
    observes: tuple[Channel, ...] | None = None
    merged: tuple[Event, ...] = ()
    outcome: Outcome | None = None
    failure: Failure | None = None


class PipeRecorder(Recorder):
    """A recorder that also says all it takes, at once, so that it outlives the process."""

    __slots__ = ("_fd", "_order")

    def __init__(self, fd: int, *, max_output: int, workspace: Path | None) -> None:
        super().__init__(max_output=max_output, workspace=workspace)
        self._fd = fd
        self._order = threading.RLock()
        self.say(Line(began=True))

    def say(self, line: Line) -> None:
        """Write a line. A reader that is gone will kill this process; it is no error here."""
        data = memoryview(jsonbytes.encode(line) + b"\n")
        with self._order, contextlib.suppress(BrokenPipeError):
            while data:
                data = data[os.write(self._fd, data) :]

    def append(self, kind: type[EventBase], **fields: Any) -> int:
        """Record an event made of JSON fields."""
        with self._order:
            return self._said(super().append(kind, **fields))

    def put(self, event: EventBase, **changes: Any) -> int:
        """Record a finished event."""
        with self._order:
            return self._said(super().put(event, **changes))

    def complete(self, seq: int, **changes: Any) -> None:
        """Complete an event."""
        with self._order:
            super().complete(seq, **changes)
            self._said(seq)

    def observe(self, *channels: Channel) -> None:
        """Promise that acts of these kinds are seen."""
        with self._order:
            super().observe(*channels)
            self.say(Line(observes=self.observes))

    def merge(self, events: Sequence[Event]) -> None:
        """Leave it to the reader to put events among the others: the numbers there are its own."""
        with self._order:
            self.say(Line(merged=tuple(events)))

    def piece(self, text: str, *, at_ms: float | None = None) -> None:
        """Go on with the output."""
        with self._order:
            if isinstance(text, str) and text:  # pyright: ignore[reportUnnecessaryIsInstance]
                self.say(Line(piece=text, at_ms=self.now_ms()))
            super().piece(text, at_ms=at_ms)

    def restart(self, *, first_token: bool = True) -> None:
        """Begin an answer anew."""
        with self._order:
            super().restart(first_token=first_token)
            self.say(Line(restart=True))

    def _said(self, seq: int) -> int:
        if seq >= 0:
            self.say(Line(event=self._events[seq]))
        return seq
