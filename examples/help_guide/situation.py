"""Where a user stands: everything the guide knows when it is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from language import Language, reply_language
from readiness import Readiness

Analysis: TypeAlias = Literal["none", "running", "done"]
ANALYSES: tuple[Analysis, ...] = ("none", "running", "done")


@dataclass(frozen=True, slots=True)
class Turn:
    """One earlier message of the chat."""

    role: Literal["user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Situation:
    """A request for help. `message` is None where the help button was pressed."""

    analysis: Analysis
    dataset: str | None
    goal: str | None
    readiness: Readiness
    history: tuple[Turn, ...]
    message: str | None
    language: Language

    @property
    def first_visit(self) -> bool:
        """Whether there is nothing to look back on: no analysis, and no answer so far."""
        return self.analysis == "none" and all(turn.role != "assistant" for turn in self.history)


def situation_of(request: Mapping[str, Any]) -> Situation:
    """Read a request {state, report_ready {ready, missing}, history, message}.

    Raises ValueError where the state of the analysis or a missing code is unknown.
    """
    state = request.get("state") or {}
    analysis = state.get("analysis", "none")
    if analysis not in ANALYSES:
        raise ValueError(f"unknown state of the analysis {analysis!r} (known: {ANALYSES})")
    history = list(request.get("history") or [])
    message = (request.get("message") or "").strip() or None
    turns = [Turn(turn["role"], turn["content"]) for turn in history]
    if message and turns and turns[-1] == Turn("user", message):
        turns.pop()
    return Situation(
        analysis=analysis,
        dataset=state.get("dataset"),
        goal=state.get("goal"),
        readiness=Readiness.of(request.get("report_ready") or {}),
        history=tuple(turns),
        message=message,
        language=reply_language(message, history),
    )
