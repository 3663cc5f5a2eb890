"""What people say of a trial: items of the queue, drafts, reviews, and the log of it all.

An item is one trial of one case of one run. Times are UTC in ISO 8601. A score is a level of the
rubric's dimension, or "unsure".
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec

from probare.encoding import digest

Role: TypeAlias = Literal["reviewer", "adjudicator", "lead", "auditor"]
Meaning: TypeAlias = Literal["reviewed", "adjudicated"]
LevelScore: TypeAlias = int | Literal["unsure"]
ItemState: TypeAlias = Literal["waiting", "in_review", "adjudication", "done"]
ItemResult: TypeAlias = Literal["passed", "failed", "unsure", "incomplete"]
Rule: TypeAlias = Literal[
    "asked",
    "tagged",
    "failed",
    "errored",
    "undecided",
    "judge_unknown",
    "judges_disagree",
    "suspected_phi",
    "near_threshold",
    "sampled",
]
RULES: tuple[Rule, ...] = (
    "asked",
    "tagged",
    "failed",
    "errored",
    "undecided",
    "judge_unknown",
    "judges_disagree",
    "suspected_phi",
    "near_threshold",
    "sampled",
)


class Person(msgspec.Struct, frozen=True):
    """Who acts, and in which role."""

    name: str
    role: Role


class Reason(msgspec.Struct, frozen=True):
    """Why an item is in the queue: the rule, and what it found, in words."""

    rule: Rule
    words: str


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """A trial that the rules send to people.

    `transcript` is the SHA-256 of its line. `priority` counts from 1, the first. `overlap` is how
    many reviewers it needs; scores further apart than `distance` need an adjudicator.
    """

    case: str
    trial: int
    transcript: str
    reasons: tuple[Reason, ...]
    priority: int = 3
    due: str | None = None
    overlap: int = 1
    distance: int = 1


class Assignment(msgspec.Struct, frozen=True, kw_only=True):
    """Who is to review (or to adjudicate) an item, since when, and by whom it was given.

    `submitted` says that their review is in.
    """

    item: str
    person: str
    purpose: Meaning
    by: str
    at: str
    submitted: bool = False


class QueueItem(msgspec.Struct, frozen=True, kw_only=True):
    """An item as it stands. `rubric` is the digest of the one to use; `reviews_in` counts the
    reviewers whose review is in, of the `overlap` that are needed.
    """

    id: str
    run: str
    case: str
    trial: int
    transcript: str
    rubric: str
    reasons: tuple[Reason, ...]
    priority: int
    due: str | None
    overlap: int
    distance: int
    state: ItemState = "waiting"
    reviews_in: int = 0
    assigned: tuple[Assignment, ...] = ()


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """Scores and comments that are not submitted. `rubric` and `transcript` are the digests of
    those that it was begun with.
    """

    item: str
    person: str
    purpose: Meaning
    rubric: str
    transcript: str
    scores: dict[str, LevelScore]
    comments: dict[str, str]
    saved: str


class Submission(msgspec.Struct, frozen=True, kw_only=True):
    """What a person submits: a score for each dimension, and comments by dimension ("" for the
    whole). `rubric` and `transcript` are the digests of those that the person saw. `excerpt` is
    what an incident shows as evidence, where a score opens one.
    """

    item: str
    rubric: str
    transcript: str
    scores: dict[str, LevelScore]
    comments: dict[str, str] = {}
    meaning: Meaning = "reviewed"
    excerpt: str = ""


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """A review as it was submitted; it never changes.

    `supersedes` is the review of the same person that this one corrects. `blind` says that its
    author could not see the verdicts or the scores of others before. `settles` are the reviews
    that an adjudication decides between. `entered_by` is who imported it.
    """

    id: str
    item: str
    run: str
    case: str
    trial: int
    reviewer: str
    role: Role
    when: str
    meaning: Meaning
    rubric_id: str
    rubric_version: str
    rubric: str
    transcript: str
    scores: dict[str, LevelScore]
    comments: dict[str, str]
    supersedes: str | None = None
    settles: tuple[str, ...] = ()
    blind: bool = True
    entered_by: str | None = None


class QueuedRecord(msgspec.Struct, frozen=True, kw_only=True):
    """An item as it was queued, or queued anew for another transcript or rubric."""

    item: str
    run: str
    case: str
    trial: int
    transcript: str
    rubric: str
    reasons: tuple[Reason, ...]
    overlap: int
    distance: int
    who: str
    role: Role
    when: str


class UnblindedRecord(msgspec.Struct, frozen=True, kw_only=True):
    """Who chose to see the verdicts and scores of an item that was still blind, and so gave up
    reviewing it.
    """

    item: str
    who: str
    role: Role
    when: str
    why: str


class Disagreement(msgspec.Struct, frozen=True, kw_only=True):
    """A dimension that reviewers do not settle among themselves, and why."""

    dimension: str
    words: str


class ItemOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """What reviews come to for one item.

    `result` is the rubric's pass rule over `scores`, or incomplete while reviews are missing or
    an adjudication is due. `scores` has a dimension only once it is settled. `decided_by` says
    whether the reviews or an adjudication settled it; `reviews` are the ids that count.
    """

    item: str
    run: str
    case: str
    trial: int
    state: ItemState
    result: ItemResult
    scores: dict[str, LevelScore]
    decided_by: Meaning | None
    reviews: tuple[str, ...]
    needed: int
    disagreements: tuple[Disagreement, ...] = ()


RecordKind: TypeAlias = Literal["rubric", "queued", "review", "incident", "unblinded"]


class LogRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the review log (`reviews.jsonl`): record number `seq`, from 0, of its run.

    `prev` is the hash of the record before it; `hash` is the SHA-256 of this one without `hash`.
    """

    seq: int
    run: str
    kind: RecordKind
    body: dict[str, Any]
    prev: str
    hash: str


class LogFinding(msgspec.Struct, frozen=True):
    """What is wrong with a review log, and with which record of it (from 0), where with one."""

    words: str
    record: int | None = None

    def __str__(self) -> str:
        return self.words if self.record is None else f"record {self.record}: {self.words}"


def item_id(run: str, case: str, trial: int) -> str:
    """Return an item's id: 16 hex digits that follow from its run, case and trial."""
    return digest.of_value([run, case, trial])[:16]
