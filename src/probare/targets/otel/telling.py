"""The spans of one trial, made into its events.

All of them are claims: an instrumentation in the agent's process tells what the agent's framework
did. What the spans do not carry is marked on the event (`attributes.not_observable`), and the
kinds of act that these spans could not have shown are named in a note, so that their absence is
not taken for evidence (`probare.grading.evidence`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from probare.grading.evidence import INCOMPLETE, NOT_OBSERVABLE
from probare.model.event import (
    Channel,
    ErrorEvent,
    Event,
    EventBase,
    Message,
    Note,
    Retrieval,
    ToolCall,
    ToolResult,
    Usage,
)
from probare.targets.otel import dialects
from probare.targets.otel.conversation import Conversation, Request, executed, requests
from probare.targets.otel.reading import Reading, Said
from probare.targets.otel.recorded import Moment, Recorded
from probare.targets.otel.spans import Span
from probare.targets.otel.tree import Tree, innermost_errors, once, spenders

_SHOWN_NAMES = 20
_SHOW_RETRIEVALS = ("langchain", "llama_index", "llamaindex", "haystack")


def channels_of(span: Span) -> tuple[Channel, ...]:
    """Return the kinds of act that a span tells of."""
    found = dialects.read(span)
    if found is None:
        return ()
    of: dict[str, tuple[Channel, ...]] = {
        "tool": ("tools",),
        "retrieval": ("retrievals",),
        "model": ("tools", "messages"),
    }
    return of.get(found.does, ())


def events_of(spans: Sequence[Span], recorded: Iterable[Event], moment: Moment) -> list[Event]:
    """Return what spans tell, in order, without what was recorded already.

    The harness's own notes on the spans come last, without a time. `moment` turns a time of the
    spans' clock (nanoseconds) into one of the trial's (milliseconds), null where that is unknown.
    """
    ordered = sorted(spans, key=lambda span: span.start_ns)
    found = [(span, dialects.read(span)) for span in ordered]
    readings = [reading for _, reading in found if reading is not None]
    teller = _Teller(readings, Tree(ordered), Recorded(recorded, moment), moment)
    events = teller.events()
    strange = [span.name for span, reading in found if reading is None]
    return [*events, *_notes(readings, strange)]


class _Teller:
    def __init__(
        self, readings: list[Reading], tree: Tree, recorded: Recorded, moment: Moment
    ) -> None:
        single = once(readings, tree)
        self._models = [r for r in single if r.does == "model"] or [
            r for r in single if r.does == "agent" and (r.inputs or r.outputs)
        ]
        tools = [reading for reading in single if reading.does == "tool"]
        self._tools, self._open = executed(tools, requests(self._models))
        self._retrievals = [reading for reading in single if reading.does == "retrieval"]
        self._acts = recorded.without_known([*self._tools, *self._retrievals])
        self._show_tools = bool(tools) or any(map(_shows_tools, readings))
        spending = spenders(readings, tree)
        self._spending = [r for r in readings if r.span.span_id in spending]
        metered = {one for r in self._spending for one in (r.span.span_id, *tree.above(r.span))}
        self._unmetered = [
            r
            for r in self._models
            if r.does == "model" and r.span.error is None and r.span.span_id not in metered
        ]
        failed = innermost_errors(readings, tree)
        self._failed = [r for r in readings if r.span.span_id in failed]
        self._recorded = recorded
        self._moment = moment
        self._timed: list[tuple[int, Event]] = []

    def events(self) -> list[Event]:
        """Return the events by their times; of the same time, in the order of telling."""
        self._tell_messages()
        for reading in self._acts:
            (self._tool if reading.does == "tool" else self._retrieval)(reading)
        for request in self._open:
            self._request(request)
        self._tell_usage()
        for reading in self._failed:
            if reading.does not in ("tool", "retrieval"):
                self._put(_end(reading), ErrorEvent(type=reading.span.name, message=_why(reading)))
        self._timed.sort(key=lambda timed: timed[0])
        return [event for _, event in self._timed]

    def _put(self, at_ns: int, event: EventBase) -> None:
        timed = msgspec.structs.replace(event, source="claimed", at_ms=self._moment(at_ns))
        self._timed.append((at_ns, timed))  # pyright: ignore[reportArgumentType]

    def _tell_messages(self) -> None:
        conversation = Conversation(self._recorded.messages)
        points = [(reading.span.start_ns, 1, reading) for reading in self._models]
        points += [(_end(reading), 0, reading) for reading in self._models]
        for at_ns, begins, reading in sorted(points, key=lambda point: point[:2]):
            if begins:
                fresh = conversation.given(reading.inputs or ())
            else:
                fresh = conversation.answered(reading.outputs or ())
            for said in fresh:
                self._put(at_ns, _message(said))

    def _tool(self, reading: Reading) -> None:
        raw = {} if reading.raw is UNSET else {"input": reading.raw}
        call = ToolCall(
            name=reading.name,
            arguments=_or_null(reading.given),
            call_id=reading.call_id,
            attributes=raw | _missing(arguments=reading.given),
        )
        self._put(reading.span.start_ns, call)
        if reading.span.end_ns is None:
            return
        error = reading.span.error
        result = ToolResult(
            name=reading.name,
            result=None if error is not None else _or_null(reading.got),
            error=error,
            call_id=reading.call_id,
            duration_ms=_duration(reading.span),
            attributes={} if error is not None else _missing(result=reading.got),
        )
        self._put(reading.span.end_ns, result)

    def _retrieval(self, reading: Reading) -> None:
        error = reading.span.error
        documents = reading.got if error is None else None
        retrieval = Retrieval(
            name=reading.name,
            query=_or_null(reading.given),
            documents=_or_null(documents),
            error=error,
            duration_ms=_duration(reading.span),
            attributes=_missing(query=reading.given, documents=documents),
        )
        self._put(reading.span.start_ns, retrieval)

    def _request(self, request: Request) -> None:
        """Tell of a call that no tool's span answers for.

        Where spans of tools would have been there, it was asked for and not made; where only
        models are instrumented, the asking and the result that a model was given are all there is.
        """
        asked = request.asked
        if self._recorded.knows(asked.name, asked.arguments, asked.call_id):
            return
        if self._show_tools:
            data = {"name": asked.name, "arguments": _or_null(asked.arguments)}
            text = f"a model asked for the tool {asked.name}, and no span shows that it ran"
            self._put(request.at_ns, Note(text=text, data=data))
            return
        call = ToolCall(
            name=asked.name,
            arguments=_or_null(asked.arguments),
            call_id=asked.call_id,
            attributes=_missing(arguments=asked.arguments),
        )
        self._put(request.at_ns, call)
        if request.answer is not None:
            result = ToolResult(
                name=asked.name,
                result=_or_null(request.answer.result),
                call_id=asked.call_id,
                attributes=_missing(result=request.answer.result),
            )
            self._put(request.answered_ns, result)

    def _tell_usage(self) -> None:
        """Tell of usage; a call of a model that states none has an unknown one, unless the
        recorder told of usage itself.
        """
        if not self._recorded.tells_usage:
            for reading in self._unmetered:
                self._put(_end(reading), Usage())
        pairs = [(r, r.usage) for r in self._spending if r.usage is not None]
        counting = self._recorded.unspent([usage for _, usage in pairs])
        for (reading, usage), counts in zip(pairs, counting, strict=True):
            if counts:
                self._put(_end(reading), usage)


def _notes(readings: Sequence[Reading], strange: list[str]) -> list[Event]:
    """Return what is said of the spans as a whole: whose they are, what they cannot show."""
    notes: list[Event] = []
    told = sorted({f"{r.dialect} ({r.span.scope or 'no scope'})" for r in readings})
    if told:
        text = f"spans of {', '.join(told)}: what they tell is the agent's own claim"
        notes.append(Note(source="observed", text=text))
    hidden = hidden_by(readings)
    if hidden:
        data: dict[str, Any] = {"kind": NOT_OBSERVABLE, "channels": list(hidden)}
        text = f"these spans could not have shown {', '.join(hidden)}"
        if not readings:
            text = "no span of this trial tells of an agent's acts"
        notes.append(Note(source="observed", text=text, data=data))
    torn = sorted({f"{name} of {r.span.name}" for r in readings for name in r.torn})
    if torn:
        text = f"attributes that cannot be read (cut off?): {', '.join(torn[:_SHOWN_NAMES])}"
        data = {"kind": INCOMPLETE, "channels": ["messages", "tools"]}
        notes.append(Note(source="observed", text=text, data=data))
    running = sorted({r.span.name for r in readings if r.span.end_ns is None and r.does != "agent"})
    if running:
        text = f"spans that had not ended: {', '.join(running[:_SHOWN_NAMES])}"
        notes.append(Note(source="observed", text=text))
    if strange:
        names = sorted(set(strange))
        data = {"names": names[:_SHOWN_NAMES]}
        text = f"{len(names)} names of spans that no dialect knows"
        notes.append(Note(source="observed", text=text, data=data))
    return notes


def hidden_by(readings: Sequence[Reading]) -> tuple[Channel, ...]:
    """Return the channels that these spans could not have shown.

    Tools show where an instrumentation of a framework makes spans of them, or where every model's
    span carries what the model answered, so that a call would stand there.
    """
    models = [reading for reading in readings if reading.does == "model"]
    shown: set[Channel] = set()
    if any(r.does == "tool" or _shows_tools(r) for r in readings) or (
        models and all(reading.outputs is not None for reading in models)
    ):
        shown.add("tools")
    if any(r.does == "retrieval" or _shows_retrievals(r) for r in readings):
        shown.add("retrievals")
    if any(r.inputs is not None or r.outputs is not None for r in readings):
        shown.add("messages")
    order: tuple[Channel, ...] = ("tools", "retrievals", "messages")
    return tuple(channel for channel in order if channel not in shown)


def _shows_tools(reading: Reading) -> bool:
    return dialects.shows_tools(reading.span.scope)


def _shows_retrievals(reading: Reading) -> bool:
    return reading.span.scope.endswith(_SHOW_RETRIEVALS)


def _message(said: Said) -> Message:
    missing = _missing(content=said.content)
    return Message(role=said.role, content=_or_null(said.content), attributes=missing)


def _missing(**parts: Any) -> dict[str, Any]:
    absent = [name for name, value in parts.items() if value is UNSET]
    return {NOT_OBSERVABLE: absent} if absent else {}


def _or_null(value: Any) -> Any:
    return None if value is UNSET else value


def _end(reading: Reading) -> int:
    return reading.span.end_ns or reading.span.start_ns


def _duration(span: Span) -> float | None:
    if span.end_ns is None or span.end_ns < span.start_ns:
        return None
    return round((span.end_ns - span.start_ns) / 1_000_000, 3)


def _why(reading: Reading) -> str:
    return reading.span.error or "failed"
