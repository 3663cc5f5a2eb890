"""Probare's own runners, `code` and `model`, in front of a suite's target.

A case with the runner `code` is answered with its `input.__output__`; the target is not asked. One
with the runner `model` asks a model. All others go to the target as they are.
"""

from __future__ import annotations

from collections.abc import Iterable

from probare.encoding.narrow import mapping
from probare.errors import InfraError, TargetError
from probare.model.case import Case
from probare.model.event import Channel, Event
from probare.model.outcome import Outcome
from probare.ports.target import Services, Target, TrialCall, TrialRecorder

CODE, MODEL = "code", "model"


def in_front_of(target: Target, cases: Iterable[Case]) -> Target:
    """Return the target with the core runners in front of it, where any case needs them."""
    needed = any(case.runner in (CODE, MODEL) for case in cases)
    return CoreRunners(target) if needed else target


class CoreRunners:
    """A target that answers the core runners' cases itself and hands on the others."""

    def __init__(self, target: Target) -> None:
        self._target = target

    async def open(self, services: Services) -> None:
        """Open the target."""
        await self._target.open(services)

    def recorder(self) -> TrialRecorder:
        """Return a recorder around one of the target's."""
        return OutcomeRecorder(self._target.recorder())

    async def run(self, call: TrialCall, recorder: TrialRecorder) -> None:
        """Answer, or let the target answer.

        Raises TargetError where a `code` case has no output, InfraError where no model is set.
        """
        assert isinstance(recorder, OutcomeRecorder)
        if call.case.runner == CODE:
            output = mapping(call.case.input).get("__output__")
            if output is None:
                raise TargetError("the runner `code` found no input.__output__ to answer with")
            recorder.answer(Outcome(output=output))
        elif call.case.runner == MODEL:
            raise InfraError(
                "the runner `model` asks a model, and no model is set",
                hint="name one with --model",
                retryable=False,
            )
        else:
            await self._target.run(call, recorder.inner)

    async def close(self) -> None:
        """Close the target."""
        await self._target.close()


class OutcomeRecorder:
    """A target's recorder, until an outcome is given in its place."""

    __slots__ = ("_outcome", "inner")

    def __init__(self, inner: TrialRecorder) -> None:
        self.inner = inner
        self._outcome: Outcome | None = None

    def answer(self, outcome: Outcome) -> None:
        """Put an outcome in the place of the target's."""
        self._outcome = outcome

    @property
    def events(self) -> tuple[Event, ...]:
        """What the target recorded."""
        return self.inner.events

    @property
    def outcome(self) -> Outcome:
        """The outcome that was given, else the target's."""
        return self.inner.outcome if self._outcome is None else self._outcome

    @property
    def observes(self) -> tuple[Channel, ...]:
        """What the target would have seen."""
        return self.inner.observes

    @property
    def first_token_ms(self) -> float | None:
        """The target's."""
        return self.inner.first_token_ms

    def close(self) -> None:
        """Close the target's."""
        self.inner.close()
