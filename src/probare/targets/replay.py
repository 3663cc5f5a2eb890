"""The `replay` target: trials that were recorded before, from a file of transcript lines.

What was observed then is `replayed` now; what was claimed stays claimed. A trial that did not
complete then does not complete now.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import msgspec
from msgspec import UNSET

from probare.errors import HarnessError, InfraError, LimitReached, TargetError
from probare.model.event import ErrorEvent
from probare.model.outcome import Transcript
from probare.model.suite import TargetSpec
from probare.ports.target import Services, TrialCall, TrialRecorder
from probare.targets.recording import Recording, Stopped
from probare.targets.tape import Tape


class ReplaySettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`replay`: the file of transcripts, or the folder (a run's, say) that holds it."""

    replay: str


class ReplayKind:
    """The `replay` adapter."""

    name: ClassVar[str] = "replay"
    settings: ClassVar[type[msgspec.Struct]] = ReplaySettings

    def build(self, spec: TargetSpec, settings: ReplaySettings) -> ReplayTarget:
        """Return the target. Reads nothing yet."""
        return ReplayTarget(spec, settings)


REPLAY = ReplayKind()


class ReplayTarget:
    """Answers each trial with what was recorded of it."""

    converses: ClassVar[bool] = True

    def __init__(self, spec: TargetSpec, settings: ReplaySettings) -> None:
        self._spec = spec
        self._named = settings.replay
        self._recording: Recording | None = None

    async def open(self, services: Services) -> None:
        """Index the recording. Raises InputError where it cannot be read or is corrupt."""
        self._recording = Recording(services.folder / Path(self._named).expanduser())

    def recorder(self) -> TrialRecorder:
        """Return a fresh recorder."""
        return Tape()

    async def run(self, call: TrialCall, recorder: TrialRecorder) -> None:
        """Put the recorded trial into the recorder.

        Raises InfraError where there is none, and where it did not complete the error that
        says so: a crash that is replayed is still a crash.
        """
        assert isinstance(recorder, Tape)
        if self._recording is None:
            raise HarnessError("the target was used before it was opened")
        transcript = self._recording.read(call.case.id, call.trial)
        for event in transcript.events:
            source = "claimed" if event.source == "claimed" else "replayed"
            recorder.put(event, source=source, at_ms=event.at_ms)
        recorder.observe(*transcript.observes)
        recorder.finish(transcript.outcome)
        stopped = self._recording.stopped(call.case.id, call.trial)
        if stopped is not None:
            raise _as_then(stopped)
        _check_whole(transcript)

    async def close(self) -> None:
        """Close the recording."""
        if self._recording is not None:
            self._recording.close()
            self._recording = None


def _as_then(stopped: Stopped) -> Exception:
    message = f"the recorded trial did not complete ({stopped.stop})"
    if stopped.error is not None:
        message += f": {stopped.error.message}"
    if stopped.stop == "infra_error":
        return InfraError(message, retryable=False)
    return LimitReached(message) if stopped.stop == "limit" else TargetError(message)


def _check_whole(transcript: Transcript) -> None:
    """Refuse what shows by itself that it did not complete."""
    outcome = transcript.outcome
    if outcome.truncated:
        raise TargetError("the recorded answer is cut off")
    if outcome.output is not UNSET or outcome.state is not UNSET or outcome.recorded is not UNSET:
        return
    if not transcript.events:
        raise TargetError("the recorded trial holds nothing: no event, no output")
    last = transcript.events[-1]
    if isinstance(last, ErrorEvent):
        raise TargetError(f"the recorded trial ends with an error: {last.type}: {last.message}")
