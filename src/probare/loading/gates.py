"""The gate: its scores are those that a summary has."""

from __future__ import annotations

import re

from probare.errors import did_you_mean
from probare.loading.documents import Origin
from probare.loading.faultlist import Faults
from probare.loading.shapes import GateShape
from probare.model.suite import Gate
from probare.scoring.minimums import NAMES, PATTERN

_SCORE = re.compile(PATTERN)


def read_gate(shape: GateShape, origin: Origin, faults: Faults) -> Gate:
    """Return the gate; a score that nobody knows is a fault."""
    for name in shape.minimum:
        if _SCORE.match(name) is None or name.endswith("\n"):
            hint = did_you_mean(name, NAMES) or "there are: " + ", ".join(NAMES)
            faults.add(origin.place("min", name, key=True), f"unknown score '{name}'", hint)
    return Gate(
        max_drop=shape.max_drop,
        new_failures=shape.new_failures,
        minimum=dict(shape.minimum),
        coverage=shape.coverage,
        reviews=shape.reviews,
        require=shape.require,
    )
