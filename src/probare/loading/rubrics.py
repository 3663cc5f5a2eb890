"""Rubrics: YAML or JSON files, read strictly, with all that is wrong told at once.

    rubric: hr_answer
    version: 3
    dimensions:
      - id: factual_accuracy
        question: Is every claim right and checkable in the policy?
        levels: {4: every claim is right, 3: the main points are, 2: one is wrong, 1: several are}
    pass: {each_at_least: 3}
    triggers:
      - {dimension: factual_accuracy, at_most: 1, opens: incident_review}

A dimension's `name` is its id in words unless it is given. A trigger holds the gate, save one
that opens an investigation note, unless `holds_gate` says else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta

from probare.encoding.narrow import mapping, sequence
from probare.errors import Place, did_you_mean
from probare.loading.documents import Origin
from probare.loading.explain import explain
from probare.loading.faultlist import Faults
from probare.loading.parsing import read_tree
from probare.loading.words import shown
from probare.model.rubric import Dimension, Level, Opens, PassRule, Rubric, Trigger

_Text: TypeAlias = Annotated[str, Meta(min_length=1)]
_LEVEL = re.compile(r"(0|-?[1-9][0-9]{0,5})\Z")
_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*\Z")
_ID_RULE = "letters, digits, _ - and . only"


class DimensionShape(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One dimension: `levels` maps each whole number of its scale to the sentence for it."""

    id: _Text
    question: _Text
    levels: dict[str, _Text]
    name: _Text | None = None


class PassShape(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The least level of each dimension, or of those that are named."""

    each_at_least: int | None = None
    dimensions: dict[str, int] = {}


class TriggerShape(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a low score opens."""

    dimension: _Text
    at_most: int
    opens: Opens
    holds_gate: bool | None = None


class RubricShape(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A rubric file."""

    rubric: _Text
    version: int | _Text
    dimensions: Annotated[list[DimensionShape], Meta(min_length=1)]
    pass_rule: PassShape = msgspec.field(name="pass")
    name: str = ""
    description: str = ""
    triggers: list[TriggerShape] = []


def load_rubric(path: Path) -> Rubric:
    """Return the rubric of a file. Raises LoadError with all its faults."""
    faults = Faults()
    rubric = read_rubric(path, faults)
    faults.raise_if_any()
    assert rubric is not None
    return rubric


def read_rubric(path: Path, faults: Faults, named_at: Place | None = None) -> Rubric | None:
    """Return the rubric of a file that is named at a place; None where it has faults."""
    tree = read_tree(path, faults, named_at)
    return None if tree is None else rubric_of(tree[0], Origin(tree[1]), faults)


def rubric_of(value: Any, origin: Origin, faults: Faults) -> Rubric | None:
    """Return what is written at `origin` as a rubric; None where it has faults."""
    before = len(faults)
    if not isinstance(value, dict):
        faults.add(origin.place(), f"a rubric should be a mapping, is {shown(value)}")
        return None
    scales = _scales(mapping(value), origin, faults)
    _check_rule(mapping(mapping(value).get("pass")), scales, origin.below("pass"), faults)
    for index, each in enumerate(sequence(mapping(value).get("triggers"))):
        _check_trigger(mapping(each), scales, origin.below("triggers", index), faults)
    for finding in explain(value, RubricShape):
        place = origin.place(*finding.steps, key=finding.key)
        faults.add(place, finding.message, finding.hint)
    return _made(msgspec.convert(value, RubricShape)) if len(faults) == before else None


def _scales(value: Mapping[str, Any], origin: Origin, faults: Faults) -> dict[str, set[int]]:
    """Return the levels of each dimension by its id, and tell what is wrong with them."""
    found: dict[str, set[int]] = {}
    for index, each in enumerate(sequence(value.get("dimensions"))):
        where = origin.below("dimensions", index)
        given = mapping(each)
        levels = _levels(given.get("levels"), where.below("levels"), faults)
        name = given.get("id")
        if not isinstance(name, str) or not name:
            continue
        if not _ID.match(name):
            faults.add(where.place("id"), f"an id has {_ID_RULE}, is {shown(name)}")
        if name in found:
            faults.add(where.place("id"), f"duplicate dimension '{name}'")
        found.setdefault(name, levels)
    return found


def _levels(written: Any, origin: Origin, faults: Faults) -> set[int]:
    if not isinstance(written, dict):
        return set()
    levels: set[int] = set()
    for key in mapping(written):
        if _LEVEL.match(key):
            levels.add(int(key))
        else:
            place = origin.place(key, key=True)
            faults.add(place, f"a level should be a whole number, is {shown(key)}")
    if len(mapping(written)) < 2:
        faults.add(origin.place(), f"a scale has at least two levels, this one {len(levels)}")
    return levels


def _check_rule(
    rule: Mapping[str, Any], scales: Mapping[str, set[int]], origin: Origin, faults: Faults
) -> None:
    each = rule.get("each_at_least")
    named = mapping(rule.get("dimensions"))
    if _is_level(each):
        missing = [
            name
            for name, levels in scales.items()
            if levels and name not in named and each not in levels
        ]
        if missing:
            message = f"{each} is no level of {', '.join(missing)}"
            faults.add(origin.place("each_at_least"), message)
    elif not named and "each_at_least" not in rule:
        hint = "such as pass: {each_at_least: 3}"
        faults.add(origin.place(), "the pass rule demands nothing", hint)
    for name, least in named.items():
        _check_named(name, least, scales, (origin.place("dimensions", name, key=True)), faults)


def _check_trigger(
    given: Mapping[str, Any], scales: Mapping[str, set[int]], origin: Origin, faults: Faults
) -> None:
    name = given.get("dimension")
    if isinstance(name, str) and name:
        _check_named(name, given.get("at_most"), scales, origin.place("dimension"), faults)


def _check_named(
    name: str, level: Any, scales: Mapping[str, set[int]], place: Place, faults: Faults
) -> None:
    """Tell of a dimension that is not there, and of a level that is not on its scale."""
    if name not in scales:
        hint = did_you_mean(name, scales) or f"there are: {', '.join(scales)}"
        faults.add(place, f"there is no dimension '{name}'", hint if scales else "")
    elif _is_level(level) and scales[name] and level not in scales[name]:
        listed = ", ".join(map(str, sorted(scales[name])))
        faults.add(place, f"{level} is no level of {name}", f"there are: {listed}")


def _is_level(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _made(shape: RubricShape) -> Rubric:
    return Rubric(
        id=shape.rubric,
        version=str(shape.version),
        name=shape.name,
        description=shape.description,
        dimensions=tuple(_dimension(each) for each in shape.dimensions),
        pass_rule=PassRule(
            each_at_least=shape.pass_rule.each_at_least,
            dimensions=shape.pass_rule.dimensions,
        ),
        triggers=tuple(
            Trigger(
                dimension=each.dimension,
                at_most=each.at_most,
                opens=each.opens,
                holds_gate=each.opens != "investigation_note"
                if each.holds_gate is None
                else each.holds_gate,
            )
            for each in shape.triggers
        ),
    )


def _dimension(shape: DimensionShape) -> Dimension:
    levels = sorted((int(key), text) for key, text in shape.levels.items())
    return Dimension(
        id=shape.id,
        name=shape.name or shape.id.replace("_", " "),
        question=shape.question,
        levels=tuple(Level(number, text) for number, text in levels),
    )
