"""The conversation that models' spans repeat: each message, call and result once.

Every call of a model is given the whole conversation so far, so a message is new where it stands
more often in what the model was given than it was told of yet. What a model answers is always
new.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, cast

import msgspec
from msgspec import UNSET

from probare.encoding import jsonbytes
from probare.targets.otel.reading import Answered, Asked, Reading, Said
from probare.targets.otel.recorded import key_of


class Conversation:
    """Says which messages are new. `known` are those that were recorded otherwise."""

    def __init__(self, known: Counter[bytes]) -> None:
        self._told = Counter(known)
        self._known = Counter(known)

    def given(self, messages: Sequence[Said]) -> list[Said]:
        """Return the messages, of those that a model was given, that are new."""
        here: Counter[bytes] = Counter()
        fresh: list[Said] = []
        for said in messages:
            if said.content is None:
                continue
            key = key_of(said.role, said.content)
            here[key] += 1
            if here[key] > self._told[key]:
                self._told[key] += 1
                fresh.append(said)
        return fresh

    def answered(self, messages: Sequence[Said]) -> list[Said]:
        """Return the messages, of those that a model answered with, that were not recorded."""
        fresh: list[Said] = []
        for said in messages:
            if said.content is None:
                continue
            key = key_of(said.role, said.content)
            if self._known[key] > 0:
                self._known[key] -= 1
                continue
            self._told[key] += 1
            fresh.append(said)
        return fresh


class Request(msgspec.Struct, frozen=True):
    """A call that a model asked for, when (nanoseconds), and the tool's result that a later call
    of a model was given, with its time.
    """

    asked: Asked
    at_ns: int
    answer: Answered | None = None
    answered_ns: int = 0


def requests(models: Sequence[Reading]) -> list[Request]:
    """Return what models asked for, in order, each with its result as far as one is told."""
    answers: dict[str, tuple[Answered, int]] = {}
    for reading in models:
        for said in reading.inputs or ():
            for answer in said.answers:
                if answer.call_id is not None:
                    answers.setdefault(answer.call_id, (answer, reading.span.start_ns))
    found: list[Request] = []
    for reading in models:
        at_ns = reading.span.end_ns or reading.span.start_ns
        for said in reading.outputs or ():
            for asked in said.asks:
                answer, when = answers.get(asked.call_id or "", (None, 0))
                found.append(Request(asked, at_ns, answer, when))
    return found


def executed(
    tools: Sequence[Reading], asked: Sequence[Request]
) -> tuple[list[Reading], list[Request]]:
    """Match tools' spans with what models asked for: by call id, else, where the span has none,
    by name and arguments.

    Returns the tools, with arguments and result added from the messages of the same call id where
    the span does not carry them, and the requests that no span answers for.
    """
    open_requests = list(asked)
    by_span: dict[str, Request] = {}
    for by_id in (True, False):
        for tool in tools:
            if tool.span.span_id in by_span or (tool.call_id is None) is by_id:
                continue
            at = next((i for i, r in enumerate(open_requests) if _fits(tool, r.asked)), None)
            if at is not None:
                by_span[tool.span.span_id] = open_requests.pop(at)
    whole = [_completed(tool, by_span.get(tool.span.span_id)) for tool in tools]
    return whole, open_requests


def _fits(tool: Reading, asked: Asked) -> bool:
    if tool.call_id is not None:
        return tool.call_id == asked.call_id
    if tool.name != asked.name:
        return False
    known = tool.given is not UNSET and asked.arguments is not UNSET
    return not known or _same(tool.given, asked.arguments)


def _completed(tool: Reading, request: Request | None) -> Reading:
    if request is None or tool.call_id is None:
        return tool
    changes: dict[str, Any] = {}
    asked = request.asked.arguments
    if tool.given is UNSET and isinstance(asked, dict):
        changes |= {"given": cast("dict[str, Any]", asked), "raw": UNSET}
    if tool.got is UNSET and tool.span.error is None and request.answer is not None:
        changes["got"] = request.answer.result
    return msgspec.structs.replace(tool, **changes) if changes else tool


def _same(one: Any, other: Any) -> bool:
    return jsonbytes.encode_sorted(one) == jsonbytes.encode_sorted(other)
