"""Verdicts: what a grader says, and what a record keeps of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import msgspec

from probare.model.judged import JudgeReply

Result: TypeAlias = Literal["pass", "fail", "error", "skipped", "unknown"]
CheckList: TypeAlias = Literal["expect", "forbid"]


class Span(msgspec.Struct, frozen=True):
    """A stretch of the text looked at: `start` and `end` in characters, end excluded."""

    start: int
    end: int


class Verdict(msgspec.Struct, frozen=True, omit_defaults=True):
    """A grader's answer.

    `result` says whether the grader's statement holds. `score` is in [0, 1] or null. `reason`
    states what was found, as a fact. `spans` point into the text that was looked at. `judged` are
    the replies of the models that were asked.
    """

    result: Result
    score: float | None = None
    reason: str = ""
    spans: tuple[Span, ...] = ()
    judged: tuple[JudgeReply, ...] = ()


# what people said of a trial, among its verdicts: always the last
HUMAN_REVIEW = "human_review"


class CheckVerdict(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A verdict as recorded: after polarity, so that pass is good, with its check's identity."""

    label: str
    grader: str
    grader_version: str
    list: CheckList
    result: Result
    score: float | None = None
    reason: str = ""
    spans: tuple[Span, ...] = ()
    weight: float = 1.0
    required: bool = True
    judged: tuple[JudgeReply, ...] = ()


def people_verdict(verdicts: Sequence[CheckVerdict]) -> CheckVerdict | None:
    """Return what people said of a trial; None where they have not."""
    if verdicts and verdicts[-1].grader == HUMAN_REVIEW:
        return verdicts[-1]
    return None
