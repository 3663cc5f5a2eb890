"""The template of a request's body: a JSON value whose placeholder strings are replaced, once.

`$input`, `$case` (its id), `$runner`, `$trial`, `$seed`, `$config`, `$model` and `$workspace`,
and paths into them, keep the type of what they name. `$$x` is the text `$x`; any other dollar is
text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from probare.errors import GraderError, InfraError, InputError, did_you_mean
from probare.grading import placeholders
from probare.model.suite import TargetSpec
from probare.ports.target import Services, TrialCall
from probare.targets import determinism

ROOTS = ("input", "case", "runner", "trial", "seed", "config", "model", "workspace")


def values(call: TrialCall, spec: TargetSpec, services: Services) -> dict[str, Any]:
    """Return what a remote agent is told of one trial. The case's reference is never among it."""
    return {
        "input": call.case.input,
        "case": call.case.id,
        "runner": call.case.runner,
        "trial": call.trial,
        "seed": call.seed,
        "config": spec.config,
        "model": determinism.model_for(call.case, services.model),
        "workspace": None if call.workspace is None else str(call.workspace),
    }


def told(known: dict[str, Any]) -> dict[str, Any]:
    """Return all that a remote agent is told, the runner only where the case has one."""
    return {key: item for key, item in known.items() if key != "runner" or item is not None}


def check(template: Any, config: Mapping[str, Any]) -> None:
    """Raise InputError where a placeholder can never be filled."""
    for found in placeholders.find(template):
        if found.root not in ROOTS:
            raise InputError(
                f"the body names {found.text}, which does not exist",
                hint=did_you_mean(found.root, ROOTS) or f"there are {', '.join(ROOTS)}",
            )
        if found.root == "config":
            try:
                placeholders.walk(config, found)
            except GraderError as error:
                raise InputError(f"the body names {found.text}: {error}") from None


def fill(template: Any, known: Mapping[str, Any]) -> Any:
    """Return the template with its placeholders replaced; what they yield is data.

    Raises InfraError where a case's input lacks what the template names: nothing was asked.
    """
    if isinstance(template, str):
        found = placeholders.parse(template)
        if found is None:
            return template[1:] if template.startswith("$$") else template
        try:
            return placeholders.walk(known[found.root], found)
        except GraderError as error:
            raise InfraError(
                f"the request's body cannot be made: {error}",
                hint="the target's `body` must fit the input of every case",
                retryable=False,
            ) from None
    if isinstance(template, dict):
        items = cast("dict[str, Any]", template).items()
        return {key: fill(item, known) for key, item in items}
    if isinstance(template, list | tuple):
        return [fill(item, known) for item in cast("list[Any]", template)]
    return template
