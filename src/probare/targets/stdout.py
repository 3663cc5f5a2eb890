"""Reading a command's standard output: lines of the protocol, or the output itself.

A line that begins with `{` and is an object of `probare.targets.answer` belongs to the
protocol. Where at least one such line came, every other line that is not blank is noise, kept
in a note. Where none came, standard output as a whole is the output: a JSON object or array is
that value (an object with an `output` key is a reply, with what may stand beside it), anything
else is text, without its final line end.
"""

from __future__ import annotations

from typing import Any, cast

from msgspec import UNSET

from probare.errors import TargetError
from probare.targets.answer import Answer, Cap
from probare.targets.streams import LineSplitter
from probare.targets.wire import decode


class StandardOutput:
    """Takes bytes as they come, up to the limit; `end` or `cut` settles the answer."""

    def __init__(self, answer: Answer, limit: int) -> None:
        self._answer = answer
        self._cap = Cap(limit)
        self._lines = LineSplitter()
        self._whole: list[bytes] = []
        self._noise: list[bytes] = []
        self._protocol = False

    def feed(self, data: bytes) -> None:
        """Take what the command wrote. Raises LimitReached past the limit."""
        allowed = self._cap.add(data)
        if not self._protocol:
            self._whole.append(allowed)
        for line in self._lines.feed(allowed):
            self._line(line)
        self._cap.check()

    def end(self) -> None:
        """Settle the answer of a command that ended well.

        Raises TargetError where it answered nothing, or only told of events: a command that
        uses the protocol ends with its output.
        """
        self._line(self._lines.rest())
        self._keep_noise()
        if not self._protocol:
            self._take_whole(b"".join(self._whole))
        elif not self._answer.given:
            raise TargetError(
                "the command ended without an output",
                hint='its last line on standard output is {"output": …}',
            )

    def cut(self) -> None:
        """Settle the answer of a command that was stopped, or failed: it is truncated."""
        self._line(self._lines.rest())
        self._keep_noise()
        more = "" if self._protocol else _text(b"".join(self._whole))
        self._answer.keep_cut(more)

    def _line(self, line: bytes) -> None:
        if line.startswith(b"{"):
            value = decode(line)
            if value is not UNSET and self._answer.take(value):
                self._protocol = True
                self._whole.clear()
                return
        if line.strip():
            self._noise.append(line)

    def _keep_noise(self) -> None:
        if self._protocol and self._noise:
            self._answer.note("printed among the lines of the protocol:\n" + _text_of(self._noise))
        self._noise.clear()

    def _take_whole(self, data: bytes) -> None:
        if not data:
            raise TargetError(
                "the command answered nothing: its standard output is empty",
                hint="it reads a JSON object on standard input and prints its answer",
            )
        value: Any = decode(data) if data.lstrip()[:1] in (b"{", b"[") else UNSET
        if value is UNSET:
            self._answer.output(_text(data))
        elif isinstance(value, dict) and "output" in value:
            self._answer.reply(cast("dict[str, Any]", value))
        else:
            self._answer.output(value)


def _text(data: bytes) -> str:
    text = data.decode(errors="backslashreplace")
    return text.removesuffix("\n").removesuffix("\r")


def _text_of(lines: list[bytes]) -> str:
    return b"\n".join(lines).decode(errors="backslashreplace")
