"""What is left at the end of a trial, and the transcript it closes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET

from probare.model.event import Channel, Event, Usage

Stop: TypeAlias = Literal["completed", "timeout", "limit", "target_error", "infra_error"]


class Outcome(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Output, final state, artifacts.

    `output` is any JSON value. UNSET and null mean that there is none; 0, false and "" are
    outputs. `recorded` is what a recording says about itself (a reward, a score).
    `truncated` says that the output was cut, by a broken stream or by a limit.
    """

    output: Any = UNSET
    state: Any = UNSET
    artifacts: tuple[str, ...] = ()
    recorded: Any = UNSET
    truncated: bool = False


class UsageTotal(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Tokens and money of a trial. Each is null where any part of it is unknown."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    cost_usd: float | None = None

    @property
    def total_tokens(self) -> int | None:
        """Input and output together; cached tokens are inside the input."""
        if self.input_tokens is None or self.output_tokens is None:
            return None
        return self.input_tokens + self.output_tokens


class Transcript(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A line of `transcripts.jsonl`: everything that happened in one trial.

    `observes` names the kinds of act that the harness (or the recording) would have seen, so
    that the absence of an event means something. What is not named there is not observable.
    `salt` is random, so that the line cannot be guessed from a proof about another.
    """

    case: str
    trial: int = 0
    events: tuple[Event, ...] = ()
    outcome: Outcome = Outcome()
    observes: tuple[Channel, ...] = ()
    salt: str = ""


SIMULATED = "simulated"
"""The attribute of what a simulated user says and uses: its own, not the agent's."""


def agent_usage(events: Iterable[Event]) -> UsageTotal | None:
    """Add up the usage events that are the agent's own; None where there is none."""
    return total_usage(event for event in events if not event.attributes.get(SIMULATED))


def total_usage(events: Iterable[Event]) -> UsageTotal | None:
    """Add up all usage events, a simulated user's too; None where there is none."""
    usages = [event for event in events if isinstance(event, Usage)]
    if not usages:
        return None

    def add(values: list[int | None]) -> int | None:
        known = [value for value in values if value is not None]
        return sum(known) if known and len(known) == len(values) else None

    costs = [u.cost_usd for u in usages]
    known_costs = [cost for cost in costs if cost is not None]
    return UsageTotal(
        input_tokens=add([u.input_tokens for u in usages]),
        output_tokens=add([u.output_tokens for u in usages]),
        cached_tokens=sum(u.cached_tokens or 0 for u in usages) or None,
        cost_usd=sum(known_costs) if known_costs and len(known_costs) == len(costs) else None,
    )
