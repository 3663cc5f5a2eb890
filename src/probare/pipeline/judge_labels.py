"""What people's label of an example is, for the check that is held against them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from probare.errors import InputError, did_you_mean
from probare.graders.judges.dimensions import JudgeDimensions
from probare.grading.ready import label_of
from probare.model.case import Check
from probare.model.labelled import Example
from probare.model.rubric import Rubric
from probare.model.verdict import CheckList
from probare.scoring.calibration import Label


class JudgeUse(msgspec.Struct, frozen=True):
    """A check that asks a judge, and the list that it stands in."""

    check: Check
    in_list: CheckList = "expect"

    @property
    def label(self) -> str:
        """The check's label."""
        return label_of(self.check)


class PassFrom(msgspec.Struct, frozen=True):
    """People's scores of one dimension as labels: from this level on they pass."""

    dimension: str
    level: int


class Labels:
    """What people's label of each example is: on the whole (""), and by dimension."""

    def __init__(self, use: JudgeUse, pass_from: PassFrom | None) -> None:
        self._turned = use.in_list == "forbid"
        self._pass_from = pass_from
        self._rubric: Rubric | None = None
        self._wanted: set[str] = set()
        if use.check.grader == JudgeDimensions.NAME and isinstance(use.check.args["rubric"], dict):
            self._rubric = msgspec.convert(use.check.args["rubric"], Rubric)
            every = [each.id for each in self._rubric.dimensions]
            self._wanted = set(use.check.args.get("dimensions") or every)

    def refuse_bad_scores(self, examples: Iterable[Example]) -> None:
        """Raise InputError on scores that no rubric explains, or that are no level of it."""
        for example in examples:
            if example.label is None and self._rubric is None and self._pass_from is None:
                raise InputError(
                    f"'{example.id}' has scores and no label, and the check has no rubric of "
                    "dimensions",
                    hint="say which scores pass: --dimension NAME --pass-from LEVEL",
                )
            if self._rubric is None:
                continue
            for name, score in example.scores.items():
                dimension = self._rubric.dimension(name)
                if dimension is None:
                    hint = did_you_mean(name, [each.id for each in self._rubric.dimensions])
                    message = f"'{example.id}': the rubric has no dimension '{name}'"
                    raise InputError(message, hint=hint)
                if score is not None and not dimension.has(score):
                    raise InputError(f"'{example.id}': {score} is no level of {name}")

    def of(self, example: Example) -> dict[str, Label | None]:
        """Return the labels of an example; null where people were unsure."""
        found: dict[str, Label | None] = {"": self._whole(example)}
        if self._rubric is not None:
            for name, score in example.scores.items():
                if name in self._wanted:
                    found[name] = _decisive(self._rubric.dimension_result(name, score))
        return found

    def _whole(self, example: Example) -> Label | None:
        if example.label is not None:
            return example.label
        said: Label | None = None
        if self._pass_from is not None:
            score = example.scores.get(self._pass_from.dimension)
            if score is not None:
                said = "pass" if score >= self._pass_from.level else "fail"
        elif self._rubric is not None:
            parts = {
                _decisive(self._rubric.dimension_result(name, example.scores.get(name)))
                for name in self._wanted
            }
            said = "fail" if "fail" in parts else None if None in parts else "pass"
        if said is not None and self._turned:
            return "fail" if said == "pass" else "pass"
        return said


def _decisive(result: Literal["pass", "fail", "unknown"]) -> Label | None:
    return None if result == "unknown" else result
