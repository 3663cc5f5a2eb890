"""A model's judgement by a rubric, where there is a model to ask."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from msgspec import UNSET, Meta

from probare.errors import GraderError
from probare.model.verdict import Verdict
from probare.ports.grader import Grader, TrialView, unknown


class Judge(Grader, frozen=True, kw_only=True):
    """A model finds that the text meets the rubric. Where no model is set the answer is unknown,
    and goes to people: nobody judged it, so it is neither a pass nor a fail.

    The check's `threshold` is the least score with which it holds.
    """

    NAME: ClassVar[str] = "judge"
    MAIN: ClassVar[str | None] = "rubric"

    rubric: Annotated[str, Meta(min_length=1)]

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Answer unknown, since no judge is set."""
        if seen is None or seen is UNSET:
            raise GraderError("there is nothing to judge", hint="it is null or absent")
        return unknown("no model is set to judge by the rubric, so people have to")


GRADERS: tuple[type[Grader], ...] = (Judge,)
