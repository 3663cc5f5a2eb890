"""What the body of an HTTP reply means: one JSON document, a text, or a stream.

A document's output stands at the path `output`; without one it is the document's `output` key,
if it is an object that has one, else the whole document. A body that says it is plain text is
the output itself, unless it is a JSON object or array.

In a stream each server-sent event's data, or each line, is looked at in this order: the objects
of `probare.targets.answer`; the piece at the path `piece`, or without one the text under
`piece`, `text` or `delta`; an `error`, which ends the trial. Data of server-sent events that is
no JSON object is a piece itself (a JSON string its value), unless a path `piece` was given.
"""

from __future__ import annotations

from typing import Any, cast

import msgspec
from msgspec import UNSET

from probare.encoding import jsonbytes
from probare.errors import TargetError
from probare.grading.placeholders import Placeholder
from probare.targets import paths
from probare.targets.answer import Answer
from probare.targets.streams import LineSplitter, ServerSentEvent, SseDecoder
from probare.targets.wire import decode

_PIECE_KEYS = ("piece", "text", "delta")
_PLAIN = ("", "text/plain", "text/markdown")
_SHOWN = 200
DONE = "[DONE]"


class Layout(msgspec.Struct, frozen=True, kw_only=True):
    """Where things stand in a reply. `done` is the text that ends a stream, null where the
    stream's own end will do.
    """

    output: Placeholder | None = None
    events: Placeholder | None = None
    piece: Placeholder | None = None
    done: str | None = None


def take_document(body: bytes, content_type: str, layout: Layout, answer: Answer) -> None:
    """Take a whole reply. Raises TargetError where it is empty, not JSON though it should be,
    or has nothing at the path of the output.
    """
    if not body.strip():
        raise TargetError(
            "the reply is empty: a status of success, and no answer", hint=_where(content_type)
        )
    document = decode(body)
    plain = content_type in _PLAIN and layout.output is None and layout.events is None
    if plain and not isinstance(document, dict | list):
        answer.output(body.decode(errors="backslashreplace"))
        return
    if document is UNSET:
        raise TargetError(
            f"the reply is not JSON: {_short(body.decode(errors='backslashreplace'))}",
            hint=_where(content_type),
        )
    if layout.events is not None:
        events = paths.find(document, layout.events)
        answer.take_events(None if events is UNSET else events)
    said = cast("dict[str, Any]", document) if isinstance(document, dict) else {}
    if layout.output is not None:
        output = paths.find(document, layout.output)
        if output is UNSET:
            raise TargetError(
                f"the reply has no output: {paths.missing(document, layout.output)}",
                hint="is the target's `output` path right for this service?",
            )
        answer.output(output)
        answer.usage(said)
        if layout.events is None:
            answer.take_events(said.get("events"))
    elif "output" in said:
        if layout.events is not None:
            said = {key: item for key, item in said.items() if key != "events"}
        answer.reply(said)
    else:
        answer.output(document)
        answer.usage(said)


class EventStream:
    """Takes a stream of server-sent events."""

    def __init__(self, layout: Layout, answer: Answer) -> None:
        self._decoder = SseDecoder()
        self._values = _Values(layout, answer)

    def feed(self, data: bytes) -> bool:
        """Take bytes; return whether the stream is done. Raises TargetError on an error in it."""
        return any(self._event(event) for event in self._decoder.feed(data))

    def end(self) -> bool:
        """Take what was left when the stream ended; return whether it may end there.

        A last line without its end counts if it is whole all the same: an object, or the mark.
        """
        for event in self._decoder.end():
            if self._decoder.cut and not self._values.is_whole(event.data):
                return False
            if self._event(event):
                return True
        return self._values.may_end

    def _event(self, event: ServerSentEvent) -> bool:
        if self._values.is_done(event.data):
            return True
        if event.name == "error":
            raise TargetError(f"the stream reports an error: {_short(event.data)}")
        self._values.take(event.data, plain=True)
        return False


class LineStream:
    """Takes a stream of JSON lines."""

    def __init__(self, layout: Layout, answer: Answer) -> None:
        self._lines = LineSplitter()
        self._values = _Values(layout, answer)

    def feed(self, data: bytes) -> bool:
        """Take bytes; return whether the stream is done. Raises TargetError on an error in it,
        and on a line that is not JSON.
        """
        return any(self._line(line) for line in self._lines.feed(data))

    def end(self) -> bool:
        """Take what was left when the stream ended; return whether it may end there.

        A last line that is no whole object means that the stream was broken.
        """
        line = self._lines.rest()
        if line.strip() and not self._values.is_whole(line.decode(errors="backslashreplace")):
            return False
        return self._line(line) or self._values.may_end

    def _line(self, line: bytes) -> bool:
        text = line.decode(errors="backslashreplace").strip()
        if not text:
            return False
        if self._values.is_done(text):
            return True
        self._values.take(line, plain=False)
        return False


class _Values:
    """Takes the values of a stream, however they are framed."""

    def __init__(self, layout: Layout, answer: Answer) -> None:
        self._layout = layout
        self._answer = answer
        self.may_end = layout.done is None

    def is_done(self, data: str) -> bool:
        return data.strip() == (self._layout.done or DONE)

    def is_whole(self, data: str) -> bool:
        return self.is_done(data) or isinstance(decode(data), dict)

    def take(self, data: str | bytes, *, plain: bool) -> None:
        value = decode(data)
        text = data if isinstance(data, str) else data.decode(errors="backslashreplace")
        if plain and self._layout.piece is None and not isinstance(value, dict):
            self._answer.piece(value if isinstance(value, str) else text)
        elif value is UNSET:
            raise TargetError(f"a part of the stream is not JSON: {_short(text)}")
        elif not self._answer.take(value):
            self._take_other(value)

    def _take_other(self, value: Any) -> None:
        said = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
        piece = value if isinstance(value, str) else self._piece(value, said)
        if said.get("error") is not None and not isinstance(piece, str):
            shown = jsonbytes.encode(said["error"]).decode()
            raise TargetError(f"the stream reports an error: {_short(shown)}")
        if isinstance(piece, str):
            self._answer.piece(piece)
        elif self._layout.piece is None and value and not isinstance(said.get("usage"), dict):
            self._answer.note("a part of the stream without a piece, an event or an output", value)
        self._answer.usage(said)

    def _piece(self, value: Any, said: dict[str, Any]) -> Any:
        if self._layout.piece is not None:
            return paths.find(value, self._layout.piece)
        return next((said[key] for key in _PIECE_KEYS if isinstance(said.get(key), str)), None)


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


def _where(content_type: str) -> str:
    return f"its content type is {content_type or 'not given'}"
