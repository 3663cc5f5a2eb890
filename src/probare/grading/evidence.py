"""Evidence: observed, claimed, or not observable (DESIGN section 4, decision 0003)."""

from __future__ import annotations

from collections.abc import Iterable

from probare.model.event import (
    Approval,
    Artifact,
    Attempt,
    Channel,
    Decision,
    EventBase,
    Message,
    Retrieval,
    StateChange,
    ToolCall,
    ToolResult,
)
from probare.model.verdict import Verdict
from probare.ports.grader import Grader, TrialView, unknown

_CHANNEL_OF: dict[type[EventBase], Channel] = {
    Message: "messages",
    ToolCall: "tools",
    ToolResult: "tools",
    Retrieval: "retrievals",
    Decision: "decisions",
    Approval: "approvals",
    Attempt: "attempts",
    Artifact: "artifacts",
    StateChange: "state",
}


def untrusted(kind: type[Grader], trial: TrialView) -> Verdict | None:
    """Return `unknown` where the evidence is only claimed, or could not have been seen."""
    return doubt(kind.EVIDENCE, trial)


def doubt(channels: Iterable[Channel], trial: TrialView) -> Verdict | None:
    """Return `unknown` where the events of these channels are only claimed, or could not have
    been seen; for graders whose arguments say which they read.
    """
    if trial.trust == "claimed":
        return None
    for channel in channels:
        found = [e for e in trial.transcript.events if _CHANNEL_OF.get(type(e)) == channel]
        if any(event.source == "claimed" for event in found):
            return unknown(
                f"the {channel} are the agent's own claims, not observed "
                "(let the Recorder wrap them, or declare `trust: claimed`)"
            )
        if not found and not trial.observes(channel):
            return unknown(
                f"{channel} are not observable in this trial, so their absence shows nothing "
                "(let the Recorder wrap them)"
            )
    return None
