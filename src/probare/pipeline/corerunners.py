"""Probare's own runners, `code` and `model`, in front of a suite's target.

A case with the runner `code` is answered with its `input.__output__`; the target is not asked. One
with the runner `model` asks the suite's target where that is a model, else the model of `--model`
(`probare.pipeline.modelrunner`). All others go to the target as they are, conversations only to one
that can hold them.
"""

from __future__ import annotations

from collections.abc import Iterable

from probare.encoding.narrow import mapping
from probare.errors import InputError, Place, TargetError
from probare.model.case import Case, Simulation
from probare.model.event import Channel, Event
from probare.model.outcome import Outcome
from probare.pipeline.modelrunner import ModelRunner
from probare.ports.chat import ChatModels
from probare.ports.target import ConversingTarget, Services, Target, TrialCall, TrialRecorder
from probare.targets.model import ModelTarget
from probare.targets.replay import ReplayTarget

CODE, MODEL = "code", "model"


def in_front_of(target: Target, cases: Iterable[Case]) -> Target:
    """Return the target with the core runners in front of it, where any case needs them."""
    needing = [case for case in cases if case.runner in (CODE, MODEL) or case.converses]
    return CoreRunners(target, needing) if needing else target


class CoreRunners:
    """A target that answers the core runners' cases itself and hands on the others."""

    def __init__(self, target: Target, cases: Iterable[Case]) -> None:
        self._target = target
        self._cases = tuple(cases)
        asking = [case for case in self._cases if case.runner == MODEL]
        own = isinstance(target, ModelTarget)
        self._runner = ModelRunner(asking) if asking and not own else None

    async def open(self, services: Services) -> None:
        """Open the target and what the runners need.

        Raises InputError where the target cannot hold the conversations that it is asked for, or
        a model cannot be had.
        """
        for case in self._cases:
            if case.converses and case.runner not in (CODE, MODEL):
                _refuse_silent(self._target, case)
            if case.simulate is not None and not isinstance(self._target, ReplayTarget):
                _check_simulated(case, case.simulate, services.chat)
        if self._runner is not None:
            await self._runner.open(services)
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
        elif call.case.runner == MODEL and self._runner is not None:
            target = self._runner.target(call)
            recorder.inner = target.recorder()
            await target.run(call, recorder.inner)
        else:
            await self._target.run(call, recorder.inner)

    async def close(self) -> None:
        """Close the target, and let go of the models."""
        try:
            await self._target.close()
        finally:
            if self._runner is not None:
                await self._runner.close()


def _refuse_silent(target: Target, case: Case) -> None:
    if not (isinstance(target, ConversingTarget) and target.converses):
        raise InputError(
            f"case '{case.id}' is a conversation, and the target can hold none",
            hint="targets of the kinds model, python and replay can",
        )


def _check_simulated(case: Case, simulation: Simulation, chat: ChatModels | None) -> None:
    place = Place(path=f"case '{case.id}', simulate")
    if chat is None:
        hint = "pip install 'probare[models]'"
        raise InputError("there are no chat models to be had", place=place, hint=hint)
    try:
        chat.check(simulation.model)
    except InputError as error:
        error.place = error.place or place
        raise


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
