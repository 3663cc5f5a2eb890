"""Recorded chats: JSON lines of OpenAI-style messages.

A line is a list of messages, or an object with `messages` and, if known, `id`, `trial`,
`usage` and `recorded` (or `scores`, or `reward`). Numbers in what is recorded become required
checks that the number is 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from probare.encoding import jsonbytes
from probare.encoding.narrow import mapping, sequence
from probare.errors import InputError, Place
from probare.loading.importing.messages import events_of, last_reply
from probare.loading.importing.recording import (
    Recording,
    count,
    placeholder_name,
    trial_number,
)
from probare.model.event import Event, Usage
from probare.model.outcome import Outcome


def read_chat(path: Path) -> Iterator[Recording]:
    """Yield each conversation of a file. Raises InputError naming the line that is wrong."""
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                place = Place(str(path), number)
                yield _recording(_line(line, place), place)


def _line(line: bytes, place: Place) -> dict[str, Any]:
    try:
        value: Any = jsonbytes.decode_strict(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"not a line of JSON: {error}", place=place) from None
    found: dict[str, Any] = {"messages": value} if isinstance(value, list) else mapping(value)
    if not sequence(found.get("messages")):
        raise InputError(
            "no conversation",
            place=place,
            hint='a line is [{"role": …, "content": …}, …] or {"messages": […]}',
        )
    return found


def _recording(line: dict[str, Any], place: Place) -> Recording:
    messages = cast("list[Any]", line["messages"])
    recorded = _recorded(line)
    scores = [name for name, value in recorded.items() if isinstance(value, int | float)]
    reply = last_reply(messages)
    outcome = Outcome(output=reply, recorded=recorded) if reply is not None else Outcome()
    return Recording(
        case=str(line.get("id", f"conversation_{place.line}")),
        trial=trial_number(line.get("trial", 0), str(place)),
        input={"messages": _before_reply(messages)},
        events=(*events_of(messages), *_usage(line)),
        outcome=outcome,
        checks=tuple(
            {"equals": 1.0, "in": f"$recorded.{name}", "label": f"recorded {name}"}
            for name in scores
        ),
    )


def _recorded(line: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key in ("recorded", "scores"):
        found.update(mapping(line.get(key)))
    if "reward" in line:
        found["reward"] = line["reward"]
    return {
        placeholder_name(name): float(value) if isinstance(value, bool) else value
        for name, value in found.items()
    }


def _before_reply(messages: list[Any]) -> list[Any]:
    """The messages before the first answer: what the agent was given."""
    for number, message in enumerate(messages):
        if mapping(message).get("role") == "assistant":
            return messages[:number]
    return messages


def _usage(line: dict[str, Any]) -> Iterator[Event]:
    usage = line.get("usage")
    fields = mapping(usage)
    if not fields:
        return
    model = line.get("model")
    details = mapping(fields.get("prompt_tokens_details"))
    yield Usage(
        input_tokens=count(fields.get("prompt_tokens", fields.get("input_tokens"))),
        output_tokens=count(fields.get("completion_tokens", fields.get("output_tokens"))),
        cached_tokens=count(details.get("cached_tokens")),
        model=model if isinstance(model, str) else None,
    )
