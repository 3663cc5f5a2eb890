"""Asking a grader about a value, or about events."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from probare.grading.judging import judge
from probare.grading.ready import make_ready
from probare.model.case import Case, Check
from probare.model.event import Channel, Event, Source
from probare.model.outcome import Outcome, Stop, Transcript
from probare.model.suite import Trust
from probare.model.verdict import CheckList, CheckVerdict, Verdict
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


Weigh = Callable[..., CheckVerdict]
ALL_CHANNELS: tuple[Channel, ...] = get_args(Channel)


@pytest.fixture
def weigh() -> Weigh:
    """Return the verdict of one check of evidence, as it is recorded: after trust, stop and
    polarity. Events are observed and numbered unless they say else.
    """

    def weighed(
        kind: type[Grader],
        *events: Event,
        in_list: CheckList = "expect",
        given: Any = None,
        planted: dict[str, str] | None = None,
        output: Any = "done",
        stop: Stop = "completed",
        source: Source = "observed",
        trust: Trust = "observed",
        observes: tuple[Channel, ...] = ALL_CHANNELS,
        artifacts: tuple[str, ...] = (),
        workspace: Path | None = None,
        **args: Any,
    ) -> CheckVerdict:
        numbered = tuple(
            msgspec.structs.replace(event, seq=at, source=source) for at, event in enumerate(events)
        )
        settings = GradingSettings()
        check = make_ready(Check(grader=kind.NAME, args=args), in_list, {kind.NAME: kind}, settings)
        transcript = Transcript(
            case="c",
            events=numbered,
            outcome=Outcome(output=output, artifacts=artifacts),
            observes=observes,
        )
        trial = TrialView(
            case=Case(id="c", input=given, planted=planted or {}),
            transcript=transcript,
            stop=stop,
            trust=trust,
            workspace=workspace,
            settings=settings,
        )
        return judge(check, trial)

    return weighed
