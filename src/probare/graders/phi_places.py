"""Where identifiers may have gone: the output, tool arguments, retrievals, artifacts, messages.

Everything that is looked through becomes one text, with each value on lines of its own behind
its name ("patient name: …"), since a number is known by the label before it. A place is named by
its keys; a key that may itself be an identifier is named by its position.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, Literal, NamedTuple, TypeAlias, cast

import msgspec
from msgspec import UNSET

from probare.encoding import jsonbytes
from probare.errors import GraderError
from probare.grading import placeholders, transforms
from probare.model.event import Channel, Message, Retrieval, ToolCall
from probare.ports.grader import TrialView

Where: TypeAlias = Literal["output", "tools", "retrievals", "artifacts", "messages"]

_APART = "\n\n\n"
_SAFE_KEY = re.compile(r"[a-z][A-Za-z_-]{0,39}\Z")
_WORDS = re.compile(r"[_\-.\s]+|(?<=[a-z])(?=[A-Z])")
_OTHERS = frozenset({"user", "system", "developer", "tool"})
_MOST_BYTES = 5_000_000


class Piece(NamedTuple):
    """A text, the name of its place, and what stands before it as a label."""

    place: str
    text: str
    label: str = ""


class Sheet:
    """Pieces written below each other, so that all are looked through at once."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self._pieces = pieces
        self._starts: list[int] = []
        parts: list[str] = []
        at = 0
        for piece in pieces:
            self._starts.append(at)
            part = _headed(piece) + piece.text
            parts.append(part)
            at += len(part) + len(_APART)
        self.text = _APART.join(parts)

    def place(self, start: int, end: int) -> tuple[str, int, int]:
        """Return the place of a stretch of the whole text, and where it stands there.

        A stretch in a label is one of the key itself: it stands at 0 to 0.
        """
        index = bisect.bisect_right(self._starts, start) - 1
        piece = self._pieces[index]
        head = self._starts[index] + len(_headed(piece))
        inside = max(0, start - head), min(len(piece.text), max(0, end - head))
        return piece.place, *inside


def _headed(piece: Piece) -> str:
    return f"{piece.label}: " if piece.label else ""


def of_value(value: Any, place: str) -> Iterator[Piece]:
    """Yield the texts inside a value: a text itself, or the leaves of JSON with their keys.

    Raises GraderError for null and for nothing: what is missing is never evidence.
    """
    if value is None or value is UNSET:
        raise GraderError("there is no text to look at", hint="it is null or absent")
    if isinstance(value, str):
        bare = transforms.strip_fences(value)
        if not bare.lstrip().startswith(("{", "[")):
            yield Piece(place, value)
            return
        try:
            value = jsonbytes.decode_strict(bare)
        except (ValueError, RecursionError):
            yield Piece(place, value)
            return
    yield from _leaves(value, place, ())


def _leaves(value: Any, place: str, keys: tuple[str, ...]) -> Iterator[Piece]:
    if value is None or isinstance(value, bool):
        return
    if isinstance(value, str):
        yield Piece(place, value, " ".join(keys[-2:]))
    elif isinstance(value, int | float):
        yield Piece(place, jsonbytes.encode(value).decode(), " ".join(keys[-2:]))
    elif isinstance(value, dict):
        for index, (key, item) in enumerate(cast("dict[Any, Any]", value).items()):
            name = str(key)
            step = f".{name}" if _SAFE_KEY.match(name) else f".[key {index}]"
            words = " ".join(word for word in _WORDS.split(name) if word)
            if not isinstance(item, str | int | float) or isinstance(item, bool):
                yield Piece(place + step, words)
            yield from _leaves(item, place + step, (*keys, words))
    elif isinstance(value, list | tuple):
        for index, item in enumerate(cast("list[Any]", value)):
            yield from _leaves(item, f"{place}[{index}]", keys)
    else:
        yield from _leaves(msgspec.to_builtins(value, str_keys=True), place, keys)


def of_trial(where: Sequence[Where], trial: TrialView) -> tuple[list[Piece], list[str]]:
    """Return the texts of a trial's places, and what could not be looked through.

    Of tools and retrievals, what the agent passed to them; of messages, those that it wrote (the
    roles user, system, developer and tool are others'). Raises GraderError where the output is
    missing though the trial completed, or an artifact cannot be had.
    """
    pieces: list[Piece] = []
    blind: list[str] = []
    for place in dict.fromkeys(where):
        match place:
            case "output":
                pieces += _output(trial)
            case "artifacts":
                for index, path in enumerate(placeholders.artifacts(trial)):
                    pieces.append(Piece(f"the name of artifact {index}", path.replace("_", " ")))
                    text = _artifact(path, index, trial.workspace)
                    if text is None:
                        blind.append(f"artifact {index} is no text")
                    else:
                        pieces += of_value(text, f"artifact {index}") if text else ()
            case _:
                pieces += _events(place, trial)
    return pieces, blind


def channels(where: Sequence[Where]) -> list[Channel]:
    """Return the channels whose events are read."""
    return [place for place in where if place != "output"]


def _output(trial: TrialView) -> Iterator[Piece]:
    output = trial.transcript.outcome.output
    if output is UNSET or output is None:
        if trial.stop == "completed":
            raise GraderError("the trial has no output")
        return
    yield from of_value(output, "the output")


def _events(place: Where, trial: TrialView) -> Iterator[Piece]:
    for event in trial.transcript.events:
        if place == "tools" and isinstance(event, ToolCall):
            yield from _leaves(event.arguments, f"event {event.seq}, arguments of {event.name}", ())
        elif place == "retrievals" and isinstance(event, Retrieval):
            yield from _leaves(event.query, f"event {event.seq}, query of {event.name}", ())
        elif place == "messages" and isinstance(event, Message) and _is_own(event):
            yield from _leaves(event.content, f"event {event.seq}, message", ())


def _is_own(message: Message) -> bool:
    return message.role.lower() not in _OTHERS


def _artifact(path: str, index: int, workspace: Path | None) -> str | None:
    """Return the text of an artifact; null where it is none. It must lie inside the workspace."""
    if workspace is None:
        raise GraderError("the trial's files are gone, so its artifacts cannot be looked through")
    pure = PurePosixPath(path)
    file = workspace.joinpath(*pure.parts) if not pure.is_absolute() else Path(path)
    root = workspace.resolve()
    if not file.resolve().is_relative_to(root):
        raise GraderError(f"artifact {index} lies outside the trial's folder")
    try:
        if file.stat().st_size > _MOST_BYTES:
            raise GraderError(f"artifact {index} is larger than {_MOST_BYTES:,} bytes")
        return file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    except OSError as error:
        reason = error.strerror or "unreadable"
        raise GraderError(f"artifact {index} cannot be read: {reason}") from error
