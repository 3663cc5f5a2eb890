"""A grader, a target and criteria of a third party, found by entry point."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec

import probare
from probare.model.outcome import Outcome
from probare.model.suite import TargetSpec
from probare.ports.target import Services, TrialCall, TrialRecorder


@probare.grader("shouts", version="7")
def shouts(text: str, *, marks: int = 1) -> tuple[bool, str]:
    """The text ends with so many exclamation marks."""
    found = len(text) - len(text.rstrip("!"))
    return found >= marks, f"{found} exclamation marks"


class ParrotSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`parrot`: what is added to every input."""

    parrot: str


class Parrot:
    """Says its input, with an addition."""

    def __init__(self, addition: str) -> None:
        self._addition = addition

    async def open(self, services: Services) -> None:
        """Nothing to open."""

    def recorder(self) -> probare.Recorder:
        """Return a recorder."""
        return probare.Recorder()

    async def run(self, call: TrialCall, recorder: TrialRecorder) -> None:
        """Say it."""
        assert isinstance(recorder, probare.Recorder)
        recorder.finish(Outcome(output=f"{call.case.input}{self._addition}"))

    async def close(self) -> None:
        """Nothing to close."""


class ParrotKind:
    """The adapter's face in the catalogue."""

    name: ClassVar[str] = "parrot"
    settings: ClassVar[type[msgspec.Struct]] = ParrotSettings

    def build(self, spec: TargetSpec, settings: Any) -> Parrot:
        """Return the target."""
        return Parrot(settings.parrot)


GRADERS = [shouts]
PARROT = ParrotKind()
CRITERIA = {
    "pass": {"The answer shouts": {"shouts": {"marks": "$input.marks"}}},
    "fail": {"The answer shouts too loud": {"shouts": 9}},
}
