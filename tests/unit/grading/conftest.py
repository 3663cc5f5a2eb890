"""Views of trials, and graders that answer what they are told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest
from msgspec import UNSET

from probare.errors import GraderError
from probare.grading.ready import ReadyCheck, make_ready
from probare.model.case import Case, Check
from probare.model.event import Channel, Event
from probare.model.outcome import Outcome, Stop, Transcript
from probare.model.suite import Trust
from probare.model.verdict import CheckList, Result, Span, Verdict
from probare.ports.grader import Grader, GradingSettings, TrialView, holds

View = Callable[..., TrialView]
Ready = Callable[..., ReadyCheck]


class Says(Grader, frozen=True, kw_only=True):
    """Answers what its arguments say."""

    NAME: ClassVar[str] = "says"
    VERSION: ClassVar[str] = "7"
    MAIN: ClassVar[str | None] = "result"

    result: Result = "pass"
    score: float | None = None
    reason: str = "as told"

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        return Verdict(self.result, self.score, self.reason, (Span(0, 1),))


class Is(Grader, frozen=True, kw_only=True):
    """What it sees is the value, type and all."""

    NAME: ClassVar[str] = "is"
    MAIN: ClassVar[str | None] = "value"
    LOOKS_AT: ClassVar[str | None] = "$output"

    value: Any

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        same = type(seen) is type(self.value) and seen == self.value
        return holds(same, f"saw {seen!r}")


class Text(Grader, frozen=True, kw_only=True):
    """Takes a text, and nothing else."""

    NAME: ClassVar[str] = "text"

    text: str

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        return holds(self.text in seen, f"looked for {self.text}")


class Calls(Grader, frozen=True, kw_only=True):
    """A tool of that name was called."""

    NAME: ClassVar[str] = "calls"
    MAIN: ClassVar[str | None] = "name"
    LOOKS_AT: ClassVar[str | None] = "$events"
    EVIDENCE: ClassVar[tuple[Channel, ...]] = ("tools",)

    name: str

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        names = [event.name for event in seen if event.kind == "tool_call"]
        return holds(self.name in names, f"called: {', '.join(names) or 'nothing'}")


class Raises(Grader, frozen=True, kw_only=True):
    """Raises."""

    NAME: ClassVar[str] = "raises"

    kind: str = "ValueError"

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        if self.kind == "GraderError":
            raise GraderError("cannot tell", hint="ask a person")
        raise ValueError("broken")


class Same(Grader, frozen=True, kw_only=True):
    """All trials have one output; the score is the share of the commonest."""

    NAME: ClassVar[str] = "same"
    LOOKS_AT: ClassVar[str | None] = None
    SCOPE: ClassVar[Any] = "case"

    def grade_case(self, trials: Sequence[TrialView]) -> Verdict:
        outputs = [trial.transcript.outcome.output for trial in trials]
        share = max(outputs.count(output) for output in outputs) / len(outputs)
        return holds(share == 1, f"{len(set(outputs))} outputs", score=share)


GRADERS: dict[str, type[Grader]] = {
    kind.NAME: kind for kind in (Says, Is, Text, Calls, Raises, Same)
}


@pytest.fixture
def view() -> View:
    """Make a view of a trial."""

    def make(
        output: Any = UNSET,
        *,
        events: Sequence[Event] = (),
        case: Case | None = None,
        stop: Stop = "completed",
        trust: Trust = "observed",
        observes: tuple[Channel, ...] = (),
        **outcome: Any,
    ) -> TrialView:
        case = case or Case(id="c", input={"n": 1})
        return TrialView(
            case=case,
            transcript=Transcript(
                case=case.id,
                events=tuple(events),
                outcome=Outcome(output=output, **outcome),
                observes=observes,
            ),
            stop=stop,
            trust=trust,
            settings=GradingSettings(),
        )

    return make


@pytest.fixture
def ready(tmp_path: Path) -> Ready:
    """Make a check ready, against the graders of this file."""

    def make(check: Check, in_list: CheckList = "expect") -> ReadyCheck:
        return make_ready(check, in_list, GRADERS, GradingSettings(folder=tmp_path))

    return make
