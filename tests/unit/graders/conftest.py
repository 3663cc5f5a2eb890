"""Asking a grader about a value, or about events."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from probare.model.case import Case
from probare.model.event import Event
from probare.model.outcome import Outcome, Transcript
from probare.model.verdict import Verdict
from probare.ports.grader import Grader, GradingSettings, TrialView

Ask = Callable[..., Verdict]


@pytest.fixture
def ask() -> Ask:
    """Return the verdict of a grader made of arguments on what it looks at."""

    def asked(
        kind: type[Grader],
        seen: Any,
        *,
        events: tuple[Event, ...] = (),
        folder: Path | None = None,
        **args: Any,
    ) -> Verdict:
        transcript = Transcript(case="c", events=events, outcome=Outcome(output="x"))
        trial = TrialView(
            case=Case(id="c"), transcript=transcript, settings=GradingSettings(folder=folder)
        )
        return msgspec.convert(args, kind).grade(seen, trial)

    return asked
