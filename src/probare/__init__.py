"""Probare tests AI agents, grades what they did, and proves what it found.

    from probare import Case, Suite, run

    suite = Suite("greeter", target=lambda input: f"hello {input}", cases=[
        Case(id="world", input="world", expect=[{"contains": "hello"}]),
    ])
    result = run(suite)
    assert result.passed

Names are imported when they are first used (PEP 562), so that importing Probare is quick.

PYTEST_DONT_REWRITE: Probare brings a pytest plug-in, and without this word pytest warns a script
that imports Probare before it starts pytest.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from probare.errors import LoadError as LoadError
    from probare.errors import ProbareError as ProbareError
    from probare.face import Case as Case
    from probare.face import Suite as Suite
    from probare.face import arun as arun
    from probare.face import run as run
    from probare.graders.decorated import grader as grader
    from probare.model.outcome import Outcome as Outcome
    from probare.model.verdict import Verdict as Verdict
    from probare.pipeline.runs import Run as Run
    from probare.targets.recorder import Recorder as Recorder

_HOMES = {
    "Case": "probare.face",
    "LoadError": "probare.errors",
    "Outcome": "probare.model.outcome",
    "ProbareError": "probare.errors",
    "Recorder": "probare.targets.recorder",
    "Run": "probare.pipeline.runs",
    "Suite": "probare.face",
    "Verdict": "probare.model.verdict",
    "arun": "probare.face",
    "grader": "probare.graders.decorated",
    "run": "probare.face",
}

__all__ = [  # noqa: RUF022 - in the order of use
    "Suite",
    "Case",
    "run",
    "arun",
    "Run",
    "Recorder",
    "Outcome",
    "grader",
    "Verdict",
    "ProbareError",
    "LoadError",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'probare' has no attribute '{name}'")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
