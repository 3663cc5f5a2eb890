"""A question, and a way to ask it from an event loop with its pieces."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Protocol

import pytest

from probare.ports.chat import ChatMessage, ChatReply, ChatRequest
from probare.providers import Models


class Asking(Protocol):
    def __call__(self, text: str = ..., **more: Any) -> ChatRequest: ...


@pytest.fixture
def question() -> Asking:
    """A question to gpt-4.1-mini, whose price is known."""

    def made(text: str = "Who are you?", **more: Any) -> ChatRequest:
        messages = (
            ChatMessage(role="system", content="Be brief."),
            ChatMessage(role="user", content=text),
        )
        fields: dict[str, Any] = {"model": "openai:gpt-4.1-mini", "messages": messages, **more}
        return ChatRequest(**fields)

    return made


@pytest.fixture
def completed() -> Callable[[Models, ChatRequest], tuple[ChatReply, list[str]]]:
    """Ask from an event loop, streamed; return the reply and its pieces."""

    def asked(models: Models, request: ChatRequest) -> tuple[ChatReply, list[str]]:
        pieces: list[str] = []
        return asyncio.run(models.complete(request, pieces.append)), pieces

    return asked
