"""What the tests share: requests, runs of them, and the events they leave."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from probare.grading import usercode
from probare.targets.recorder import Recorder

FOLDER = Path(__file__).parent


@pytest.fixture
def part() -> Callable[[str], Any]:
    """Load a part of the agent by `module:name`."""
    return lambda reference: usercode.load(reference, FOLDER)


class Ran:
    """What a request came to."""

    def __init__(self, answer: dict[str, Any], recorder: Recorder) -> None:
        self.answer = answer
        self.events = recorder.events

    def of(self, kind: str) -> list[Any]:
        """The events of a kind."""
        return [event for event in self.events if event.kind == kind]

    @property
    def calls(self) -> list[str]:
        """The tools that were really called, in order."""
        return [event.name for event in self.of("tool_call")]

    @property
    def order(self) -> Iterator[str]:
        """The kinds of events, in order."""
        return (event.kind for event in self.events)


@pytest.fixture
def carried_out(tmp_path: Path) -> Callable[..., Ran]:
    """Carry out a request in a folder of its own, watched by a recorder."""

    def carry_out(*, defect: str | None = None, **config: Any) -> Ran:
        recorder = Recorder(workspace=tmp_path)
        if defect is None:
            agent = usercode.load("agent:ClinicalAgent", FOLDER)()
        else:
            agent = usercode.load("defects:DefectiveAgent", FOLDER)({"defect": defect})
        return Ran(asyncio.run(agent.run(config, recorder, tmp_path)), recorder)

    return carry_out
