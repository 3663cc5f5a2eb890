"""pydantic-ai's model for an endpoint.

What pydantic-ai would change for an agent's comfort is turned off: the text is the model's whole
text, with its thinking tags, and a stream without a finish is a broken one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from probare.providers.endpoints import Endpoint

if TYPE_CHECKING:
    from pydantic_ai.models import Model

NO_TAGS = ("\x00thinking\x00", "\x00/thinking\x00")
_NO_KEY = "no-key"


def model_of(endpoint: Endpoint, http: Any) -> Model[Any]:
    """Return the model, which asks through the HTTP client `http`."""
    return _BUILDERS[endpoint.provider](endpoint, http)


def http_client() -> Any:
    """Return the HTTP client that all models share; to be closed by `aclose`."""
    from pydantic_ai.models import create_async_httpx2_client

    return create_async_httpx2_client()


def _profile(provider: Any, model: str, *, own: bool = False) -> Any:
    """Return the provider's profile of a model. A server of one's `own` may know old fields only:
    `max_tokens`, not `max_completion_tokens`.
    """
    from pydantic_ai.profiles import merge_profile
    from pydantic_ai.profiles.openai import OpenAIModelProfile

    return merge_profile(
        provider.model_profile(model),
        OpenAIModelProfile(
            thinking_tags=NO_TAGS,
            may_tokenize_special_tokens_in_content=False,
            openai_chat_streaming_requires_finish_reason=True,
            supports_json_object_output=False,
        ),
        OpenAIModelProfile(openai_chat_supports_max_completion_tokens=False) if own else None,
    )


def _chat(endpoint: Endpoint, provider: Any, *, own: bool = False) -> Model[Any]:
    from pydantic_ai.models.openai import OpenAIChatModel

    profile = _profile(provider, endpoint.model, own=own)
    return OpenAIChatModel(endpoint.model, provider=provider, profile=profile)


def _openai(endpoint: Endpoint, http: Any) -> Model[Any]:
    from pydantic_ai.providers.openai import OpenAIProvider

    url = endpoint.url or "https://api.openai.com/v1"
    provider = OpenAIProvider(base_url=url, api_key=endpoint.key or _NO_KEY, http_client=http)
    return _chat(endpoint, provider)


def _compatible(endpoint: Endpoint, http: Any) -> Model[Any]:
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    provider = OpenAICompatibleProvider(
        "openai-compatible",
        base_url=cast("str", endpoint.url),
        api_key=endpoint.key or _NO_KEY,
        http_client=http,
    )
    return _chat(endpoint, provider, own=True)


def _azure(endpoint: Endpoint, http: Any) -> Model[Any]:
    from pydantic_ai.providers.azure import AzureProvider

    address = cast("str", endpoint.url)
    versionless = address.endswith("/v1") or ".models.ai.azure.com" in address
    provider = AzureProvider(
        azure_endpoint=address,
        api_key=endpoint.key,
        api_version=None if versionless else endpoint.version,
        http_client=http,
    )
    return _chat(endpoint, provider)


def _ollama(endpoint: Endpoint, http: Any) -> Model[Any]:
    from pydantic_ai.models.ollama import OllamaModel
    from pydantic_ai.providers.ollama import OllamaProvider

    provider = OllamaProvider(
        base_url=endpoint.url, api_key=endpoint.key or _NO_KEY, http_client=http
    )
    plain = OllamaModel(endpoint.model, provider=provider)
    held = bool(plain.profile.get("supports_json_schema_output"))  # not so in Ollama's cloud
    profile = {**_profile(provider, endpoint.model, own=True), "supports_json_schema_output": held}
    return OllamaModel(endpoint.model, provider=provider, profile=cast("Any", profile))


def _anthropic(endpoint: Endpoint, http: Any) -> Model[Any]:
    from anthropic import AsyncAnthropic
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    url = endpoint.url or "https://api.anthropic.com"
    client = AsyncAnthropic(api_key=endpoint.key, base_url=url, http_client=http)
    return AnthropicModel(endpoint.model, provider=AnthropicProvider(anthropic_client=client))


def _google(endpoint: Endpoint, http: Any) -> Model[Any]:
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    url = endpoint.url or "https://generativelanguage.googleapis.com"
    provider = GoogleProvider(api_key=endpoint.key, base_url=url, http_client=http)
    return GoogleModel(endpoint.model, provider=provider)


_BUILDERS: dict[str, Callable[[Endpoint, Any], Model[Any]]] = {
    "openai": _openai,
    "openai-compatible": _compatible,
    "azure": _azure,
    "ollama": _ollama,
    "anthropic": _anthropic,
    "google": _google,
}
