"""A suite without what was planted in it: what `privacy: {mask: true}` lets be written down."""

from __future__ import annotations

import msgspec
from msgspec import UNSET

from probare.masking.disguises import token
from probare.masking.planted import PlantedMask
from probare.model.case import Case, Check, Simulation
from probare.model.suite import Suite


def private_suite(suite: Suite) -> Suite:
    """Return the suite as it may be written down; itself where nothing is to be masked."""
    if not suite.privacy.mask:
        return suite
    return msgspec.structs.replace(suite, cases=tuple(map(private_case, suite.cases)))


def private_case(case: Case) -> Case:
    """Return the case with its planted identifiers as their tokens, wherever it holds them.

    The names stay, so that a leak check still knows what to look for. Doing it twice changes
    nothing.
    """
    mask = PlantedMask(case.planted.items())
    if not mask:
        return case
    return msgspec.structs.replace(
        case,
        input=mask.mask_value(case.input),
        expect=tuple(_check(check, mask) for check in case.expect),
        forbid=tuple(_check(check, mask) for check in case.forbid),
        description=mask.mask_text(case.description),
        reference=UNSET if case.reference is UNSET else mask.mask_value(case.reference),
        notes={name: mask.mask_text(note) for name, note in case.notes.items()},
        planted={name: token(name) for name in case.planted},
        turns=tuple(mask.mask_value(list(case.turns))),
        simulate=None if case.simulate is None else _simulation(case.simulate, mask),
    )


def _simulation(given: Simulation, mask: PlantedMask) -> Simulation:
    return msgspec.structs.replace(
        given,
        goal=mask.mask_text(given.goal),
        persona=mask.mask_text(given.persona),
        first=None if given.first is None else mask.mask_text(given.first),
    )


def _check(check: Check, mask: PlantedMask) -> Check:
    return msgspec.structs.replace(
        check,
        args=mask.mask_value(check.args),
        checks=tuple(_check(inner, mask) for inner in check.checks),
        label=None if check.label is None else mask.mask_text(check.label),
    )
