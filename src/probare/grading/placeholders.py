"""Placeholders: `$name`, `$name.path`, `$name.items[0]` as whole argument strings.

They keep the type of what they name. `$$x` is the text `$x`; any other dollar is text. What
they yield is data: it is never searched for placeholders again.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping
from typing import Any, cast

import msgspec
from msgspec import UNSET

from probare.encoding.narrow import mapping
from probare.errors import GraderError, did_you_mean
from probare.grading import turns
from probare.grading.turns import text_of
from probare.model.event import Artifact
from probare.model.outcome import agent_usage
from probare.ports.grader import TrialView

_FORM = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*)((?:\.[A-Za-z0-9_][A-Za-z0-9_-]*|\[-?\d+\])*)\Z")
_STEP = re.compile(r"\.([A-Za-z0-9_][A-Za-z0-9_-]*)|\[(-?\d+)\]")

ROOTS = (
    "input",
    "reference",
    "output",
    "text",
    "events",
    "state",
    "artifacts",
    "usage",
    "recorded",
    "turns",
    "ended",
)
TURN_FIELDS = ("output", "text", "events", "usage")
OVER_EVENTS = frozenset({"events", "state", "artifacts"})
KNOWN_AT_LOAD = frozenset({"input", "reference"})


class Placeholder(msgspec.Struct, frozen=True):
    """A parsed placeholder: its root and the steps into it."""

    root: str
    steps: tuple[str | int, ...]
    text: str


def parse(value: Any) -> Placeholder | None:
    """Return the placeholder that a whole string is, or None where it is text."""
    if not isinstance(value, str) or not value.startswith("$"):
        return None
    match = _FORM.match(value)
    if match is None:
        return None
    steps = tuple(
        name if name else int(index) for name, index in _STEP.findall(cast("str", match[2]))
    )
    return Placeholder(match[1], steps, value)


def find(value: Any) -> Iterator[Placeholder]:
    """Yield every placeholder inside an argument value."""
    if isinstance(value, str):
        found = parse(value)
        if found is not None:
            yield found
    elif isinstance(value, dict):
        for item in cast("dict[str, Any]", value).values():
            yield from find(item)
    elif isinstance(value, list | tuple):
        for item in cast("list[Any]", value):
            yield from find(item)


def fill(value: Any, trial: TrialView) -> Any:
    """Return an argument value with its placeholders replaced, once.

    Raises GraderError where one names something that is not there.
    """
    if isinstance(value, str):
        found = parse(value)
        if found is not None:
            return look_up(found, trial)
        return value[1:] if value.startswith("$$") else value
    if isinstance(value, dict):
        return {key: fill(item, trial) for key, item in cast("dict[str, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [fill(item, trial) for item in cast("list[Any]", value)]
    return value


def look_up(placeholder: Placeholder, trial: TrialView) -> Any:
    """Return what a placeholder names in a trial. Raises GraderError where there is none."""
    value = _root(placeholder.root, trial)
    if value is UNSET and placeholder.root in ("output", "text"):
        raise GraderError("the trial has no output")
    if value is UNSET:
        known = [*ROOTS, *mapping(trial.transcript.outcome.output)]
        raise GraderError(
            f"${placeholder.root} does not exist in this trial",
            hint="" if placeholder.root in known else did_you_mean(placeholder.root, known),
        )
    return walk(value, placeholder)


def walk(value: Any, placeholder: Placeholder) -> Any:
    """Follow the steps of a placeholder into a value."""
    reached = f"${placeholder.root}"
    for step in placeholder.steps:
        value = _step(value, step, reached)
        reached += f"[{step}]" if isinstance(step, int) else f".{step}"
    return value


def _step(value: Any, step: str | int, reached: str) -> Any:
    if isinstance(step, int):
        if isinstance(value, list | tuple):
            items = cast("list[Any]", value)
            if -len(items) <= step < len(items):
                return items[step]
            raise GraderError(f"{reached} has {len(items)} items, no item {step}")
        raise GraderError(f"{reached} is not a list")
    if isinstance(value, Mapping):
        items = cast("Mapping[str, Any]", value)
        if step in items:
            return items[step]
        raise GraderError(f"{reached} has no key '{step}'", hint=did_you_mean(step, items))
    if dataclasses.is_dataclass(value) or isinstance(value, msgspec.Struct):
        names = _field_names(value)
        if step in names:
            part = getattr(value, step)
            if part is UNSET:
                raise GraderError(f"{reached} has no {step}")
            return part
        raise GraderError(f"{reached} has no field '{step}'", hint=did_you_mean(step, names))
    raise GraderError(f"{reached} has no parts, so no '{step}'")


def in_turn(place: str, turn: int) -> str:
    """Return what a placeholder of a turn's own check is called in the whole trial."""
    found = parse(place)
    if found is None or found.root not in (*ROOTS, *TURN_FIELDS):
        return f"$turns[{turn}].output.{place[1:]}"
    return f"$turns[{turn}].{place[1:]}" if found.root in TURN_FIELDS else place


def _field_names(value: Any) -> tuple[str, ...]:
    if isinstance(value, msgspec.Struct):
        return value.__struct_fields__
    return tuple(field.name for field in dataclasses.fields(value))


def _root(root: str, trial: TrialView) -> Any:
    outcome = trial.transcript.outcome
    match root:
        case "input":
            return trial.case.input
        case "reference":
            return trial.case.reference
        case "output":
            return UNSET if outcome.output is None else outcome.output
        case "text":
            return UNSET if outcome.output is None else text_of(outcome.output)
        case "events":
            return trial.transcript.events
        case "state":
            return outcome.state
        case "artifacts":
            return artifacts(trial)
        case "usage":
            usage = agent_usage(trial.transcript.events)
            return UNSET if usage is None else usage
        case "recorded":
            return outcome.recorded
        case "turns":
            return turns.turns_of(trial) or UNSET
        case "ended":
            return turns.ended(trial)
        case _:
            return _key_of(outcome.output, root)


def _key_of(output: Any, key: str) -> Any:
    if isinstance(output, dict):
        return cast("dict[str, Any]", output).get(key, UNSET)
    return UNSET


def artifacts(trial: TrialView) -> list[str]:
    """Return the paths of a trial's artifacts, from events and outcome, each once."""
    events = trial.transcript.events
    found = [event.path for event in events if isinstance(event, Artifact)]
    return list(dict.fromkeys([*found, *trial.transcript.outcome.artifacts]))
