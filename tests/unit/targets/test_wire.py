from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from probare.encoding import jsonbytes
from probare.model.event import EVENT_TYPES, EventBase, Note, ToolCall, ToolResult, Usage
from probare.targets.wire import decode, event_from_wire, usage_from_wire

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
FIELDS = sorted({name for kind in EVENT_TYPES.values() for name in kind.__struct_fields__})


def test_a_known_kind() -> None:
    wire = {"kind": "tool_call", "name": "refund", "arguments": {"id": 1}, "call_id": "c"}
    event = event_from_wire(wire, source="claimed")
    assert event == ToolCall(source="claimed", name="refund", arguments={"id": 1}, call_id="c")


def test_a_remote_is_not_believed_about_source_number_and_clock() -> None:
    wire = {"kind": "tool_call", "name": "x", "source": "observed", "seq": 99, "at_ms": -5}
    assert event_from_wire(wire, source="claimed") == ToolCall(source="claimed", name="x")


def test_unknown_keys_become_attributes() -> None:
    wire = {"kind": "tool_result", "name": "x", "latency": 3, "attributes": {"a": 1}}
    event = event_from_wire(wire, source="claimed")
    assert event == ToolResult(source="claimed", name="x", attributes={"latency": 3, "a": 1})
    odd = event_from_wire({"kind": "note", "text": "t", "attributes": [1]}, source="claimed")
    assert odd == Note(source="claimed", text="t", attributes={"attributes": [1]})


@pytest.mark.parametrize(
    ("wire", "said"),
    [
        ({"kind": "tool_cal", "name": "x"}, "unknown kind of event: tool_cal"),
        ({"name": "x"}, "unknown kind of event: null"),
        ({"kind": ["a"]}, 'unknown kind of event: ["a"]'),
        ({"kind": "tool_call"}, "a tool_call event that does not fit"),
        ({"kind": "tool_call", "name": 5}, "a tool_call event that does not fit"),
        ({"kind": "decision", "action": "a", "decision": "maybe"}, "a decision event that does"),
        ({"kind": "usage", "input_tokens": -10}, "negative number"),
        ("text", "an event that is not an object"),
        (None, "an event that is not an object"),
    ],
)
def test_what_does_not_fit_is_kept_as_a_note(wire: Any, said: str) -> None:
    event = event_from_wire(wire, source="claimed")
    assert isinstance(event, Note)
    assert said in event.text
    assert event.data == wire
    assert event.source == "claimed"


@given(
    JSON
    | st.fixed_dictionaries(
        {"kind": st.sampled_from(sorted(EVENT_TYPES)) | JSON},
        optional=dict.fromkeys(FIELDS, JSON) | {"more": JSON},
    )
)
def test_any_json_becomes_an_event_that_can_be_recorded(value: Any) -> None:
    event = event_from_wire(value, source="claimed")
    assert isinstance(event, EventBase)
    assert (event.source, event.seq, event.at_ms) == ("claimed", 0, None)
    jsonbytes.encode(event)
    usage_from_wire(value, source="claimed")


@pytest.mark.parametrize(
    ("said", "usage"),
    [
        (
            {"prompt_tokens": 10, "completion_tokens": 20, "total_tokens": 30}
            | {"prompt_tokens_details": {"cached_tokens": 5}},
            (10, 20, 5),
        ),
        ({"input_tokens": 10, "cached_input_tokens": 5, "output_tokens": 20}, (10, 20, 5)),
        (
            {"input_tokens": 86, "cache_read_input_tokens": 17817, "output_tokens": 1},
            (17903, 1, 17817),
        ),
        ({"input_tokens": 5, "cache_creation_input_tokens": 7}, (12, None, None)),
        ({"prompt_tokens": 17903, "cached_tokens": 17817}, (17903, None, 17817)),
        ({"prompt_tokens": True, "completion_tokens": 3}, (None, 3, None)),
        ({"prompt_tokens": -1, "completion_tokens": 0}, (None, 0, None)),
    ],
)
def test_cached_tokens_are_counted_once_and_an_unknown_price_is_null(
    said: dict[str, Any], usage: tuple[int | None, int | None, int | None]
) -> None:
    found = usage_from_wire(said, source="claimed", model="m")
    assert found is not None
    assert (found.input_tokens, found.output_tokens, found.cached_tokens) == usage
    assert found.cost_usd is None
    assert found.model == "m"


@pytest.mark.parametrize("said", [None, {}, [], "10", {"prompt_tokens": "10"}, {"cost_usd": -1}])
def test_what_states_no_usage_is_none(said: Any) -> None:
    assert usage_from_wire(said, source="claimed") is None


def test_a_stated_price() -> None:
    assert usage_from_wire({"cost_usd": 0.25}, source="claimed", model=3) == Usage(cost_usd=0.25)


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"NaN", b'{"a": Infinity}', b'{"a": 1, "a": 2}', b"1e999", b"{", b"\xff"),
        *(b"[" * 100_000, b"[" * 300 + b"]" * 300, b"9" * 5000, b"9" * 1000),
    ],
)
def test_what_is_not_json(data: bytes) -> None:
    assert decode(data) is UNSET


def test_bytes_that_are_not_utf_8_stand_in_the_text() -> None:
    assert decode(b'{"a": "caf\xe9 \\u00e9"}') == {"a": "caf\\xe9 é"}


def test_falsy_values_are_values() -> None:
    values = [b"false", b"0", b"null", b'""', b"[]", b"{}"]
    assert [decode(data) for data in values] == [False, 0, None, "", [], {}]
