"""The targets of the folder above, for the suite here: looked up there when they are asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from probare.grading import usercode

ABOVE = Path(__file__).parents[1]
TARGETS = {
    "ResumeTailor": "agent:ResumeTailor",
    "OracleTarget": "oracle:OracleTarget",
    "NullTarget": "oracle:NullTarget",
}


def __getattr__(name: str) -> Any:
    if name not in TARGETS:
        raise AttributeError(name)
    return usercode.load(TARGETS[name], ABOVE)
