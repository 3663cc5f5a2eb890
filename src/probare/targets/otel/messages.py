"""Messages as instrumentations write them, read into one form.

Two shapes: with `parts` (the GenAI conventions, pydantic-ai), and as chat APIs have them, with
`content` and `tool_calls`. Thinking is left out: it is not said to anybody.
"""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from probare.encoding.narrow import mapping, sequence
from probare.grading.placeholders import text_of
from probare.targets.otel.attributes import json_of, structured
from probare.targets.otel.reading import Answered, Asked, Said

_THINKING = ("reasoning", "thinking")
_TEXTS = ("text", "input_text", "output_text")
_ROLES = {"human": "user", "ai": "assistant", "model": "assistant", "developer": "system"}


def role_of(value: Any) -> str:
    """Return a role by its usual name."""
    role = value if isinstance(value, str) and value else "unknown"
    return _ROLES.get(role.casefold(), role)


def with_parts(message: Any) -> Said:
    """Read a message with `parts`. A part of text without its text was not captured."""
    fields = mapping(message)
    asks: list[Asked] = []
    answers: list[Answered] = []
    rest: list[Any] = []
    for part in sequence(fields.get("parts")):
        piece = mapping(part)
        kind = piece.get("type")
        if kind == "tool_call":
            asks.append(_asked(piece, piece.get("arguments", UNSET)))
        elif kind == "tool_call_response":
            got = piece["response"] if "response" in piece else piece.get("result", UNSET)
            answers.append(Answered(_text(piece.get("name")), structured(got), _id(piece)))
        elif kind not in _THINKING:
            rest.append(part)
    return Said(role_of(fields.get("role")), content(rest), tuple(asks), tuple(answers))


def of_chat(message: Any) -> Said:
    """Read a message of a chat API, the key `message` around it undone."""
    fields = mapping(message)
    fields = mapping(fields.get("message")) or fields
    if "parts" in fields:
        return with_parts(fields)
    role = role_of(fields.get("role"))
    if role in ("tool", "function"):
        name = _text(fields.get("name"))
        got = fields.get("content", UNSET)
        answer = Answered(
            name, structured(got), _text(fields.get("tool_call_id", fields.get("id")))
        )
        return Said("tool", None, (), (answer,))
    asks = [chat_call(call) for call in sequence(fields.get("tool_calls"))]
    inner = mapping(fields.get("function_call"))
    if inner:
        asks.append(_asked(inner, inner.get("arguments", UNSET)))
    said = content(fields.get("content", None if asks else UNSET))
    return Said(role, said, tuple(asks))


def chat_call(call: Any) -> Asked:
    """Read a call as OpenAI writes it (`function: {name, arguments}`), or flat."""
    fields = mapping(call)
    fields = mapping(fields.get("tool_call")) or fields
    inner = mapping(fields.get("function")) or fields
    return _asked({**inner, "id": fields.get("id")}, inner.get("arguments", UNSET))


def content(value: Any) -> Any:
    """Return content as its text, if all of it is text; null where there is none, UNSET where
    it was not captured, and its parts as they are where some are no text.
    """
    if not isinstance(value, list):
        return value if value != "" else None
    parts = [part for part in sequence(value) if mapping(part).get("type") not in _THINKING]
    if not parts:
        return None
    texts: list[str] = []
    for part in parts:
        piece = mapping(part)
        if isinstance(part, str):
            texts.append(part)
        elif piece.get("type", "text") in _TEXTS:
            said = piece.get("content", piece.get("text"))
            if said is None:
                return UNSET
            texts.append(text_of(said))
        else:
            return parts
    return "".join(texts) or None


def arguments(value: Any) -> Any:
    """Return arguments written as JSON text as their value; other text as it is, so that
    malformed arguments match none.
    """
    if not isinstance(value, str):
        return value
    found = json_of(value)
    return value if found is UNSET else found


def _asked(fields: dict[str, Any], given: Any) -> Asked:
    return Asked(_text(fields.get("name")) or "unknown", arguments(given), _id(fields))


def _id(fields: dict[str, Any]) -> str | None:
    return _text(fields.get("id"))


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
