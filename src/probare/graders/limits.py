"""Limits on time, money and tokens. What was not measured is an error, never within a limit."""

from __future__ import annotations

import math
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from probare.encoding.durations import parse_duration
from probare.errors import GraderError
from probare.model.event import Usage
from probare.model.outcome import UsageTotal, agent_usage
from probare.model.verdict import Verdict
from probare.ports.grader import Grader, TrialView, holds, unknown

_CLAIMED = (
    "the usage is the agent's own claim, not observed (declare `trust: claimed` to accept it)"
)


class _MaxTime(Grader, frozen=True, kw_only=True):
    MAIN: ClassVar[str | None] = "limit"
    LOOKS_AT: ClassVar[str | None] = None

    limit: float | str

    def __post_init__(self) -> None:
        parse_duration(self.limit)

    def _within(self, taken_ms: float | None, what: str, missing: str, trial: TrialView) -> Verdict:
        if any(event.source == "replayed" for event in trial.transcript.events):
            raise GraderError(
                "not observable: the trial is replayed, and its time would be the replay's"
            )
        if taken_ms is None:
            raise GraderError(f"not observable: {missing}")
        limit_ms = round(1000 * parse_duration(self.limit), 6)
        relation = "within" if taken_ms <= limit_ms else "over"
        reason = f"{what} {taken_ms:,.1f} ms, {relation} the limit of {limit_ms:,.6g} ms"
        return holds(taken_ms <= limit_ms, reason)


class MaxLatency(_MaxTime, frozen=True, kw_only=True):
    """The trial took at most so long: seconds, or text such as `500ms`, `2s`, `1m`.

    Of a trial that was tried again, the last attempt counts. A trial that is replayed from a
    recording has no time of its own: error.
    """

    NAME: ClassVar[str] = "max_latency"

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Compare the trial's duration."""
        missing = "the trial's duration is unknown"
        return self._within(trial.duration_ms, "the trial took", missing, trial)


class MaxFirstToken(_MaxTime, frozen=True, kw_only=True):
    """The first piece of the answer came within so long: seconds, or text such as `500ms`.

    A target that does not stream has no first piece, and a trial that is replayed from a
    recording no time of its own: error.
    """

    NAME: ClassVar[str] = "max_first_token"

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Compare the time to the first piece."""
        missing = "the time to the first piece is unknown (the target did not stream)"
        return self._within(trial.first_token_ms, "the first piece came after", missing, trial)


class MaxCost(Grader, frozen=True, kw_only=True):
    """The trial's model calls cost at most so many US dollars.

    An unknown price of any call is an error, never 0. The last digits of a sum (0.1 + 0.2) are
    forgiven. What the agent says of its own spending is a claim: unknown, unless the target
    declares `trust: claimed`.
    """

    NAME: ClassVar[str] = "max_cost"
    MAIN: ClassVar[str | None] = "limit"
    LOOKS_AT: ClassVar[str | None] = None

    limit: Annotated[float, Meta(ge=0)]

    def __post_init__(self) -> None:
        """Refuse a limit that every cost meets."""
        if not math.isfinite(self.limit):
            raise ValueError("`limit` is no finite number")

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Add up the costs."""
        if _only_claimed(trial):
            return unknown(_CLAIMED)
        cost = _usage(trial).cost_usd
        if cost is None:
            raise GraderError("not observable: the cost of a model call is unknown")
        within = cost <= self.limit or math.isclose(cost, self.limit, rel_tol=1e-9)
        relation = "within" if within else "over"
        reason = f"cost ${cost:.6g}, {relation} the limit of ${self.limit:.6g}{_by_whom(trial)}"
        return holds(within, reason)


class MaxTokens(Grader, frozen=True, kw_only=True):
    """The trial's model calls used at most so many tokens, input and output together.

    Cached tokens are inside the input and count once. An unknown part is an error. What the
    agent says of its own use is a claim: unknown, unless the target declares `trust: claimed`.
    """

    NAME: ClassVar[str] = "max_tokens"
    MAIN: ClassVar[str | None] = "limit"
    LOOKS_AT: ClassVar[str | None] = None

    limit: Annotated[int, Meta(ge=0)]

    def grade(self, seen: Any, trial: TrialView) -> Verdict:
        """Add up the tokens."""
        if _only_claimed(trial):
            return unknown(_CLAIMED)
        used = _usage(trial).total_tokens
        if used is None:
            raise GraderError("not observable: the tokens of a model call are unknown")
        relation = "within" if used <= self.limit else "over"
        reason = f"{used:,} tokens, {relation} the limit of {self.limit:,}{_by_whom(trial)}"
        return holds(used <= self.limit, reason)


def _usage(trial: TrialView) -> UsageTotal:
    usage = agent_usage(trial.transcript.events)
    if usage is None:
        raise GraderError("not observable: the trial recorded no usage of a model")
    return usage


def _claimed(trial: TrialView) -> bool:
    usages = [event for event in trial.transcript.events if isinstance(event, Usage)]
    return any(event.source == "claimed" for event in usages)


def _only_claimed(trial: TrialView) -> bool:
    """Whether figures are the agent's own, and the target does not ask that they be believed."""
    return trial.trust != "claimed" and _claimed(trial)


def _by_whom(trial: TrialView) -> str:
    """Say where the figures are the agent's own."""
    return ", as the agent reports" if _claimed(trial) else ""


GRADERS: tuple[type[Grader], ...] = (MaxLatency, MaxFirstToken, MaxCost, MaxTokens)
