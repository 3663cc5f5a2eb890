"""Evidence: observed, claimed, or not observable (DESIGN section 4, decision 0003)."""

from __future__ import annotations

from probare.encoding.narrow import mapping, sequence
from probare.model.event import (
    Approval,
    Artifact,
    Attempt,
    Channel,
    Decision,
    EventBase,
    Message,
    Note,
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

NOT_OBSERVABLE = "not_observable"
"""On an event: the attribute that names its fields which nobody saw. In a note's `data`: the kind
of one that names `channels` of which the source can tell nothing, so that no event means nothing.
"""

INCOMPLETE = "incomplete"
"""In a note's `data`: the kind of one that names `channels` of which events may be missing."""

_GIVEN = ("arguments", "query", "content")

_ACTS: tuple[Channel, ...] = ("tools", "retrievals")


def untrusted(kind: type[Grader], trial: TrialView) -> Verdict | None:
    """Return `unknown` where the evidence is only claimed, or could not have been seen."""
    return _doubt_of_events(trial, kind.EVIDENCE)


def unseen(grader: Grader, trial: TrialView) -> Verdict | None:
    """Return an error where the grader reads what a call, a query or a message held, and one of
    them came without it: a missing attribute is never a pass.
    """
    return None if grader.by_name() else _unseen(trial, grader.EVIDENCE)


def doubt(trial: TrialView, *channels: Channel) -> Verdict | None:
    """Return `unknown` where events of one of the channels are only claimed, or where there are
    none and none could have been seen; an error where one came without what it held.
    """
    return _doubt_of_events(trial, channels) or _unseen(trial, channels)


def _unseen(trial: TrialView, channels: tuple[Channel, ...]) -> Verdict | None:
    for channel in channels:
        for event in _events_of(trial, channel):
            missing = sequence(event.attributes.get(NOT_OBSERVABLE))
            lost = [field for field in _GIVEN if field in missing]
            if lost:
                named = getattr(event, "name", "") or event.kind
                reason = f"not observable: the {' and '.join(lost)} of {named} (event {event.seq})"
                return Verdict("error", None, reason)
    return None


def _doubt_of_events(trial: TrialView, channels: tuple[Channel, ...]) -> Verdict | None:
    if not channels:
        return None
    if trial.trust == "claimed":
        return _gap(trial, channels)
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
        return _gap(trial, _ACTS)
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


def _gap(trial: TrialView, channels: tuple[Channel, ...]) -> Verdict | None:
    """Return `unknown` where the source of the claims says itself that it cannot tell of a
    channel of which there are no events, or that it has not told all.
    """
    for event in trial.transcript.events:
        if not isinstance(event, Note):
            continue
        data = mapping(event.data)
        if data.get("kind") not in (NOT_OBSERVABLE, INCOMPLETE):
            continue
        for channel in channels:
            if channel not in sequence(data.get("channels")) or trial.observes(channel):
                continue
            if data["kind"] == INCOMPLETE or not _events_of(trial, channel):
                return unknown(f"{channel} are not observable in this trial: {event.text}")
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
