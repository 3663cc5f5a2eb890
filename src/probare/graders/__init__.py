"""The core graders, one module a family."""

from __future__ import annotations

from probare.graders import language, numbers, regexes, similarity, text
from probare.ports.grader import Grader

CORE: tuple[type[Grader], ...] = (
    *text.GRADERS,
    *regexes.GRADERS,
    *similarity.GRADERS,
    *numbers.GRADERS,
    *language.GRADERS,
)
