from __future__ import annotations

from typing import Any

import pytest

from probare.model.event import Usage
from probare.targets.otel.spending import usage_of


@pytest.mark.parametrize(
    "attributes",
    [
        {
            "gen_ai.usage.input_tokens": 20,
            "gen_ai.usage.output_tokens": 7,
            "gen_ai.usage.cache_read.input_tokens": 8,
        },
        {
            "gen_ai.usage.prompt_tokens": 20,
            "gen_ai.usage.completion_tokens": 7,
            "gen_ai.usage.cache_read_input_tokens": 8,
            "llm.usage.total_tokens": 27,
        },
        {
            "llm.token_count.prompt": 20,
            "llm.token_count.completion": 7,
            "llm.token_count.total": 27,
            "llm.token_count.prompt_details.cache_read": 8,
        },
    ],
)
def test_cached_tokens_are_inside_the_input(attributes: dict[str, Any]) -> None:
    assert usage_of(attributes) == Usage(input_tokens=20, output_tokens=7, cached_tokens=8)


def test_more_cached_than_input_were_kept_apart() -> None:
    attributes = {"gen_ai.usage.input_tokens": 3, "gen_ai.usage.cache_read_input_tokens": 50}
    used = usage_of(attributes | {"gen_ai.usage.output_tokens": 1})
    assert used == Usage(input_tokens=53, output_tokens=1, cached_tokens=50)


def test_a_total_alone_says_neither_input_nor_output() -> None:
    used = usage_of({"llm.usage.total_tokens": 27})
    assert used == Usage(attributes={"total_tokens": 27})


def test_nothing_stated_is_no_usage_and_odd_numbers_are_not_stated() -> None:
    assert usage_of({"gen_ai.request.model": "m"}) is None
    assert usage_of({"gen_ai.usage.input_tokens": True, "gen_ai.usage.cost": -1.0}) is None


def test_cost_and_model() -> None:
    used = usage_of({"operation.cost": 0.25, "gen_ai.response.model": "m-1"})
    assert used == Usage(cost_usd=0.25, model="m-1")
    used = usage_of({"gen_ai.usage.input_tokens": 1, "gen_ai.request.model": "unknown"})
    assert used is not None
    assert used.model is None
