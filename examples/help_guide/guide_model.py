"""The chat model that writes the guide's replies: which one, and its reply as a stream.

How it is reached is Probare's `providers` room's affair (docs/models.md). Without a model's name
there is none, whatever keys are set, so that nothing leaves the machine by accident.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field

from probare.ports.chat import ChatMessage, ChatModels, ChatReply, ChatRequest
from prompt import ChatMessages

TEMPERATURE = 0.3
_PREFIXES = ("openai", "azure", "anthropic", "google", "ollama", "openai-compatible")


class ModelStopped(Exception):
    """The model left its reply unfinished, or refused it."""


@dataclass(frozen=True)
class GuideModel:
    """A model by name, asked through `models`."""

    name: str
    models: ChatModels = field(repr=False)
    temperature: float = TEMPERATURE
    case: str = ""
    trial: int = 0

    async def stream(
        self, messages: ChatMessages, on_reply: Callable[[ChatReply], None]
    ) -> AsyncIterator[str]:
        """Yield the reply's pieces as they come; tell of the whole reply at its end.

        Raises InfraError where the provider fails, ModelStopped where the model did not finish:
        half a reply is not a reply.
        """
        request = ChatRequest(
            model=self.name,
            messages=tuple(ChatMessage(**message) for message in messages),
            temperature=self.temperature,
            timeout=60.0,
            case=self.case,
            trial=self.trial,
        )
        pieces: asyncio.Queue[str | None] = asyncio.Queue()
        asking = asyncio.create_task(self.models.complete(request, pieces.put_nowait))
        asking.add_done_callback(lambda _: pieces.put_nowait(None))
        try:
            while (piece := await pieces.get()) is not None:
                yield piece
            reply = await asking
        finally:
            asking.cancel()
        on_reply(reply)
        if reply.finish != "stop":
            raise ModelStopped(f"the model stopped early: {reply.refusal or reply.finish}")


def name_of(environment: Mapping[str, str], model: str | None = None) -> str | None:
    """Return the full name of the model that `model` or HELP_MODEL names, or None.

    Without a provider before it, it is Azure's where AZURE_OPENAI_ENDPOINT is set, else OpenAI's.
    """
    name = model or environment.get("HELP_MODEL")
    if not name or name.partition(":")[0] in _PREFIXES:
        return name or None
    provider = "azure" if environment.get("AZURE_OPENAI_ENDPOINT") else "openai"
    return f"{provider}:{name}"
