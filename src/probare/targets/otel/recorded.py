"""What was recorded beside the spans, so that nothing is counted twice.

What the harness observed itself stays; the span that tells of the same act is left out. One
recorded act answers for one span: of the same call id, else of the same name within the span's
time, else of the same name and arguments. What has no partner stays, from either side.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import UNSET

from probare.encoding import jsonbytes
from probare.model.event import Event, Message, Retrieval, ToolCall, Usage
from probare.targets.otel.reading import Reading

Moment = Callable[[int], "float | None"]

_SLACK_MS = 1.0


def key_of(role: str, content: Any) -> bytes:
    """Return what makes two messages the same one."""
    return jsonbytes.encode_sorted([role, "" if content is UNSET else content, content is UNSET])


class Recorded:
    """The events that were recorded in a trial, each of which answers for one span."""

    def __init__(self, events: Iterable[Event], moment: Moment) -> None:
        self._moment = moment
        self._tools: list[ToolCall] = []
        self._retrievals: list[Retrieval] = []
        self._usages: list[Usage] = []
        self.messages: Counter[bytes] = Counter()
        for event in events:
            if isinstance(event, ToolCall):
                self._tools.append(event)
            elif isinstance(event, Retrieval):
                self._retrievals.append(event)
            elif isinstance(event, Usage):
                self._usages.append(event)
            elif isinstance(event, Message):
                self.messages[key_of(event.role, event.content)] += 1

    @property
    def tells_usage(self) -> bool:
        """Whether any usage was recorded."""
        return bool(self._usages)

    def without_known(self, readings: Sequence[Reading]) -> list[Reading]:
        """Return the readings, without the tools' and retrievers' that were recorded as well."""
        known: set[str] = set()
        for rule in (_by_id, self._by_time, _by_arguments):
            for reading in readings:
                if reading.span.span_id in known:
                    continue
                pool: list[Any] = self._tools if reading.does == "tool" else self._retrievals
                if reading.does not in ("tool", "retrieval"):
                    continue
                at = next((i for i, event in enumerate(pool) if rule(reading, event)), None)
                if at is not None:
                    del pool[at]
                    known.add(reading.span.span_id)
        return [reading for reading in readings if reading.span.span_id not in known]

    def knows(self, name: str, arguments: Any, call_id: str | None) -> bool:
        """Whether a call that a model asked for was recorded; it answers for no other one then."""
        for at, event in enumerate(self._tools):
            if event.name != name:
                continue
            theirs = event.source != "observed"  # the Recorder's ids are its own
            same_id = theirs and call_id is not None and call_id == event.call_id
            if same_id or arguments is UNSET or _same(event.arguments, arguments):
                del self._tools[at]
                return True
        return False

    def unspent(self, usages: Sequence[Usage]) -> list[bool]:
        """Say of each usage that spans state whether it counts beside the recorded ones.

        One of the same tokens is the same; so is a recorded sum of all of them.
        """
        told = [(usage.input_tokens, usage.output_tokens) for usage in usages]
        mine = Counter((usage.input_tokens, usage.output_tokens) for usage in self._usages)
        if told and any(sums == _sums(told) for sums in mine):
            return [False] * len(told)
        counts: list[bool] = []
        for tokens in told:
            same = mine[tokens] > 0 and tokens != (None, None)
            mine[tokens] -= same
            counts.append(not same)
        return counts

    def _by_time(self, reading: Reading, event: ToolCall | Retrieval) -> bool:
        if event.source != "observed" or event.at_ms is None or event.name != reading.name:
            return False
        start, end = self._moment(reading.span.start_ns), reading.span.end_ns
        until = None if end is None else self._moment(end)
        if start is None or event.at_ms < start - _SLACK_MS:
            return False
        return until is None or event.at_ms <= until + _SLACK_MS


def _by_id(reading: Reading, event: ToolCall | Retrieval) -> bool:
    if not isinstance(event, ToolCall) or event.call_id is None:
        return False
    same = (reading.call_id, reading.name) == (event.call_id, event.name)
    return same and event.source != "observed"


def _by_arguments(reading: Reading, event: ToolCall | Retrieval) -> bool:
    if reading.given is UNSET:
        return False
    given = event.arguments if isinstance(event, ToolCall) else event.query
    named = event.name == reading.name or isinstance(event, Retrieval)
    return named and _same(given, reading.given)


def _same(one: Any, other: Any) -> bool:
    return jsonbytes.encode_sorted(one) == jsonbytes.encode_sorted(other)


def _sums(told: Sequence[tuple[int | None, int | None]]) -> tuple[int | None, int | None]:
    def total(values: list[int | None]) -> int | None:
        known = [value for value in values if value is not None]
        return sum(known) if len(known) == len(values) else None

    return total([one for one, _ in told]), total([other for _, other in told])
