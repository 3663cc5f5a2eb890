"""What a remote agent has said so far in one attempt: events, pieces, and at last the output.

The objects it says it with are the same on standard output and in streams over HTTP:

- `{"event": {"kind": …}}`: something happened;
- `{"piece": "text"}`: the output goes on;
- `{"output": …}`: the output, with `state`, `artifacts`, `recorded`, `events` and `usage`
  beside it if there are any.
"""

from __future__ import annotations

from typing import Any, cast

from msgspec import UNSET

from probare.errors import LimitReached
from probare.model.event import Note
from probare.model.outcome import Outcome
from probare.targets import limits
from probare.targets.tape import MAX_EVENTS, Tape
from probare.targets.wire import event_from_wire, usage_from_wire

CUT_MARK = "… [cut]"
_BESIDE = frozenset({"output", "state", "artifacts", "recorded", "events", "usage", "model"})


class Answer:
    """Gathers what a remote agent says, onto its tape.

    Pieces join to the output where no `output` comes. Where several come, the last holds and
    a note says so.
    """

    def __init__(self, tape: Tape) -> None:
        self._tape = tape
        self._output: Any = UNSET
        self._state: Any = UNSET
        self._recorded: Any = UNSET
        self._artifacts: tuple[str, ...] = ()

    @property
    def given(self) -> bool:
        """Whether there is an output, whole or in pieces."""
        return self._output is not UNSET or self._tape.joined is not UNSET

    def take(self, value: Any) -> bool:
        """Take one of the objects above; return False, having done nothing, for any other."""
        if not isinstance(value, dict):
            return False
        said = cast("dict[str, Any]", value)
        if "output" in said:
            self.reply(said)
        elif isinstance(said.get("event"), dict):
            self.event(said["event"])
        elif isinstance(said.get("piece"), str):
            self.piece(said["piece"])
        else:
            return False
        return True

    def event(self, value: Any) -> None:
        """Record an event as the remote describes it: its own claim."""
        self._tape.put(event_from_wire(value, source="claimed"))

    def piece(self, text: str) -> None:
        """Go on with the output. An empty piece is none."""
        self._tape.piece(text)

    def note(self, text: str, data: Any = None) -> None:
        """Keep a remark of the harness; a long one is cut."""
        self._tape.append(Note, source="observed", text=limits.short(text), data=data)

    def reply(self, said: dict[str, Any]) -> None:
        """Take an object with the output and what may stand beside it."""
        self.output(said["output"])
        if "state" in said:
            self._state = said["state"]
        if "recorded" in said:
            self._recorded = said["recorded"]
        if "artifacts" in said:
            self._take_artifacts(said["artifacts"])
        if "events" in said:
            self.take_events(said["events"])
        self.usage(said)
        beside = {key: item for key, item in said.items() if key not in _BESIDE}
        if beside:
            self.note("beside the output stood what has no meaning here", beside)

    def output(self, value: Any) -> None:
        """Take the output."""
        if self._output is not UNSET:
            self.note("a second output came, and holds; the first was", self._output)
        self._output = value

    def usage(self, said: dict[str, Any]) -> None:
        """Record the `usage` of a reply, if it states one, with its `model`."""
        usage = usage_from_wire(said.get("usage"), source="claimed", model=said.get("model"))
        if usage is not None:
            self._tape.put(usage)

    def take_events(self, value: Any) -> None:
        """Record a list of events."""
        if isinstance(value, list):
            for item in cast("list[Any]", value):
                self.event(item)
        elif value is not None:
            self.note("the events are not a list", value)

    def finish(self) -> None:
        """Close a whole answer. Raises LimitReached where its events were too many to keep."""
        self._tape.finish(self._outcome(self._output, truncated=False))
        if self._tape.overflowed:
            raise LimitReached(f"the agent told of more than {MAX_EVENTS:,} events")

    def keep_cut(self, more: str = "") -> None:
        """Close a broken answer with what there is of it, and a mark at its end.

        `more` is text that came after the pieces. An output that came whole stays as it is;
        where nothing came, there is none.
        """
        output = self._output
        pieces = self._tape.joined
        came = more if pieces is UNSET else pieces + more
        if output is UNSET and came:
            output = came + CUT_MARK
        self._tape.finish(self._outcome(output, truncated=True))

    def _outcome(self, output: Any, *, truncated: bool) -> Outcome:
        return Outcome(
            output=output,
            state=self._state,
            artifacts=self._artifacts,
            recorded=self._recorded,
            truncated=truncated,
        )

    def _take_artifacts(self, value: Any) -> None:
        items = cast("list[Any]", value) if isinstance(value, list) else [value]
        if all(isinstance(item, str) for item in items):
            self._artifacts = tuple(items)
        else:
            self.note("the artifacts are not a list of paths", value)


class Cap:
    """Counts the bytes of an answer against the limit."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.count = 0

    def add(self, data: bytes) -> bytes:
        """Count the bytes; return those within the limit, which may be fewer."""
        room = max(self.limit - self.count, 0)
        self.count += len(data)
        return data[:room]

    def check(self) -> None:
        """Raise LimitReached where more came than is allowed."""
        if self.count > self.limit:
            raise limits.too_long(self.limit)
