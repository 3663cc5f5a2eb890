"""What the tests share: a question, its answer, and what the harness saw on the way."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from probare.grading import usercode
from probare.targets.recorder import Recorder

FOLDER = Path(__file__).parent
DAY = "2025-07-01"


class Answered:
    """An answer, and the events that led to it."""

    def __init__(self, answer: dict[str, Any], recorder: Recorder) -> None:
        self.answer = answer
        self.text: str = answer["text"]
        self.events = recorder.events

    def of(self, kind: str) -> list[Any]:
        """The events of a kind."""
        return [event for event in self.events if event.kind == kind]

    @property
    def notices(self) -> list[dict[str, Any]]:
        """What people were told."""
        return [e.arguments for e in self.of("tool_call") if e.name == "escalate"]

    @property
    def sources(self) -> list[tuple[str, int]]:
        """The policies that are cited, with their versions."""
        return [(each["document"], each["version"]) for each in self.answer["citations"]]


@pytest.fixture
def asked() -> Callable[..., Answered]:
    """Ask the assistant, watched by a recorder."""

    def ask(
        employee: str, question: str, *, day: str = DAY, defect: str | None = None, **more: Any
    ) -> Answered:
        if defect is None:
            agent = usercode.load("agent:HrAssistant", FOLDER)(**more)
        else:
            agent = usercode.load("defects:DefectiveAssistant", FOLDER)({"defect": defect})
        agent.set_up()
        recorder = Recorder()
        given = {"employee": employee, "question": question, "asked_on": day}
        return Answered(asyncio.run(agent.run(given, recorder)), recorder)

    return ask
