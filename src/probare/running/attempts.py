"""One trial: attempts, retries, and how it stopped."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import msgspec

from probare.errors import InfraError, LimitReached, ProbareError, TargetError
from probare.model.case import Case
from probare.model.event import Attempt, Event
from probare.model.outcome import Outcome, Stop, Transcript
from probare.model.record import TrialError
from probare.ports.clock import CLOCK
from probare.ports.target import Target, TrialCall, TrialRecorder
from probare.running.backoff import wait_before_retry
from probare.running.clock import AttemptClock
from probare.running.inventory import Snapshot


class PlannedTrial(msgspec.Struct, frozen=True):
    """A trial to be run. `timeout` is in seconds, for each attempt."""

    case: Case
    trial: int
    timeout: float
    seed: int


class Ended(msgspec.Struct, frozen=True, kw_only=True):
    """A trial that ended: what happened, how it stopped, how long its last attempt took."""

    planned: PlannedTrial
    transcript: Transcript
    stop: Stop
    error: TrialError | None
    attempts: int
    started: float
    duration_ms: float
    first_token_ms: float | None
    workspace: Path | None = None


class InFlight:
    """The mutable state of one trial while it runs. Shared with the sweeper of deadlines."""

    __slots__ = (
        "abandoned",
        "attempt",
        "began",
        "deadline",
        "earlier",
        "furnished",
        "planned",
        "recorder",
        "started",
        "timed_out",
        "workspace",
    )

    def __init__(self, planned: PlannedTrial) -> None:
        self.planned = planned
        self.attempt = 1
        self.started = time.time()
        self.began = time.perf_counter()
        self.deadline: float | None = None
        self.timed_out = False
        self.abandoned = False
        self.recorder: TrialRecorder | None = None
        self.earlier: list[Event] = []
        self.workspace: Path | None = None
        self.furnished: Snapshot = {}

    def ended(self, stop: Stop, error: TrialError | None) -> Ended:
        """Close the recorder and return the trial as it stands."""
        duration = (time.perf_counter() - self.began) * 1000
        recorder = self.recorder
        planned = self.planned
        if recorder is None:
            transcript = Transcript(case=planned.case.id, trial=planned.trial)
            return self._as_ended(transcript, stop, error, duration, None)
        recorder.close()
        events = recorder.events
        outcome = recorder.outcome
        if self.earlier:
            events = _renumbered([*self.earlier, *events, self._attempt_event(stop, error)])
        if stop != "completed" and not outcome.truncated:
            outcome = _marked_truncated(outcome)
        transcript = Transcript(
            case=planned.case.id,
            trial=planned.trial,
            events=events,
            outcome=outcome,
            observes=recorder.observes,
        )
        return self._as_ended(transcript, stop, error, duration, recorder.first_token_ms)

    def keep_failed_attempt(self, error: InfraError) -> None:
        """Keep the events of an attempt that will be tried again: they are checked too."""
        assert self.recorder is not None
        self.recorder.close()
        failed = TrialError(type(error).__name__, str(error))
        self.earlier += [*self.recorder.events, self._attempt_event("infra_error", failed)]
        self.recorder = None

    def _attempt_event(self, stop: Stop, error: TrialError | None) -> Attempt:
        return Attempt(
            operation="trial",
            number=self.attempt,
            ok=stop == "completed",
            error=error.message if error else None,
            source="observed",
        )

    def _as_ended(
        self,
        transcript: Transcript,
        stop: Stop,
        error: TrialError | None,
        duration: float,
        first_token: float | None,
    ) -> Ended:
        return Ended(
            planned=self.planned,
            transcript=transcript,
            stop=stop,
            error=error,
            attempts=self.attempt,
            started=self.started,
            duration_ms=round(duration, 3),
            first_token_ms=None if first_token is None else round(first_token, 3),
            workspace=self.workspace,
        )


def _marked_truncated(outcome: Outcome) -> Outcome:
    if outcome.output is msgspec.UNSET:
        return outcome
    return msgspec.structs.replace(outcome, truncated=True)


def _renumbered(events: list[Event]) -> tuple[Event, ...]:
    return tuple(msgspec.structs.replace(event, seq=n) for n, event in enumerate(events))


async def attempt(flight: InFlight, target: Target, *, retries: int) -> Ended | None:
    """Run one trial to its end, trying again after infrastructure faults.

    Returns None where the trial was abandoned
    meanwhile (its record is already written by whoever abandoned it). Raises CancelledError
    where the run, not the trial, was cancelled: such a trial is not recorded.
    """
    planned = flight.planned
    while True:
        flight.recorder = recorder = target.recorder()
        flight.began = time.perf_counter()
        clock = AttemptClock(flight, planned.timeout)
        CLOCK.set(clock)
        try:
            await target.run(
                TrialCall(
                    case=planned.case,
                    trial=planned.trial,
                    attempt=flight.attempt,
                    seed=planned.seed,
                    timeout=planned.timeout,
                    workspace=flight.workspace,
                ),
                recorder,
            )
        except asyncio.CancelledError:
            if flight.abandoned:
                return None
            if not flight.timed_out:
                raise
            _uncancel()
            return flight.ended("timeout", _too_long(planned.timeout))
        except Exception as error:
            if flight.abandoned:
                return None
            clock.end()
            if flight.timed_out or _past_deadline(flight, error):
                _uncancel()
                return flight.ended("timeout", _too_long(planned.timeout, str(error)))
            if isinstance(error, InfraError) and flight.attempt <= retries:
                wait = wait_before_retry(error, flight.attempt, planned.timeout)
                if wait is not None:
                    flight.keep_failed_attempt(error)
                    await asyncio.sleep(wait)
                    flight.attempt += 1
                    continue
            return flight.ended(stop_of(error), described(error))
        clock.end()
        if flight.abandoned:
            return None
        if flight.timed_out:
            _uncancel()
            return flight.ended("timeout", _too_long(planned.timeout))
        return flight.ended("completed", None)


def _past_deadline(flight: InFlight, error: Exception) -> bool:
    late = time.perf_counter() - flight.began >= flight.planned.timeout
    return late and isinstance(error, TimeoutError)


def _uncancel() -> None:
    task = asyncio.current_task()
    if task is not None:
        while task.cancelling():
            task.uncancel()


def _too_long(timeout: float, detail: str = "") -> TrialError:
    message = f"the trial did not end within {timeout:g} s"
    return TrialError("Timeout", f"{message}: {detail}" if detail else message)


def stop_of(error: Exception) -> Stop:
    """Return how a trial stopped that ended with this exception."""
    if isinstance(error, InfraError):
        return "infra_error"
    if isinstance(error, LimitReached):
        return "limit"
    return "target_error"


def described(error: Exception) -> TrialError:
    """Return an exception as it is recorded."""
    if isinstance(error, ProbareError):
        kind = "TargetError" if isinstance(error, TargetError) else type(error).__name__
        return TrialError(kind, error.message, error.hint)
    return TrialError(type(error).__name__, str(error))
