"""The `judge` block of a suite: which models judge, and how they are asked."""

from __future__ import annotations

from pathlib import Path

from probare.loading.cases import read_seconds
from probare.loading.documents import Origin
from probare.loading.faultlist import Faults
from probare.loading.files import similar_name
from probare.loading.shapes import JudgeShape
from probare.loading.words import shown
from probare.model.suite import JudgeSettings


def read_judge(
    shape: JudgeShape | None, folder: Path, origin: Origin, faults: Faults
) -> JudgeSettings | None:
    """Return the settings that stand at `origin`; None where the suite has none."""
    if shape is None:
        return None
    if shape.model is not None and shape.models:
        place = origin.place("models", key=True)
        faults.add(place, "model and models both stand here", "list them all under models")
    models = tuple(shape.models) or ((shape.model,) if shape.model is not None else ())
    step = "models" if shape.models else "model"
    for index, name in enumerate(models):
        where = origin.below(step, index) if shape.models else origin.below(step)
        _check_name(name, where, faults)
        if name in models[:index]:
            hint = "to ask one model several times, give votes"
            faults.add(where.place(), f"duplicate model '{name}'", hint)
    _check_examples(shape.examples, folder, origin.below("examples"), faults)
    return JudgeSettings(
        models=models,
        votes=shape.votes,
        tries=shape.tries,
        temperature=shape.temperature,
        max_tokens=shape.max_tokens,
        timeout=read_seconds(shape.timeout, origin.below("timeout"), faults) or 60.0,
        examples=shape.examples,
    )


def _check_name(name: str, origin: Origin, faults: Faults) -> None:
    """Models are named provider:model. Which providers there are is known when they are asked."""
    provider, colon, model = name.partition(":")
    if not (provider and colon and model) or name != name.strip() or not name.isprintable():
        hint = "write it as provider:model, such as openai:gpt-4.1-mini"
        faults.add(origin.place(), f"names no model: {shown(name)}", hint)


def _check_examples(name: str | None, folder: Path, origin: Origin, faults: Faults) -> None:
    if name is not None and not (folder / name).is_file():
        hint = similar_name(folder / name)
        faults.add(origin.place(), f"there is no file '{name}'", hint)
