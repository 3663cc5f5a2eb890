"""The recorder, for tests of an agent by itself: made current, and looked into."""

from __future__ import annotations

from contextvars import Token
from types import TracebackType
from typing import Any

from probare.model.event import Event
from probare.model.outcome import Transcript
from probare.targets import recorder as recorders


class Recorder(recorders.Recorder):
    """A recorder as an agent is given in a trial, with what a test asks of it.

        with Recorder() as recorder:
            answer = agent(question, recorder)
        assert recorder.calls == ["search", "book"]

    Inside the block it is the current one (`probare.targets.recorder.current`), for agents that
    are not handed theirs.
    """

    __slots__ = ("_token",)

    _token: Token[recorders.Recorder | None]

    def of(self, kind: str) -> list[Any]:
        """Return the events of a kind (`tool_call`, `decision`, …), in order."""
        return [event for event in self.events if event.kind == kind]

    @property
    def kinds(self) -> list[str]:
        """The kinds of all events, in order."""
        return [event.kind for event in self.events]

    @property
    def calls(self) -> list[str]:
        """The names of the tools that were called, in order."""
        return [event.name for event in self.of("tool_call")]

    @property
    def last(self) -> Event:
        """The last event. Raises IndexError where nothing was recorded."""
        return self.events[-1]

    def transcript(self, case: str = "test", trial: int = 0) -> Transcript:
        """Return what was recorded as the transcript of a trial, for a grader."""
        return Transcript(
            case=case,
            trial=trial,
            events=self.events,
            outcome=self.outcome,
            observes=self.observes,
        )

    def __enter__(self) -> Recorder:
        self._token = recorders.CURRENT.set(self)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        recorders.CURRENT.reset(self._token)
