"""The tape: one trial's events and outcome, taken from many threads, read by the engine."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter_ns
from typing import Any, cast

import msgspec
from msgspec import UNSET

from probare.errors import TargetError
from probare.model.event import Channel, ErrorEvent, Event, EventBase, Note, StateChange
from probare.model.outcome import Outcome
from probare.targets import limits, merging
from probare.targets.values import a_type

MAX_EVENTS = 100_000

_NOTHING = Outcome()
_replace = msgspec.structs.replace


class Tape:
    """What is recorded, numbered and timed. Thread-safe; after `close` it takes nothing.

    `max_output` caps what pieces join to, in bytes; null for no cap. `workspace` is where
    artifacts lie. `deadline` (on the clock of `time.perf_counter`) and `stalled` belong to the
    watchdog. The clock starts when the tape is made.
    """

    __slots__ = (
        "_began",
        "_calls",
        "_closed",
        "_cut",
        "_events",
        "_first_token_ms",
        "_lock",
        "_moved",
        "_observes",
        "_outcome",
        "_piece_bytes",
        "_pieces",
        "_printed",
        "_state",
        "deadline",
        "max_output",
        "stalled",
        "workspace",
    )

    def __init__(self, *, max_output: int | None = None, workspace: Path | None = None) -> None:
        self._began = perf_counter_ns()
        self._events: list[Event] = []
        self._lock = threading.Lock()
        self._closed = False
        self._calls = 0
        self._observes: tuple[Channel, ...] = ()
        self._outcome: Outcome | None = None
        self._pieces: list[str] | None = None
        self._piece_bytes = 0
        self._cut = False
        self._first_token_ms: float | None = None
        self._state: Any = UNSET
        self._printed: list[str] | None = None
        self._moved: dict[int, int] = {}
        self.max_output = max_output
        self.workspace = workspace
        self.deadline: float | None = None
        self.stalled = False

    @property
    def events(self) -> tuple[Event, ...]:
        """What has been recorded so far, numbered and timed."""
        return tuple(self._events)

    @property
    def outcome(self) -> Outcome:
        """What is left so far. Before `finish`, the pieces stand as a truncated output."""
        outcome = self._outcome
        if outcome is None:
            if self._pieces is None and self._state is UNSET:
                return _NOTHING
            cut = self._pieces is not None
            return Outcome(output=self.joined, state=self._state, truncated=cut)
        if outcome.state is UNSET and self._state is not UNSET:
            return _replace(outcome, state=self._state)
        return outcome

    @property
    def observes(self) -> tuple[Channel, ...]:
        """The kinds of act that would have been seen."""
        return self._observes

    @property
    def first_token_ms(self) -> float | None:
        """Time from the start to the first piece; null where nothing streamed."""
        return self._first_token_ms

    @property
    def joined(self) -> Any:
        """The pieces so far as one text, or UNSET where there are none."""
        return UNSET if self._pieces is None else "".join(self._pieces)

    @property
    def closed(self) -> bool:
        """Whether the trial is over."""
        return self._closed

    @property
    def overflowed(self) -> bool:
        """Whether events were dropped because there were too many."""
        return len(self._events) > MAX_EVENTS

    def close(self) -> None:
        """Take nothing more: the trial is over."""
        with self._lock:
            self._closed = True

    def now_ms(self) -> float:
        """Return milliseconds since the tape was made, to the microsecond."""
        return (perf_counter_ns() - self._began) // 1000 / 1000

    def observe(self, *channels: Channel) -> None:
        """Promise that acts of these kinds are seen."""
        with self._lock:
            for channel in channels:
                if channel not in self._observes and not self._closed:
                    self._observes = (*self._observes, channel)

    def append(self, kind: type[EventBase], **fields: Any) -> int:
        """Record an event made of JSON fields; return its number, or -1 if it was not taken."""
        at_ms = (perf_counter_ns() - self._began) // 1000 / 1000
        with self._lock:
            seq = self._next()
            if seq >= 0:
                self._events.append(cast("Event", kind(seq=seq, at_ms=at_ms, **fields)))
        return seq

    def put(self, event: EventBase, **changes: Any) -> int:
        """Record a finished event, numbered here, and timed here unless `changes` say else.

        Returns its number, or -1 if it was not taken.
        """
        changes.setdefault("at_ms", self.now_ms())
        with self._lock:
            seq = self._next()
            if seq >= 0:
                self._events.append(cast("Event", _replace(event, seq=seq, **changes)))
                if isinstance(event, StateChange):
                    self._state = event.state
        return seq

    def replace(self, seq: int, event: EventBase, *, at_ms: float) -> None:
        """Put an event in the place of the one numbered `seq`, if that was taken."""
        with self._lock:
            seq = self._moved.get(seq, seq)
            if seq >= 0 and not self._closed:
                self._events[seq] = cast("Event", _replace(event, seq=seq, at_ms=at_ms))

    def complete(self, seq: int, **changes: Any) -> None:
        """Complete the event numbered `seq`, if it was taken and the trial still runs."""
        with self._lock:
            seq = self._moved.get(seq, seq)
            if seq >= 0 and not self._closed:
                self._events[seq] = _replace(self._events[seq], **changes)

    def merge(self, events: Sequence[Event]) -> None:
        """Put events that are in order among the recorded ones, by their times; one without a
        time comes after the one before it, or last. Who holds an event's number finds it still.
        """
        with self._lock:
            if self._closed:
                return
            whole = merging.merged(self._events, events)
            where = {id(event): seq for seq, event in enumerate(whole)}
            moved = {seq: where[id(event)] for seq, event in enumerate(self._events)}
            before = self._moved
            self._moved = moved | {old: moved.get(new, new) for old, new in before.items()}
            self._events = [_replace(event, seq=seq) for seq, event in enumerate(whole)]

    def failed(self, kind: str, message: str, traceback: str | None = None) -> None:
        """Record that something failed."""
        self.append(ErrorEvent, source="observed", type=kind, message=message, traceback=traceback)

    def call_id(self) -> str:
        """Return a fresh id for a tool's call."""
        with self._lock:
            self._calls += 1
            return f"call_{self._calls}"

    def piece(self, text: str, *, at_ms: float | None = None) -> None:
        """Go on with the output. The first piece that is not empty is the first token.

        Raises TargetError where it is no text, and LimitReached past `max_output`; what came
        before is kept, with a mark. `at_ms` is now unless it is given.
        """
        if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TargetError(f"the agent gave a piece that is {a_type(text)}, not a text")
        if not text:
            return
        size = limits.size(text)
        with self._lock:
            if self._closed:
                return
            if self._pieces is None:
                self._pieces = []
            if self._first_token_ms is None:
                self._first_token_ms = self.now_ms() if at_ms is None else at_ms
            room = None if self.max_output is None else self.max_output - self._piece_bytes
            if room is None or size <= room:
                self._piece_bytes += size
                self._pieces.append(text)
                return
            if not self._cut:
                self._cut = True
                self._piece_bytes += room
                self._pieces.append(limits.cut(text, room, more="at least "))
        raise limits.too_long(self.max_output or 0)

    def finish(self, outcome: Outcome) -> None:
        """Set the outcome; the pieces so far stand in where it has no output."""
        if outcome.output is UNSET and self._pieces is not None:
            outcome = _replace(outcome, output=self.joined)
        with self._lock:
            if not self._closed:
                self._outcome = outcome

    def restart(self, *, first_token: bool = True) -> None:
        """Begin an answer anew: pieces and outcome so far are dropped, events are kept. With
        `first_token` false, the first piece was none that counts either.
        """
        with self._lock:
            if self._closed:
                return
            self._pieces, self._piece_bytes, self._cut = None, 0, False
            self._outcome = None
            if not first_token:
                self._first_token_ms = None

    def prints(self, text: str) -> None:
        """Take what the agent printed; `end_prints` makes one note of it."""
        with self._lock:
            if self._closed:
                return
            if self._printed is None:
                self._printed = []
            self._printed.append(text)
            if len(self._printed) > 1000:
                self._printed = [limits.short("".join(self._printed))]

    def end_prints(self) -> None:
        """Record what was printed, in one note."""
        with self._lock:
            printed, self._printed = self._printed, None
        if printed is not None:
            text = limits.short("".join(printed))
            self.append(Note, source="observed", text="stdout", data=text)

    def _next(self) -> int:
        """Return the next event's number, or -1 where none is taken. The lock is held."""
        seq = len(self._events)
        if self._closed or seq > MAX_EVENTS:
            return -1
        if seq == MAX_EVENTS:
            text = f"more than {MAX_EVENTS:,} events: the rest was not recorded"
            self._events.append(Note(seq=seq, at_ms=self.now_ms(), source="observed", text=text))
            return -1
        return seq
