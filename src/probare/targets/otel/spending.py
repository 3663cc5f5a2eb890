"""The usage that a span states: tokens and money, by all the names they go by.

Cached tokens are inside the input, counted once (GenAI conventions, `gen_ai.usage.input_tokens`).
Where a span states more cached tokens than input, it keeps them apart, and they are added.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from probare.model.event import Usage
from probare.targets.otel.attributes import amount, count, text

_INPUT = (
    "gen_ai.usage.input_tokens",
    "gen_ai.usage.prompt_tokens",
    "llm.usage.prompt_tokens",
    "llm.token_count.prompt",
)
_OUTPUT = (
    "gen_ai.usage.output_tokens",
    "gen_ai.usage.completion_tokens",
    "llm.usage.completion_tokens",
    "llm.token_count.completion",
)
_CACHED = (
    "gen_ai.usage.cache_read.input_tokens",
    "gen_ai.usage.cache_read_input_tokens",
    "gen_ai.usage.cached_tokens",
    "gen_ai.usage.details.cache_read_tokens",
    "gen_ai.usage.details.cached_tokens",
    "llm.usage.cache_read_input_tokens",
    "llm.token_count.prompt_details.cache_read",
)
_TOTAL = (
    "gen_ai.usage.total_tokens",
    "llm.usage.total_tokens",
    "llm.token_count.total",
)
_COST = ("gen_ai.usage.cost", "operation.cost", "llm.cost.total", "llm.usage.cost")
_MODEL = ("gen_ai.response.model", "gen_ai.request.model", "llm.model_name", "llm.request.model")


def usage_of(attributes: Mapping[str, Any]) -> Usage | None:
    """Return what a span states that it used, or None where it states nothing.

    A total alone says neither input nor output: these stay null.
    """
    inputs, outputs = count(attributes, *_INPUT), count(attributes, *_OUTPUT)
    cached, cost = count(attributes, *_CACHED), amount(attributes, *_COST)
    total = count(attributes, *_TOTAL)
    if inputs is None and outputs is None and cost is None and total is None:
        return None
    if inputs is not None and cached is not None and cached > inputs:
        inputs += cached
    model = text(attributes, *_MODEL)
    known = total is not None and (inputs is None or outputs is None)
    return Usage(
        input_tokens=inputs,
        output_tokens=outputs,
        cached_tokens=cached or None,
        cost_usd=cost,
        model=None if model == "unknown" else model,
        attributes={"total_tokens": total} if known else {},
    )
