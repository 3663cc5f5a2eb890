"""Evidence: observed, claimed, or not observable (DESIGN section 4, decision 0003)."""

from __future__ import annotations

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


_ACTS: tuple[Channel, ...] = ("tools", "retrievals")


def untrusted(kind: type[Grader], trial: TrialView) -> Verdict | None:
    """Return `unknown` where the evidence is only claimed, or could not have been seen."""
    return doubt(trial, *kind.EVIDENCE)


def doubt(trial: TrialView, *channels: Channel) -> Verdict | None:
    """Return `unknown` where events of one of the channels are only claimed, or where there are
    none and none could have been seen.
    """
    if not channels or trial.trust == "claimed":
        return None
    for channel in channels:
        found = _events_of(trial, channel)
        claimed = _claimed(channel, found)
        if claimed is not None:
            return claimed
        if not found and not trial.observes(channel):
            return unknown(
                f"{channel} are not observable in this trial, so their absence shows nothing "
                "(let the Recorder wrap them)"
            )
    return None


def doubt_of_acts(trial: TrialView) -> Verdict | None:
    """Return `unknown` where acts (tool calls and retrievals) are only claimed, or where neither
    tools nor retrievals could have been seen.
    """
    if trial.trust == "claimed":
        return None
    seen = False
    for channel in _ACTS:
        found = _events_of(trial, channel)
        claimed = _claimed(channel, found)
        if claimed is not None:
            return claimed
        seen = seen or bool(found) or trial.observes(channel)
    if not seen:
        return unknown(
            "neither tools nor retrievals are observable in this trial, so their absence shows "
            "nothing (let the Recorder wrap them)"
        )
    return None


def believed(event: EventBase, trial: TrialView) -> bool:
    """Whether an event counts as evidence: seen by the harness, recorded, or trusted."""
    return event.source != "claimed" or trial.trust == "claimed"


def _events_of(trial: TrialView, channel: Channel) -> list[EventBase]:
    return [e for e in trial.transcript.events if _CHANNEL_OF.get(type(e)) == channel]


def _claimed(channel: Channel, found: list[EventBase]) -> Verdict | None:
    if any(event.source == "claimed" for event in found):
        return unknown(
            f"the {channel} are the agent's own claims, not observed "
            "(let the Recorder wrap them, or declare `trust: claimed`)"
        )
    return None
