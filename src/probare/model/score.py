"""Scores, the decision, the summary: what `summary.json` keeps (DESIGN sections 6 and 7)."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec

from probare.model.record import CaseStatus

DecisionWord: TypeAlias = Literal["passed", "failed", "incomplete"]


class Rate(msgspec.Struct, frozen=True, kw_only=True):
    """A share with all that is needed to judge it.

    `value` = numerator / denominator is the worst case: what is not graded counts as not
    passed; `best` counts it as passed. Numerators may be fractions. `interval` is at 95 %,
    by `method` (`wilson`, `clopper-pearson`); all null where the denominator is 0, with
    `why` saying so. planned, run and graded count the units (cases or trials).
    """

    value: float | None
    best: float | None
    numerator: float
    denominator: float
    planned: int
    run: int
    graded: int
    interval: tuple[float, float] | None
    method: str | None
    why: str | None = None


class Gap(msgspec.Struct, frozen=True, kw_only=True):
    """carried_over − held_out, with its Newcombe interval; null where one side is empty."""

    value: float | None
    interval: tuple[float, float] | None
    method: str | None
    words: str | None = None


class Compliance(msgspec.Struct, frozen=True, kw_only=True):
    """The share of cases whose every rule held, split by where the case comes from."""

    all: Rate
    held_out: Rate
    carried_over: Rate
    gap: Gap


class Scores(msgspec.Struct, frozen=True, kw_only=True):
    """A suite's scores. `pass_at` and `pass_hat` map k (as text) to their mean over cases."""

    accuracy: Rate
    safety: Rate
    overall: float | None
    pass_rate: Rate
    compliance: Compliance
    pass_at: dict[str, Rate]
    pass_hat: dict[str, Rate]


class Counts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=False):
    """How many cases (or trials, where `flaky` is null) stand where."""

    planned: int
    run: int
    graded: int
    passed: int
    failed: int
    errored: int
    ungraded: int
    needs_review: int
    flaky: int | None = None


class CaseSummary(msgspec.Struct, frozen=True, kw_only=True):
    """One case: its status and scores over its planned trials `n`, of which `c` passed.

    `trials` is n, of which `run` ran and `graded` passed or failed; `accuracy` and `safety` are
    worst-case means over the trials; `pass_at` and `pass_hat` map k to a value, null where n < k
    and where no trial can pass by itself. `digest` is the case's content digest, `graders` one
    of the names and versions of its graders, null where that is not known.
    """

    status: CaseStatus
    trials: int
    run: int
    passed: int
    accuracy: float | None
    safety: float | None
    overall: float | None
    pass_rate: float | None
    pass_at: dict[str, float | None]
    pass_hat: dict[str, float | None]
    avg_duration_ms: float | None
    category: str | None
    tags: tuple[str, ...]
    split: str
    review: str
    digest: str
    graded: int | None = None
    graders: str | None = None


class GroupSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The cases of one tag or category. `words` says a hill's saturation, a fall, a trend."""

    cases: Counts
    scores: Scores
    words: str | None = None


class Regression(msgspec.Struct, frozen=True, kw_only=True):
    """Something that fell against the baseline: a case's status or a score."""

    what: str
    score: str
    baseline: float | str | None
    now: float | str | None
    drop: float | None
    words: str


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """The one object that drives terminal, reports and exit code."""

    decision: DecisionWord
    exit_code: int
    why: tuple[str, ...]


class OptionalCheck(msgspec.Struct, frozen=True, kw_only=True):
    """An optional check beside the trials' statuses: its own answers, and how often it agrees.

    `agree` and `disagree` count the trials where both are decided; `passed_in_failed` and
    `failed_in_passed` are the two ways to disagree; `other` counts the trials where the check
    gave no pass or fail.
    """

    passed: int
    failed: int
    other: int
    agree: int
    disagree: int
    passed_in_failed: int = 0
    failed_in_passed: int = 0


class JudgeSpending(msgspec.Struct, frozen=True, kw_only=True):
    """What judges used, apart from the agent: `replies`, and tokens and cost in US dollars, each
    null where a reply did not tell.
    """

    replies: int
    tokens: int | None
    cost_usd: float | None


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """`summary.json`. `decision` is passed, failed or incomplete; `why` says it in words."""

    suite: str
    run_id: str
    target: str
    trust: str
    decision: DecisionWord
    exit_code: int
    why: tuple[str, ...]
    cases: Counts
    trials: Counts
    scores: Scores
    by_tag: dict[str, GroupSummary]
    by_category: dict[str, GroupSummary]
    per_case: dict[str, CaseSummary]
    regressions: tuple[Regression, ...]
    duration_ms: float
    cost_usd: float | None
    tokens: int | None
    optional_checks: dict[str, OptionalCheck] = {}
    notes: tuple[str, ...] = ()
    baseline: dict[str, Any] | None = None
    judges: JudgeSpending | None = None


class BaselineCase(msgspec.Struct, frozen=True, kw_only=True):
    """What a baseline remembers of a case: n planned trials, of which `graded` passed or failed
    and c passed, and its scores.
    """

    digest: str
    status: CaseStatus
    n: int
    c: int
    graded: int | None = None
    accuracy: float | None = None
    safety: float | None = None
    overall: float | None = None
    graders: str | None = None


class Baseline(msgspec.Struct, frozen=True, kw_only=True):
    """`baseline.json`, beside the suite, small and made to be committed.

    `graders` is a digest over the names and versions of the graders used.
    """

    run_id: str
    suite: str
    suite_digest: str
    target: str
    created: str
    accuracy: float | None
    safety: float | None
    overall: float | None
    cases: dict[str, BaselineCase]
    graders: str | None = None
    format: int = 1


class DiffCase(msgspec.Struct, frozen=True, kw_only=True):
    """A case in both runs: (passed, graded) trials before and after; `p` is Fisher's, adjusted.

    Where a case-wide check failed, all trials count as failed.
    """

    case: str
    before: tuple[int, int]
    after: tuple[int, int]
    p: float | None = None


class Diff(msgspec.Struct, frozen=True, kw_only=True):
    """Two runs, paired by case id and content digest.

    `answer` is at α 0.05, one-sided. `smallest_drop` is the least fall of the pass rate that
    could have been significant; null where none could. `changed` (another digest), `added`,
    `removed`, `regraded` (another grader version) and `undecided` (errored, unknown or ungraded
    in either run) cases are kept out of the comparison.
    """

    before: str
    after: str
    answer: Literal["regressed", "no regression seen", "inconclusive"]
    words: str
    test: str
    p: float | None
    smallest_drop: float | None
    pairs: int
    pass_rate_before: float | None
    pass_rate_after: float | None
    fell: tuple[DiffCase, ...]
    rose: tuple[DiffCase, ...]
    significant: tuple[str, ...]
    changed: tuple[str, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    regraded: tuple[str, ...]
    undecided: tuple[str, ...]
    by_tag: dict[str, tuple[float | None, float | None]] = {}
