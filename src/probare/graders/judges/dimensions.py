"""`judge_rubric`: each dimension of a rubric asked alone, then the rubric's own pass rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

import msgspec

from probare.errors import GraderError, did_you_mean
from probare.graders.judges.asking import Votes
from probare.graders.judges.judging import (
    Judge,
    Name,
    Referring,
    judged_part,
    menu_question,
    refuse_template,
    with_reference,
)
from probare.graders.judges.menus import UNKNOWN, numbered
from probare.graders.judges.replies import Answer
from probare.model.judged import Means
from probare.model.rubric import Dimension, Rubric
from probare.model.verdict import Verdict
from probare.ports.grader import FileKind, TrialView


class JudgeDimensions(Referring, frozen=True, kw_only=True):
    """A model scores the answer by a rubric of dimensions (a YAML or JSON file beside the suite),
    each asked alone, and the rubric's pass rule is met.

    `dimensions` are those that are judged, all of them where it is empty. A dimension below its
    level fails; else one that could not be judged is an error, one that the judge is unsure of
    unknown. The score is the share of dimensions that pass. Of several votes on a dimension, more
    than half have to agree that it passes or fails; its level is their lower median.
    """

    NAME: ClassVar[str] = "judge_rubric"
    MAIN: ClassVar[str | None] = "rubric"
    FILES: ClassVar[Mapping[str, FileKind]] = {"rubric": "rubric"}

    rubric: Name | dict[str, Any]
    dimensions: tuple[Name, ...] = ()

    def __post_init__(self) -> None:
        """Refuse dimensions that the rubric does not have, and templates in its questions. A
        rubric that is still as a file has it, or a file's name, is read by loading.
        """
        Judge.__post_init__(self)
        if isinstance(self.rubric, str) or "id" not in self.rubric:
            return
        rubric = msgspec.convert(self.rubric, Rubric)
        known = [each.id for each in rubric.dimensions]
        for name in self.dimensions:
            if name not in known:
                hint = did_you_mean(name, known) or f"there are: {', '.join(known)}"
                raise ValueError(f"the rubric has no dimension '{name}' ({hint})")
        for each in rubric.dimensions:
            refuse_template(each.question)

    def judge(self, seen: Any, trial: TrialView) -> Verdict:
        """Ask for the level of each dimension."""
        if isinstance(self.rubric, str) or "id" not in self.rubric:
            raise GraderError("the rubric was not read with the suite")
        rubric = msgspec.convert(self.rubric, Rubric)
        wanted = self.dimensions or [each.id for each in rubric.dimensions]
        asked = {
            each.id: self._asked(rubric, each, seen, trial)
            for each in rubric.dimensions
            if each.id in wanted
        }
        means: list[Means] = [votes.tally.means for votes in asked.values()]
        result = _together(means)
        decided = all(each in ("pass", "fail") for each in means)
        score = means.count("pass") / len(means) if decided else None
        reason = "; ".join(f"{name} {_told(votes)}" for name, votes in asked.items())
        return Verdict(
            result,
            score,
            f"rubric {rubric.id} version {rubric.version}: {reason}",
            judged=tuple(reply for votes in asked.values() for reply in votes.replies),
        )

    def _asked(self, rubric: Rubric, dimension: Dimension, seen: Any, trial: TrialView) -> Votes:
        menu = numbered({each.level: each.text for each in dimension.levels})
        given = self.given(trial)
        words = f"Score the text `answer` in one respect only, {dimension.name}:\n"
        words = with_reference(words + dimension.question, given)
        parts = (*given, *judged_part(seen, trial))
        question, form = menu_question(words, menu, parts, asked=dimension.id)

        def meaning(answer: Answer) -> Literal["pass", "fail", "unknown"]:
            level = None if answer.word == UNKNOWN else int(answer.word)
            return rubric.dimension_result(dimension.id, level)

        return self.ask(trial, question, form, meaning)


_ORDER: tuple[Means, ...] = ("fail", "error", "unknown")


def _together(means: Sequence[Means]) -> Means:
    for word in _ORDER:
        if word in means:
            return word
    return "pass"


def level_of(votes: Votes) -> int | None:
    """Return the level that votes come to, their lower median; None where they decide nothing."""
    if votes.tally.means not in ("pass", "fail"):
        return None
    words = [vote.answer.word for vote in votes.votes if vote.answer is not None]
    levels = sorted(int(word) for word in words if word != UNKNOWN)
    return levels[(len(levels) - 1) // 2]


def _told(votes: Votes) -> str:
    level = level_of(votes)
    shown = votes.tally.means if level is None else str(level)
    return f"{shown} ({votes.reason()})"
