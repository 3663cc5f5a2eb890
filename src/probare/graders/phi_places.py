"""Where identifiers may have gone: the output, tool arguments, retrievals, artifacts, messages.

Everything that is looked through becomes one text, with each value on lines of its own behind
its name ("patient name: …"), since a number is known by the label before it. A place is named by
its keys; a key that may itself be an identifier is named by its position.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias, cast

import msgspec
from msgspec import UNSET

from probare.encoding import jsonbytes
from probare.errors import GraderError
from probare.graders.artifact_files import Files
from probare.grading import transforms
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


class Texts(NamedTuple):
    """What there is to look through, and what cannot be: files that are no text, and faults."""

    pieces: list[Piece]
    blind: list[str]
    faults: list[str]


def of_trial(where: Sequence[Where], trial: TrialView) -> Texts:
    """Return the texts of a trial's places.

    Of tools and retrievals, what the agent passed to them; of messages, those that it wrote (the
    roles user, system, developer and tool are others'). Raises GraderError where the output is
    missing though the trial completed.
    """
    texts = Texts([], [], [])
    for place in dict.fromkeys(where):
        match place:
            case "output":
                texts.pieces.extend(_output(trial))
            case "artifacts":
                _look_into(Files(trial), texts)
            case _:
                texts.pieces.extend(_events(place, trial))
    return texts


def channels(where: Sequence[Where], trial: TrialView) -> list[Channel]:
    """Return the channels whose absence would show nothing. Files are looked for on disk too."""
    on_disk = trial.workspace is not None and trial.workspace.is_dir()
    seen = ("output", "artifacts") if on_disk else ("output",)
    return [cast("Channel", place) for place in where if place not in seen]


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


def _look_into(files: Files, texts: Texts) -> None:
    """Add the names and the contents of the files. A file is told by its number: its name may be
    an identifier.
    """
    for index, path in enumerate(files.paths()):
        name = _WORDS.sub(" ", path.rpartition("/")[2].rpartition(".")[0] or path)
        texts.pieces.append(Piece(f"the name of artifact {index}", name))
        try:
            content = files.read(path, _MOST_BYTES).decode("utf-8-sig")
        except UnicodeDecodeError:
            texts.blind.append(f"artifact {index} is no text")
        except GraderError as error:
            texts.faults.append(error.message.replace(f"'{path}'", str(index)))
        else:
            texts.pieces.extend(of_value(content, f"artifact {index}"))
