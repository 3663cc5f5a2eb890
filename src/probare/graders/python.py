"""The grader `python`: a function of the suite's own."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, cast

import msgspec

from probare.errors import GraderError
from probare.graders import answers
from probare.grading import usercode
from probare.model.verdict import Verdict
from probare.ports.grader import Grader, TrialView


class Python(Grader, frozen=True, kw_only=True):
    """A function says whether it holds: `module:function`, looked up beside the suite first.

    It is called with what the check looks at, and with the check's other arguments by name
    (`python: {function: "checks:polite", strict: true}`); an argument named like one of this
    grader's own goes into `kwargs`. If it names a parameter `trial` it gets the trial too.
    Coroutine functions are awaited.

    It returns true or false; or a score from 0 to 1, which passes from the check's `threshold`
    on, and without one at 1 only; or (answer, reason); or a Verdict. None, any other value and
    an exception are errors, never a pass.
    """

    NAME: ClassVar[str] = "python"
    MAIN: ClassVar[str | None] = "function"
    BLOCKING: ClassVar[bool] = True
    OPEN: ClassVar[str | None] = "kwargs"

    function: str
    kwargs: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])

    def __post_init__(self) -> None:
        """Refuse what names no function. The module is imported when it is first asked."""
        module, _, name = self.function.partition(":")
        if not all(part.isidentifier() for part in [*module.split("."), *name.split(".")]):
            raise ValueError(f"'{self.function}' is not of the form module:function")

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Call the function, and read its answer."""
        function, takes_trial = _loaded(self.function, trial.settings.folder)
        kwargs = {**self.kwargs, "trial": trial} if takes_trial else self.kwargs
        return answers.ask(function, (seen,), kwargs, self.function)


@lru_cache(maxsize=64)
def _loaded(reference: str, folder: Path | None) -> tuple[Any, bool]:
    """Return the function, and whether it is given the trial."""
    found = usercode.load(reference, folder)
    if not callable(found):
        kind = type(cast("object", found)).__name__
        raise GraderError(f"{reference} is {kind}, which cannot be called")
    return found, answers.takes_trial(found)


GRADERS: tuple[type[Grader], ...] = (Python,)
