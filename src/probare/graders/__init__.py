"""The graders that come with Probare, one file a family; `CORE` is all of them."""

from probare.graders import (
    banned,
    fields,
    grounding,
    json_values,
    judge,
    language,
    limits,
    numbers,
    overlap,
    python,
    regexes,
    similarity,
    state,
    suspected,
    text,
    tools,
    traces,
    trajectory,
)
from probare.ports.grader import Grader

CORE: tuple[type[Grader], ...] = (
    *text.GRADERS,
    *regexes.GRADERS,
    *similarity.GRADERS,
    *numbers.GRADERS,
    *language.GRADERS,
    *banned.GRADERS,
    *overlap.GRADERS,
    *grounding.GRADERS,
    *json_values.GRADERS,
    *fields.GRADERS,
    *limits.GRADERS,
    *tools.GRADERS,
    *trajectory.GRADERS,
    *traces.GRADERS,
    *state.GRADERS,
    *suspected.GRADERS,
    *judge.GRADERS,
    *python.GRADERS,
)
