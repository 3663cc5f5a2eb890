"""Byte streams cut into lines, server-sent events, and decompressed within a limit.

Nothing here depends on where the network cut the bytes: any split yields the same result.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator

import msgspec

_BOM = b"\xef\xbb\xbf"
_STEP = 65_536


class LineSplitter:
    """Cuts bytes into lines without their ends.

    Lines end with LF or CRLF, and where `lone_cr` is set with CR too, as in server-sent events.
    Other separators that Python's `splitlines` knows (U+2028, form feed) are text.
    """

    def __init__(self, *, lone_cr: bool = False) -> None:
        self._lone_cr = lone_cr
        self._parts: list[bytes] = []
        self._after_cr = False

    def feed(self, data: bytes) -> list[bytes]:
        """Return the lines that these bytes complete."""
        if self._lone_cr and data:
            if self._after_cr and data.startswith(b"\n"):
                data = data[1:]
                self._after_cr = False
            if data:
                self._after_cr = data.endswith(b"\r")
                data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        *complete, rest = data.split(b"\n")
        lines: list[bytes] = []
        for end in complete:
            lines.append(self._joined(end))
        if rest:
            self._parts.append(rest)
        return lines

    def rest(self) -> bytes:
        """Return, once, what came after the last line end."""
        return self._joined(b"")

    def _joined(self, end: bytes) -> bytes:
        line = b"".join([*self._parts, end])
        self._parts.clear()
        return line if self._lone_cr else line.removesuffix(b"\r")


class ServerSentEvent(msgspec.Struct, frozen=True):
    """One event of a stream: its name (`message` where it has none) and its data."""

    name: str
    data: str


class SseDecoder:
    """Decodes server-sent events (WHATWG HTML, section 9.2.6).

    Ids and reconnection times are dropped: a trial never reconnects. Other than the standard
    says, an event at the end of the stream that lacks its blank line is still an event: many
    agents leave it out after the last one. `cut` then says whether it broke off within a line.
    """

    def __init__(self) -> None:
        self._lines = LineSplitter(lone_cr=True)
        self._name = ""
        self._data: list[str] = []
        self._first = True
        self.cut = False

    def feed(self, data: bytes) -> list[ServerSentEvent]:
        """Return the events that these bytes complete."""
        return [event for line in self._lines.feed(data) for event in self._line(line)]

    def end(self) -> list[ServerSentEvent]:
        """Return what was not yet complete when the stream ended."""
        rest = self._lines.rest()
        self.cut = bool(rest)
        return [*self._line(rest), *self._line(b"")]

    def _line(self, line: bytes) -> Iterator[ServerSentEvent]:
        if self._first:
            self._first = False
            line = line.removeprefix(_BOM)
        if not line:
            if self._data:
                yield ServerSentEvent(self._name or "message", "\n".join(self._data))
            self._name, self._data = "", []
            return
        field, _, value = line.decode(errors="backslashreplace").partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            self._data.append(value)
        elif field == "event":
            self._name = value


class Inflater:
    """Undoes `gzip` and `deflate` in steps of at most 64 KiB, so that a bomb meets the cap."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)

    @property
    def complete(self) -> bool:
        """Whether the compressed data came to its own end."""
        return self._inner.eof

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield what the bytes decompress to. Raises zlib.error where they are damaged."""
        while data:
            piece = self._inner.decompress(data, _STEP)
            if piece:
                yield piece
            if self._inner.eof:
                return
            data = self._inner.unconsumed_tail
            if not data and len(piece) == _STEP:
                yield from self._rest()

    def _rest(self) -> Iterator[bytes]:
        while piece := self._inner.decompress(b"", _STEP):
            yield piece
