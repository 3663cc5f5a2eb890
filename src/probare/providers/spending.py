"""Tokens and money of a reply. What is not known is null, never 0.

Prices are genai-prices' list as it was installed; nothing is fetched.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from probare.model.outcome import UsageTotal
from probare.providers.endpoints import Endpoint

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse

_BY_ADDRESS = ("openai-compatible", "ollama")


def usage_of(response: ModelResponse, endpoint: Endpoint, *, said: bool) -> UsageTotal | None:
    """Return the usage as the provider reported it; null where it reported none.

    Cached tokens are inside the input. Numbers that cannot be (no input at all, no output though
    something was `said`, more cached than there is input) are unknown.
    """
    usage = response.usage
    if usage.unmeasured_requests:
        return None
    given = usage.input_tokens if _above(usage.input_tokens, 0) else None
    made = usage.output_tokens if _above(usage.output_tokens, 0 if said else -1) else None
    cached = usage.cache_read_tokens
    if given is None and made is None:
        return None
    return UsageTotal(
        input_tokens=given,
        output_tokens=made,
        cached_tokens=cached if given is not None and 0 < cached <= given else None,
        cost_usd=None if given is None or made is None else _cost(response, endpoint),
    )


def _above(value: object, least: int) -> bool:
    return isinstance(value, int) and value > least


def _cost(response: ModelResponse, endpoint: Endpoint) -> float | None:
    """Return US dollars, or null where the price list does not know the model.

    `openai-compatible` and `ollama` servers are known by their address alone: the same name
    elsewhere has another price.
    """
    from genai_prices import calc_price

    for name in dict.fromkeys((response.model_name or endpoint.model, endpoint.model)):
        try:
            if endpoint.provider in _BY_ADDRESS:
                price = calc_price(response.usage, name, provider_api_url=endpoint.url or "")
            else:
                price = calc_price(response.usage, name, provider_id=endpoint.provider)
        except (LookupError, ValueError):
            continue
        return float(price.total_price)
    return None
