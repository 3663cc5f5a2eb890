"""Values and events as people read them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probare.model.event import ToolCall, ToolResult, Usage
from probare.reporting.events import told, value_text
from probare.testing import strategies


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a\nb", "a\nb"),
        ({}, "{}"),
        (None, "null"),
        ([1, "x", True], '[1, "x", true]'),
        (
            {"short": {"a": 1}, "long": ["y" * 30, "z" * 30]},
            '{\n  "short": {"a": 1},\n  "long": [\n    "'
            + "y" * 30
            + '",\n    "'
            + "z" * 30
            + '"\n'
            "  ]\n}",
        ),
    ],
)
def test_a_value(value: Any, text: str) -> None:
    assert value_text(value) == text


_JSON = strategies.json_values(text=st.text("aé\n", max_size=30), max_leaves=12)


@settings(max_examples=60, deadline=None)
@given(_JSON.filter(lambda value: not isinstance(value, str)))
def test_what_is_shown_is_the_value(value: Any) -> None:
    assert json.loads(value_text(value)) == value


def test_an_argument_that_is_null_is_shown() -> None:
    event = ToolCall(name="look", arguments={"drug": None})
    assert told(event).parts == [("drug", None)]
    assert told(ToolCall(name="look")).parts == []


def test_a_result_that_failed_says_so() -> None:
    found = told(ToolResult(name="look", error="no", duration_ms=2.0))
    assert (found.title, found.style) == ("look failed in 2 ms", "red")


def test_usage_that_is_not_known() -> None:
    assert told(Usage()).title == "usage: unknown"
    assert told(Usage(output_tokens=1200, cost_usd=0.5)).title == (
        "usage: 1,200 output tokens, $0.5000"
    )
