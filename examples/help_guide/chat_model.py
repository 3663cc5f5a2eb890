"""A chat model behind an OpenAI-compatible or Azure OpenAI endpoint, streamed.

Where it is comes from the environment (README, "With a model"). Without a model's name there is
none, whatever keys are set, so that nothing leaves the machine by accident.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
from httpx_sse import SSEError, aconnect_sse

from prompt import ChatMessages

TEMPERATURE = 0.3
AZURE_API_VERSION = "2024-10-21"


class ModelMisconfigured(ValueError):
    """The environment names a model but not how to reach it."""


class ModelFailure(Exception):
    """The endpoint failed or broke off. `status` is null where no answer came.

    `retry_after` is that header's value as it was sent; `retryable` says whether another try
    can help.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        retry_after: str | None = None,
        retryable: bool = True,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.retry_after = retry_after
        self.retryable = retryable


@dataclass(frozen=True, slots=True)
class Usage:
    """What one reply cost, as the endpoint reports it. Cached tokens are inside the input."""

    model: str
    input_tokens: int | None
    output_tokens: int | None
    cached_tokens: int | None


@dataclass(frozen=True)
class ChatModel:
    """One model at one endpoint. `headers` hold the key, so they stay out of `repr`."""

    model: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    temperature: float = TEMPERATURE
    timeout: float = 60.0

    async def stream(
        self, messages: ChatMessages, on_usage: Callable[[Usage], None]
    ) -> AsyncIterator[str]:
        """Yield the reply's pieces as they come; report usage where the endpoint sends it.

        Raises ModelFailure on an error answer, a broken stream, and a reply that the model did
        not finish: half a reply is not a reply.
        """
        body = {
            "model": self.model,
            "messages": messages,
            "temperature": self.temperature,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        finish: str | None = None
        async with self._events(body) as events:
            async for event in events:
                if event.data.strip() == "[DONE]":
                    break
                chunk = _read(event.data)
                if chunk.get("usage"):
                    on_usage(_usage(chunk, self.model))
                for choice in chunk.get("choices") or ():
                    finish = choice.get("finish_reason") or finish
                    piece = (choice.get("delta") or {}).get("content")
                    if piece:
                        yield piece
        if finish is None:
            raise ModelFailure("the stream ended before the reply was finished")
        if finish != "stop":
            raise ModelFailure(f"the model stopped early: {finish}", retryable=False)

    @asynccontextmanager
    async def _events(self, body: dict[str, Any]) -> AsyncIterator[AsyncIterator[Any]]:
        try:
            async with (
                httpx.AsyncClient(timeout=self.timeout, headers=dict(self.headers)) as client,
                aconnect_sse(client, "POST", self.url, json=body) as source,
            ):
                await _refuse_errors(source.response)
                yield source.aiter_sse()
        except (httpx.TransportError, SSEError) as error:
            detail = str(error) or type(error).__name__
            raise ModelFailure(f"the connection to the model failed: {detail}") from error


async def _refuse_errors(response: httpx.Response) -> None:
    if response.is_success:
        return
    detail = (await response.aread()).decode("utf-8", "replace")[:500]
    status = response.status_code
    raise ModelFailure(
        f"the model's endpoint answered {status}: {detail}",
        status=status,
        retry_after=response.headers.get("retry-after"),
        retryable=status in (408, 429) or status >= 500,
    )


def _read(data: str) -> dict[str, Any]:
    try:
        chunk = json.loads(data)
    except ValueError:
        raise ModelFailure(f"the stream holds something that is not JSON: {data[:80]!r}") from None
    if not isinstance(chunk, dict):
        raise ModelFailure(f"the stream holds something that is no chunk: {data[:80]!r}")
    if chunk.get("error"):
        raise ModelFailure(f"the model failed in the middle of its reply: {chunk['error']}")
    return chunk


def _usage(chunk: dict[str, Any], model: str) -> Usage:
    usage = chunk["usage"]
    return Usage(
        model=chunk.get("model") or model,
        input_tokens=usage.get("prompt_tokens"),
        output_tokens=usage.get("completion_tokens"),
        cached_tokens=(usage.get("prompt_tokens_details") or {}).get("cached_tokens"),
    )


def from_environment(environment: Mapping[str, str], model: str | None = None) -> ChatModel | None:
    """Return the model that `model` or HELP_MODEL names, or None where neither does.

    The name may begin with `openai:` or `azure:`; without, it is Azure's where
    AZURE_OPENAI_ENDPOINT is set. Raises ModelMisconfigured, naming the variable that is missing.
    """
    name = model or environment.get("HELP_MODEL")
    if not name:
        return None
    provider, colon, rest = name.partition(":")
    if colon and provider in ("openai", "azure"):
        name = rest
    else:
        provider = "azure" if environment.get("AZURE_OPENAI_ENDPOINT") else "openai"
    if provider == "azure":
        return _azure(environment, name)
    return _openai(environment, name)


def _openai(environment: Mapping[str, str], name: str) -> ChatModel:
    base = environment.get("OPENAI_BASE_URL")
    key = environment.get("OPENAI_API_KEY")
    if not key and not base:
        raise ModelMisconfigured(f"the model {name} needs OPENAI_API_KEY, which is not set")
    return ChatModel(
        model=name,
        url=f"{(base or 'https://api.openai.com/v1').rstrip('/')}/chat/completions",
        headers={"Authorization": f"Bearer {key}"} if key else {},
    )


def _azure(environment: Mapping[str, str], name: str) -> ChatModel:
    missing = [
        variable
        for variable in ("AZURE_OPENAI_ENDPOINT", "AZURE_OPENAI_API_KEY")
        if not environment.get(variable)
    ]
    if missing:
        raise ModelMisconfigured(f"the model {name} needs {missing[0]}, which is not set")
    endpoint = environment["AZURE_OPENAI_ENDPOINT"].rstrip("/")
    deployment = environment.get("AZURE_OPENAI_DEPLOYMENT") or name
    version = environment.get("AZURE_OPENAI_API_VERSION") or AZURE_API_VERSION
    return ChatModel(
        model=deployment,
        url=f"{endpoint}/openai/deployments/{deployment}/chat/completions?api-version={version}",
        headers={"api-key": environment["AZURE_OPENAI_API_KEY"]},
    )
