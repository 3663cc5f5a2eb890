"""What the tests share: requests, runs of them, and the events they leave."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from probare.grading import usercode
from probare.testing import Recorder

FOLDER = Path(__file__).parent


@pytest.fixture
def part() -> Callable[[str], Any]:
    """Load a part of the agent by `module:name`."""
    return lambda reference: usercode.load(reference, FOLDER)


class Ran(Recorder):
    """What a request came to: the events, and the answer."""

    answer: dict[str, Any]


@pytest.fixture
def carried_out(tmp_path: Path) -> Callable[..., Ran]:
    """Carry out a request in a folder of its own, watched by a recorder."""

    def carry_out(*, defect: str | None = None, **config: Any) -> Ran:
        ran = Ran(workspace=tmp_path)
        if defect is None:
            agent = usercode.load("agent:ClinicalAgent", FOLDER)()
        else:
            agent = usercode.load("defects:DefectiveAgent", FOLDER)({"defect": defect})
        ran.answer = asyncio.run(agent.run(config, ran, tmp_path))
        return ran

    return carry_out
