"""The core runner `model`: a case asks the model of `--model` itself, without the suite's target.

An input that is a text, or has a text `prompt`, is what the model is asked; a text `system` beside
`prompt`, or of a conversation, is its instructions. Any other input is asked as compact JSON.
"""

from __future__ import annotations

from collections.abc import Iterable

from probare.encoding.narrow import mapping
from probare.errors import InfraError
from probare.model.case import Case
from probare.model.suite import TargetSpec
from probare.ports.target import Services, TrialCall
from probare.targets.model import MODEL, ModelTarget
from probare.targets.modelsettings import ModelSettings


class ModelRunner:
    """Answers the cases of the runner `model`."""

    def __init__(self, cases: Iterable[Case]) -> None:
        self._shapes = dict.fromkeys(map(_shape, cases))
        self._targets: dict[tuple[str | None, str | None], ModelTarget] = {}

    async def open(self, services: Services) -> None:
        """See that the model can be had, where one is set. Raises InputError as its target."""
        if services.model is None:
            return
        for shape in self._shapes:
            prompt, system = shape
            settings = ModelSettings(model=services.model, prompt=prompt, system=system)
            target = MODEL.build(TargetSpec(name="model", kind="model"), settings)
            await target.open(services)
            self._targets[shape] = target

    def target(self, call: TrialCall) -> ModelTarget:
        """Return the target that answers a trial. Raises InfraError where no model is set."""
        found = self._targets.get(_shape(call.case))
        if found is None:
            raise InfraError(
                "the runner `model` asks a model, and no model is set",
                hint="name one with --model",
                retryable=False,
            )
        return found

    async def close(self) -> None:
        """Let go of the model."""
        for target in self._targets.values():
            await target.close()
        self._targets.clear()


def _shape(case: Case) -> tuple[str | None, str | None]:
    given = mapping(case.input)
    prompt = "{{ input.prompt }}" if isinstance(given.get("prompt"), str) else None
    known = prompt is not None or case.converses
    system = "{{ input.system }}" if known and isinstance(given.get("system"), str) else None
    return prompt, system
