"""Conversations: scripted turns with checks of their own, and simulated users."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from probare.grading import placeholders
from probare.loading.documents import Origin
from probare.loading.explain import Finding
from probare.loading.faultlist import Faults
from probare.loading.runners import CODE, named
from probare.loading.shapes import AgentStopShape, CaseShape, SimulateShape
from probare.model.case import AgentStop, Case, Check, Simulation
from probare.ports.chat import name_fault
from probare.ports.grader import Grader

V = TypeVar("V")

NO_TOOL_CALL: dict[str, Any] = {"max_tool_calls": {"limit": 0, "label": "no tool call"}}

_MOST_TURNS = 10
_OF_THE_TRIAL = ("state", "artifacts", "recorded")
_THERE = "write it under the case's own expect or forbid"
_Graders = Mapping[str, type[Grader]]


def check_shape(shape: CaseShape, origin: Origin, faults: Faults) -> None:
    """Tell what keeps a case from being the conversation that it is written as."""
    if shape.turns and shape.simulate is not None:
        place = origin.place("simulate", key=True)
        faults.add(place, "turns and simulate both stand here", "a conversation has one user")
    if shape.runner == CODE and (shape.turns or shape.simulate is not None):
        step = "turns" if shape.turns else "simulate"
        message = f"the runner '{CODE}' answers once and holds no conversation"
        faults.add(origin.place(step, key=True), message)
    for index, turn in enumerate(shape.turns):
        if not turn.user.strip():
            faults.add(origin.place("turns", index, "user"), "the user's message is blank")


def read_simulation(
    own: SimulateShape | None, defaults: SimulateShape | None, origin: Origin, faults: Faults
) -> Simulation | None:
    """Return the simulated user of a case, whose `simulate` stands at `origin`; None where it has
    none, or one with faults.
    """
    if own is None:
        return None
    given = defaults or SimulateShape()
    model, goal = _first(own.model, given.model), _first(own.goal, given.goal)
    for key, value in (("model", model), ("goal", goal)):
        if value is None:
            faults.add(origin.place(), f"simulate names no {key}")
    if model is not None:
        _check_model(model, own, origin, faults)
    if model is None or goal is None:
        return None
    stop = _first(own.stop, given.stop) or AgentStopShape()
    return Simulation(
        model=model,
        goal=goal,
        persona=_first(own.persona, given.persona) or "",
        first=_first(own.first, given.first),
        max_turns=_first(own.max_turns, given.max_turns) or _MOST_TURNS,
        temperature=_first(own.temperature, given.temperature),
        stop=AgentStop(tools=_several(stop.tool), texts=_several(stop.text)),
    )


def _check_model(model: str, own: SimulateShape, origin: Origin, faults: Faults) -> None:
    fault = name_fault(model)
    if fault:
        faults.add(origin.place(*(("model",) if own.model is not None else ())), fault)


class Turned:
    """Stamps checks with the turn that they are about. Equal ones are one object."""

    def __init__(self) -> None:
        self._kept: dict[tuple[int, int], tuple[Check, Check]] = {}

    def checks(self, checks: Sequence[Check], turn: int) -> tuple[Check, ...]:
        """Return the checks as checks of one turn, counted from 0."""
        return tuple(self._one(check, turn) for check in checks)

    def _one(self, check: Check, turn: int) -> Check:
        kept = self._kept.get((id(check), turn))
        if kept is None:
            kept = check, msgspec.structs.replace(check, turn=turn)
            self._kept[id(check), turn] = kept
        return kept[1]


def turn_findings(check: Check, written: Any, graders: _Graders) -> Iterator[Finding]:
    """Yield why a check cannot be one of a single turn: it looks at what only a trial has."""
    for inner in _flat(check):
        kind = graders.get(inner.grader)
        if kind is None:
            continue
        looks_at = inner.look_in or check.look_in or kind.looks_at(inner.args)
        found = placeholders.parse(looks_at)
        if kind.SCOPE == "case":
            yield Finding((), f"{inner.grader} looks at all trials of a case", _THERE)
        elif looks_at is None:
            yield Finding((), f"{inner.grader} looks at the whole trial", _THERE)
        elif inner.look_in is None and found is not None and found.root in _OF_THE_TRIAL:
            yield Finding((), f"{inner.grader} looks at ${found.root}, which no turn has", _THERE)
    for steps, found in named(check, written):
        if found.root in _OF_THE_TRIAL:
            yield Finding(steps, f"{found.text}: no turn has ${found.root} of its own", _THERE)


def script_findings(check: Check, written: Any, case: Case) -> Iterator[Finding]:
    """Yield the placeholders that name a turn which the case's script does not have."""
    if not case.turns:
        return
    count = len(case.turns)
    for steps, found in named(check, written):
        first = found.steps[0] if found.root == "turns" and found.steps else None
        if isinstance(first, int) and not -count <= first < count:
            turns = "1 turn" if count == 1 else f"{count} turns"
            yield Finding(steps, f"{found.text}: the case has {turns}, counted from 0")


def _flat(check: Check) -> Iterator[Check]:
    yield check
    for inner in check.checks:
        yield from _flat(inner)


def _several(given: str | list[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def _first(own: V | None, default: V | None) -> V | None:
    return default if own is None else own
