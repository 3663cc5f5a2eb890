"""The state of the world that the agent left behind."""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec import UNSET

from probare.errors import GraderError
from probare.graders import compare
from probare.graders.compare import shown
from probare.graders.fields import parsed
from probare.grading import placeholders
from probare.model.event import Channel
from probare.model.verdict import Verdict
from probare.ports.grader import Grader, TrialView, holds


class StateEquals(Grader, frozen=True, kw_only=True):
    """The final state, or what `path` leads to in it, equals a JSON value.

    Compared as by `equals`: numbers as numbers, true is not 1, "12" is not 12. A path that leads
    nowhere fails, also where `value` is null; where no state was recorded at all it is an error.
    A state that only the agent tells of is a claim, and the answer unknown (`trust: claimed` in
    the target says otherwise).
    """

    NAME: ClassVar[str] = "state_equals"
    MAIN: ClassVar[str | None] = "value"
    LOOKS_AT: ClassVar[str | None] = "$state"
    EVIDENCE: ClassVar[tuple[Channel, ...]] = ("state",)

    value: Any
    path: str | None = None

    def __post_init__(self) -> None:
        """Refuse a path that is none."""
        if self.path is not None:
            parsed(self.path)

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Follow the path and compare; the reason names the first difference."""
        if seen is UNSET:
            raise GraderError("there is no state to look at")
        value, what = seen, "the state"
        if self.path is not None:
            what = f"state {self.path}"
            try:
                value = placeholders.walk(seen, parsed(self.path))
            except GraderError as error:
                return holds(False, f"no {what}: {error}")
        if compare.same(self.value, value):
            return holds(True, f"{what} equals {shown(self.value)}")
        return holds(False, f"{what}: {compare.difference(self.value, value)}")


GRADERS: tuple[type[Grader], ...] = (StateEquals,)
