"""Each provider's client is built from its name, and speaks its own wire format."""

from __future__ import annotations

from typing import Any

import pytest

from probare.providers import Models
from probare.testing.servers import Reply, serving

KEY = "not-a-real-key"
CHAT = {
    "id": "x",
    "object": "chat.completion",
    "created": 1,
    "model": "gpt-4o-mini",
    "choices": [
        {"index": 0, "message": {"role": "assistant", "content": "Hi"}, "finish_reason": "stop"}
    ],
    "usage": {"prompt_tokens": 30, "completion_tokens": 4, "total_tokens": 34},
}
CLAUDE = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "claude-haiku-4-5",
    "content": [{"type": "text", "text": "Hi"}],
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "usage": {"input_tokens": 10, "cache_read_input_tokens": 20, "output_tokens": 4},
}
GEMINI = {
    "candidates": [
        {"content": {"role": "model", "parts": [{"text": "Hi"}]}, "finishReason": "STOP"}
    ],
    "usageMetadata": {
        "promptTokenCount": 30,
        "candidatesTokenCount": 4,
        "totalTokenCount": 34,
        "cachedContentTokenCount": 20,
    },
    "modelVersion": "gemini-2.5-flash",
}


@pytest.mark.parametrize(
    ("name", "environment", "answer", "path", "priced"),
    [
        (
            "openai:gpt-4o-mini",
            {"OPENAI_BASE_URL": "{url}/v1", "OPENAI_API_KEY": KEY},
            CHAT,
            "/v1/chat/completions",
            True,
        ),
        (
            "azure:deployed",
            {"AZURE_OPENAI_ENDPOINT": "{url}", "AZURE_OPENAI_API_KEY": KEY},
            CHAT,
            "/openai/deployments/deployed/chat/completions?api-version=2024-10-21",
            True,
        ),
        (
            "azure:deployed",
            {"AZURE_OPENAI_ENDPOINT": "{url}/openai/v1", "AZURE_OPENAI_API_KEY": KEY},
            CHAT,
            "/openai/v1/chat/completions",
            True,
        ),
        (
            "ollama:llama3.2",
            {"OLLAMA_BASE_URL": "{url}/v1"},
            CHAT,
            "/v1/chat/completions",
            False,
        ),
        (
            "openai-compatible:mine",
            {"OPENAI_COMPATIBLE_BASE_URL": "{url}/v1", "OPENAI_COMPATIBLE_API_KEY": KEY},
            CHAT,
            "/v1/chat/completions",
            False,
        ),
        (
            "anthropic:claude-haiku-4-5",
            {"ANTHROPIC_BASE_URL": "{url}", "ANTHROPIC_API_KEY": KEY},
            CLAUDE,
            "/v1/messages",
            True,
        ),
        (
            "google:gemini-2.5-flash",
            {"GOOGLE_GEMINI_BASE_URL": "{url}", "GOOGLE_API_KEY": KEY},
            GEMINI,
            "/v1beta/models/gemini-2.5-flash:generateContent",
            True,
        ),
    ],
)
def test_a_plain_reply(
    question: Any,
    name: str,
    environment: dict[str, str],
    answer: Any,
    path: str,
    priced: bool,
) -> None:
    with serving(Reply.of(answer)) as server:
        url = server.url.rstrip("/")
        there = {variable: value.format(url=url) for variable, value in environment.items()}
        with Models(there) as models:
            models.check(name)
            reply = models.ask(question(model=name, max_tokens=9, temperature=0.5))
    assert (reply.text, reply.finish) == ("Hi", "stop")
    assert reply.usage is not None
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (30, 4)
    assert reply.usage.cached_tokens == (None if answer is CHAT else 20)
    assert (reply.usage.cost_usd is not None) is priced
    [request] = server.requests
    assert request.path == path
    asked = any(KEY in value for value in request.headers.values())
    assert asked is (KEY in environment.values())
    assert b"Be brief." in request.body


def test_servers_of_ones_own_are_told_the_old_word_for_the_limit(question: Any) -> None:
    with serving(Reply.of(CHAT)) as server:
        there = {"OPENAI_COMPATIBLE_BASE_URL": f"{server.url}v1"}
        with Models(there) as models:
            models.ask(question(model="openai-compatible:m", max_tokens=9))
    assert server.requests[0].value["max_tokens"] == 9
