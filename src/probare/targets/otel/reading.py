"""What one span says, in Probare's terms: the form that every dialect is read into.

UNSET stands for what the span does not carry (content capture is off, say); null is a value.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET

from probare.model.event import Usage
from probare.targets.otel.spans import Span

Does: TypeAlias = Literal["model", "tool", "retrieval", "agent", "other"]


class Asked(msgspec.Struct, frozen=True):
    """A call that a model asked for, in one of its messages."""

    name: str
    arguments: Any = UNSET
    call_id: str | None = None


class Answered(msgspec.Struct, frozen=True):
    """A tool's result, as it stands in a message to the model."""

    name: str | None = None
    result: Any = UNSET
    call_id: str | None = None


class Said(msgspec.Struct, frozen=True):
    """A message: its role, its content (None where it has none), its calls and results."""

    role: str
    content: Any = None
    asks: tuple[Asked, ...] = ()
    answers: tuple[Answered, ...] = ()


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """One span, read.

    `inputs` and `outputs` are those of a model's span, or, of an agent's, the conversation as it
    keeps it. `given` is a tool's arguments or a retriever's query, `got` its result or documents.
    `raw` is a tool's input that is no object of arguments: as printed, not as passed. `usage` is
    null where the span states none. `torn` names attributes that are there but cannot be read.
    """

    dialect: str
    does: Does
    span: Span
    name: str = ""
    inputs: tuple[Said, ...] | None = None
    outputs: tuple[Said, ...] | None = None
    given: Any = UNSET
    got: Any = UNSET
    raw: Any = UNSET
    call_id: str | None = None
    usage: Usage | None = None
    torn: tuple[str, ...] = ()
