"""A chat model behind an OpenAI-compatible endpoint: a structured answer, streamed.

Where it is comes from the mapping of variables that the caller hands over, never from the
process's environment, so that two callers can have different ones at the same time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx
from httpx_sse import SSEError, connect_sse

MODEL_VARIABLES = ("DRAFT_MODEL", "MODEL")
TEMPERATURE = 0.2


class ModelMisconfigured(ValueError):
    """A model is named, but not how to reach it."""


class ModelFailure(Exception):
    """The endpoint failed or broke off; `status` is null where no answer came.

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


class ModelStopped(Exception):
    """The model left its answer unfinished, or refused it."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What one answer cost, as the endpoint reports it. Cached tokens are inside the input."""

    model: str
    input_tokens: int | None
    output_tokens: int | None
    cached_tokens: int | None


OnUsage = Callable[[Usage], None]


@dataclass(frozen=True)
class ChatModel:
    """One model at one endpoint. `headers` hold the key, so they stay out of `repr`."""

    model: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    temperature: float = TEMPERATURE
    timeout: float = 60.0

    def stream(
        self, messages: list[dict[str, str]], schema: Mapping[str, Any], on_usage: OnUsage
    ) -> Iterator[str]:
        """Yield the pieces of a JSON answer that fits the schema, as they come.

        Raises ModelFailure on an error answer and on a stream that breaks off, ModelStopped
        where the model did not finish: half an answer is none.
        """
        body = {
            "model": self.model,
            "messages": messages,
            "temperature": self.temperature,
            "stream": True,
            "stream_options": {"include_usage": True},
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "answer", "strict": True, "schema": schema},
            },
        }
        finish: str | None = None
        for chunk in self._chunks(body):
            if chunk.get("usage"):
                on_usage(_usage(chunk, self.model))
            for choice in chunk.get("choices") or ():
                finish = choice.get("finish_reason") or finish
                delta = choice.get("delta") or {}
                if delta.get("refusal"):
                    raise ModelStopped(f"the model refused: {delta['refusal']}")
                if delta.get("content"):
                    yield delta["content"]
        if finish is None:
            raise ModelFailure("the stream ended before the answer was finished")
        if finish != "stop":
            raise ModelStopped(f"the model stopped early: {finish}")

    def _chunks(self, body: dict[str, Any]) -> Iterator[dict[str, Any]]:
        try:
            with (
                httpx.Client(timeout=self.timeout, headers=dict(self.headers)) as client,
                connect_sse(client, "POST", self.url, json=body) as source,
            ):
                _refuse_errors(source.response)
                for event in source.iter_sse():
                    if event.data.strip() == "[DONE]":
                        return
                    yield _read(event.data)
        except (httpx.TransportError, SSEError) as error:
            detail = str(error) or type(error).__name__
            raise ModelFailure(f"the connection to the model failed: {detail}") from error


def from_variables(variables: Mapping[str, str], model: str | None = None) -> ChatModel | None:
    """Return the model that `model`, DRAFT_MODEL or MODEL names, in this order, or None.

    Raises ModelMisconfigured where there is neither a key nor an address for it.
    """
    names = [model, *(variables.get(variable) for variable in MODEL_VARIABLES)]
    name = next((name for name in names if name), None)
    if name is None:
        return None
    base = variables.get("OPENAI_BASE_URL")
    key = variables.get("OPENAI_API_KEY")
    if not key and not base:
        raise ModelMisconfigured(f"the model {name} needs OPENAI_API_KEY, which is not set")
    return ChatModel(
        model=name.removeprefix("openai:"),
        url=f"{(base or 'https://api.openai.com/v1').rstrip('/')}/chat/completions",
        headers={"Authorization": f"Bearer {key}"} if key else {},
    )


def _refuse_errors(response: httpx.Response) -> None:
    if response.is_success:
        return
    detail = response.read().decode("utf-8", "replace")[:500]
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
        raise ModelFailure(f"the model failed in the middle of its answer: {chunk['error']}")
    return chunk


def _usage(chunk: dict[str, Any], model: str) -> Usage:
    usage = chunk["usage"]
    return Usage(
        model=chunk.get("model") or model,
        input_tokens=usage.get("prompt_tokens"),
        output_tokens=usage.get("completion_tokens"),
        cached_tokens=(usage.get("prompt_tokens_details") or {}).get("cached_tokens"),
    )
