"""Two lists of events, each in its order, made into one by their times."""

from __future__ import annotations

from collections.abc import Sequence

from probare.model.event import Event


def merged(recorded: Sequence[Event], others: Sequence[Event]) -> list[Event]:
    """Return all events: each list keeps its order, and of the same time the recorded come first.

    An event without a time stays with the one before it; the others come last where their first
    has none.
    """
    times = _times(recorded, first=0.0)
    whole: list[Event] = []
    at = 0
    for event, time in zip(others, _times(others, first=float("inf")), strict=True):
        while at < len(recorded) and times[at] <= time:
            whole.append(recorded[at])
            at += 1
        whole.append(event)
    return [*whole, *recorded[at:]]


def _times(events: Sequence[Event], *, first: float) -> list[float]:
    """Return the time until which each event has to wait."""
    times: list[float] = []
    last: float | None = None
    for event in events:
        if event.at_ms is not None:
            last = event.at_ms if last is None else max(last, event.at_ms)
        times.append(first if last is None else last)
    return times
