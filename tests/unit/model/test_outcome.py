from __future__ import annotations

import pytest

from probare.model.event import Event, Note, Usage
from probare.model.outcome import UsageTotal, total_usage


def test_cached_tokens_are_inside_the_input_and_counted_once() -> None:
    """Field reports B98 and B99."""
    total = total_usage([Usage(input_tokens=10, cached_tokens=5, output_tokens=20)])
    assert total is not None
    assert total == UsageTotal(input_tokens=10, cached_tokens=5, output_tokens=20)
    assert total.total_tokens == 30
    assert total.cost_usd is None
    big = total_usage([Usage(input_tokens=17_903, cached_tokens=17_817, output_tokens=0)])
    assert big is not None
    assert big.total_tokens == 17_903
    assert (big.input_tokens or 0) - (big.cached_tokens or 0) == 86


@pytest.mark.parametrize(
    ("costs", "total"),
    [
        ([0.1, 0.2], pytest.approx(0.3)),
        ([0.0], 0.0),
        ([0.1, None], None),
        ([None], None),
        ([None, None], None),
    ],
)
def test_an_unknown_price_is_null_never_nought(costs: list[float | None], total: object) -> None:
    events = [Usage(cost_usd=cost) for cost in costs]
    found = total_usage(events)
    assert found is not None
    assert found.cost_usd == total


def test_tokens_of_which_a_part_is_unknown_are_unknown() -> None:
    found = total_usage([Usage(input_tokens=3, output_tokens=1), Usage(input_tokens=4)])
    assert found is not None
    assert found == UsageTotal(input_tokens=7)
    assert found.total_tokens is None


def test_usage_is_added_up_over_all_calls() -> None:
    events: list[Event] = [
        Usage(input_tokens=3, output_tokens=1, cost_usd=0.5, cached_tokens=2),
        Note(text="between"),
        Usage(input_tokens=4, output_tokens=2, cost_usd=0.25),
    ]
    expected = UsageTotal(input_tokens=7, output_tokens=3, cost_usd=0.75, cached_tokens=2)
    assert total_usage(events) == expected


@pytest.mark.parametrize("events", [[], [Note(text="nothing")]])
def test_no_usage_is_none(events: list[Event]) -> None:
    assert total_usage(events) is None
