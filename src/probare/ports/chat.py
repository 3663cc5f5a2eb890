"""A chat model as the other rooms see it: asked with messages, it answers with a reply.

Providers implement it; targets of kind `model`, judges and simulated users ask it. Field names
follow OpenTelemetry's GenAI conventions where one exists.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Protocol, TypeAlias

import msgspec

from probare.model.outcome import UsageTotal

Role: TypeAlias = Literal["system", "user", "assistant", "tool"]
Finish: TypeAlias = Literal["stop", "length", "tool_calls", "content_filter", "refused", "unknown"]


class ChatToolCall(msgspec.Struct, frozen=True, kw_only=True):
    """The model asks for a tool. `arguments` are its JSON, or the text where it is not JSON."""

    id: str
    name: str
    arguments: Any


class ChatMessage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One message. `tool_calls` are an assistant's; `call_id` and `name` a tool's answer's."""

    role: Role
    content: str = ""
    tool_calls: tuple[ChatToolCall, ...] = ()
    call_id: str | None = None
    name: str | None = None


class ChatTool(msgspec.Struct, frozen=True, kw_only=True):
    """A tool that the model may call: `parameters` is its arguments' JSON Schema."""

    name: str
    description: str = ""
    parameters: dict[str, Any] = {}


class ChatRequest(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a model is asked. `model` is a name such as `openai:gpt-4.1-mini`.

    `output` is a JSON Schema that the reply's text should keep to (structured output), where the
    provider can; `purpose`, `case`, `trial` and `turn` say what the question is for: they are part
    of the cache's key, so that two trials are two samples. `timeout` is in seconds.
    """

    model: str
    messages: tuple[ChatMessage, ...]
    tools: tuple[ChatTool, ...] = ()
    output: dict[str, Any] | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    timeout: float | None = None
    purpose: str = "target"
    case: str = ""
    trial: int = 0
    turn: int = 0


class ChatReply(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a model answered, as it answered it.

    `text` is null where there is none; `refusal` is the provider's own word of a refusal.
    `structured` says that the provider was held to the request's schema. `usage` counts cached
    tokens once, inside the input; its cost is null where the price is unknown. `model` is the
    one that answered. `cached` replies cost nothing now.
    """

    text: str | None
    model: str
    finish: Finish = "unknown"
    tool_calls: tuple[ChatToolCall, ...] = ()
    refusal: str | None = None
    structured: bool = False
    usage: UsageTotal | None = None
    first_token_ms: float | None = None
    cached: bool = False


def name_fault(model: str) -> str:
    """Say what is wrong with a model's name, "" where it is `provider:model`. Which providers
    there are is known when they are asked.
    """
    provider, colon, name = model.partition(":")
    if provider and colon and name and model == model.strip() and model.isprintable():
        return ""
    return f"'{model}' names no model: write provider:model, such as openai:gpt-4.1-mini"


class ChatModels(Protocol):
    """All chat models, by name. Limits that a provider sets are shared by all who ask it."""

    def check(self, model: str) -> None:
        """Raise InputError where the model cannot be had: an unknown provider, a key not set
        (the variable is named), an extra that is not installed. Asks nobody.
        """
        ...

    async def complete(
        self, request: ChatRequest, on_piece: Callable[[str], None] | None = None
    ) -> ChatReply:
        """Return the reply; pieces of its text are told as they come.

        Raises InfraError where the provider fails for good: a refusal or an odd answer is a
        reply, not an error.
        """
        ...

    def ask(self, request: ChatRequest) -> ChatReply:
        """Return the reply, from a thread that may wait. Raises as `complete`."""
        ...
