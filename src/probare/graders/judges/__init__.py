"""Graders that ask a model: the question, whom it is asked, and how the reply is read."""

from probare.graders.judges.dimensions import JudgeDimensions
from probare.graders.judges.facts import JudgeFacts
from probare.graders.judges.graded import JudgeChoice, JudgeRubric, JudgeYesNo
from probare.graders.judges.pairwise import JudgePairwise
from probare.ports.grader import Grader

GRADERS: tuple[type[Grader], ...] = (
    JudgeRubric,
    JudgeYesNo,
    JudgeChoice,
    JudgeFacts,
    JudgePairwise,
    JudgeDimensions,
)
