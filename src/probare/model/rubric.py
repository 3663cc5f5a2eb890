"""A rubric: how people, and judges, score an answer, dimension by dimension.

Scores are the levels' whole numbers. A dimension that its scorer is unsure of has no score
(null), and an unsure dimension never passes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

import msgspec

from probare.encoding import digest

Opens: TypeAlias = Literal["incident_review", "legal_review", "investigation_note"]
RubricResult: TypeAlias = Literal["pass", "fail", "unknown"]


class Level(msgspec.Struct, frozen=True):
    """One level of a dimension: its number, and the sentence that says when it is given."""

    level: int
    text: str


class Dimension(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is scored by itself: a question and at least two levels, lowest first."""

    id: str
    name: str
    question: str
    levels: tuple[Level, ...]

    @property
    def lowest(self) -> int:
        """The least level."""
        return self.levels[0].level

    @property
    def highest(self) -> int:
        """The greatest level."""
        return self.levels[-1].level

    def has(self, level: int) -> bool:
        """Whether the scale has this level."""
        return any(each.level == level for each in self.levels)

    def share(self, level: int) -> float:
        """Return a level as a score in [0, 1]: (level − lowest) / (highest − lowest)."""
        return (level - self.lowest) / (self.highest - self.lowest)


class PassRule(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """When an answer passes: each dimension has at least this level.

    `dimensions` holds for those it names, `each_at_least` for the others; a dimension that
    neither says anything of may have any level.
    """

    each_at_least: int | None = None
    dimensions: dict[str, int] = {}

    def least(self, dimension: str) -> int | None:
        """Return the least level with which a dimension passes; None where any does."""
        return self.dimensions.get(dimension, self.each_at_least)


class Trigger(msgspec.Struct, frozen=True, kw_only=True):
    """A score of `dimension` at or under `at_most` opens an incident. `holds_gate` says whether
    this holds the gate until it is closed.
    """

    dimension: str
    at_most: int
    opens: Opens
    holds_gate: bool


class Rubric(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Dimensions, a pass rule (`pass` in files) and triggers, under an id and a version."""

    id: str
    version: str
    dimensions: tuple[Dimension, ...]
    pass_rule: PassRule = msgspec.field(name="pass")
    name: str = ""
    description: str = ""
    triggers: tuple[Trigger, ...] = ()

    @property
    def digest(self) -> str:
        """The SHA-256 of all that the rubric says, as lower-case hex."""
        return digest.of_value(self)

    def dimension(self, name: str) -> Dimension | None:
        """Return the dimension of that id, or None."""
        return next((each for each in self.dimensions if each.id == name), None)

    def dimension_result(self, name: str, level: int | None) -> RubricResult:
        """Say how one dimension came out; an unsure one (None) is unknown, whatever the rule."""
        if level is None:
            return "unknown"
        least = self.pass_rule.least(name)
        return "pass" if least is None or level >= least else "fail"

    def result(self, scores: Mapping[str, int | None]) -> RubricResult:
        """Apply the pass rule: one dimension under its level fails; else one that is unsure or
        missing leaves it unknown; else it passes.
        """
        found = {self.dimension_result(each.id, scores.get(each.id)) for each in self.dimensions}
        return "fail" if "fail" in found else "unknown" if "unknown" in found else "pass"

    def triggered(self, scores: Mapping[str, int | None]) -> tuple[Trigger, ...]:
        """Return the triggers that scores meet, in the rubric's order. Where several triggers of
        one dimension open the same kind of incident, the one with the least `at_most` counts.
        """
        met: dict[tuple[str, Opens], Trigger] = {}
        for each in self.triggers:
            score = scores.get(each.dimension)
            if score is None or score > each.at_most:
                continue
            known = met.get((each.dimension, each.opens))
            if known is None or each.at_most < known.at_most:
                met[each.dimension, each.opens] = each
        return tuple(each for each in self.triggers if each in met.values())
