"""The graders that come with Probare, one file a family; `CORE` is all of them."""

from probare.graders import (
    fields,
    json_values,
    language,
    limits,
    numbers,
    python,
    regexes,
    similarity,
    text,
    tools,
)
from probare.ports.grader import Grader

CORE: tuple[type[Grader], ...] = (
    *text.GRADERS,
    *regexes.GRADERS,
    *similarity.GRADERS,
    *numbers.GRADERS,
    *language.GRADERS,
    *json_values.GRADERS,
    *fields.GRADERS,
    *limits.GRADERS,
    *tools.GRADERS,
    *python.GRADERS,
)
