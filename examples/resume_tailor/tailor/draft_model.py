"""The chat model that drafts: which one, and its answer.

How it is reached is Probare's `providers` room's affair (docs/models.md). Its name comes from the
mapping of variables that the caller hands over, so that two callers can have different ones at
the same time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from probare.ports.chat import ChatMessage, ChatModels, ChatReply, ChatRequest

MODEL_VARIABLES = ("DRAFT_MODEL", "MODEL")
TEMPERATURE = 0.2
_PREFIXES = ("openai", "azure", "anthropic", "google", "ollama", "openai-compatible")

OnReply = Callable[[ChatReply], None]


class ModelStopped(Exception):
    """The model left its answer unfinished, or refused it."""


@dataclass(frozen=True)
class DraftModel:
    """A model by name, asked through `models`."""

    name: str
    models: ChatModels = field(repr=False)
    temperature: float = TEMPERATURE
    case: str = ""
    trial: int = 0

    def answer(
        self, messages: list[dict[str, str]], schema: dict[str, Any], on_reply: OnReply
    ) -> str:
        """Return a JSON answer that should fit the schema; tell of the whole reply.

        Raises InfraError where the provider fails, ModelStopped where the model did not finish:
        half an answer is none.
        """
        request = ChatRequest(
            model=self.name,
            messages=tuple(ChatMessage(**message) for message in messages),
            output=schema,
            temperature=self.temperature,
            timeout=60.0,
            case=self.case,
            trial=self.trial,
        )
        reply = self.models.ask(request)
        on_reply(reply)
        if reply.refusal is not None:
            raise ModelStopped(f"the model refused: {reply.refusal}")
        if reply.finish != "stop":
            raise ModelStopped(f"the model stopped early: {reply.finish}")
        return reply.text or ""


def name_of(variables: Mapping[str, str], model: str | None = None) -> str | None:
    """Return the full name of the model that `model`, DRAFT_MODEL or MODEL names, in this order,
    or None. Without a provider before it, it is OpenAI's.
    """
    names = [model, *(variables.get(variable) for variable in MODEL_VARIABLES)]
    name = next((name for name in names if name), None)
    if name is None or name.partition(":")[0] in _PREFIXES:
        return name
    return f"openai:{name}"
