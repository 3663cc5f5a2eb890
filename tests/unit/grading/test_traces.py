"""The canonical form of a trace, its hash, and where two traces part."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probare.encoding import jsonbytes
from probare.errors import GraderError
from probare.grading.traces import canonical_events, first_difference, trace_hash
from probare.model.event import (
    Approval,
    Artifact,
    Attempt,
    Decision,
    Event,
    Message,
    Note,
    Retrieval,
    ToolCall,
    ToolResult,
    Usage,
)
from probare.model.outcome import Transcript
from probare.testing import strategies

TRACE: tuple[Event, ...] = (
    Message(role="user", content="hello"),
    Decision(action="look", decision="allow", policy="p", call_id="k9"),
    ToolCall(name="look", arguments={"q": "ü", "n": 1.5}, call_id="k9"),
    Attempt(operation="look", number=1, ok=True, call_id="k9"),
    ToolResult(name="look", result=[1, None], call_id="k9", duration_ms=4.2),
    ToolCall(name="send", arguments={}, call_id="k2"),
    Approval(state="requested", action="send", call_id="k2"),
)
PINNED = "c27e3a4e9aaf282110c104feeed6dc4dc93f3250f8f81e8794c2c08b9f779cf5"


def test_the_canonical_form_says_what_happened_and_no_more() -> None:
    event = ToolCall(
        name="look",
        arguments={"q": 1},
        call_id="call_77",
        seq=3,
        at_ms=12.5,
        source="observed",
        attributes={"model": "m"},
    )
    assert canonical_events([Artifact(path="a"), event]) == [
        {
            "kind": "tool_call",
            "name": "look",
            "arguments": {"q": 1},
            "call_id": 1,
            "attributes": {"model": "m"},
        }
    ]


def test_call_ids_are_numbered_by_first_appearance_in_any_event() -> None:
    numbers = [event.get("call_id") for event in canonical_events(TRACE)]
    assert numbers == [None, 1, 1, 1, 1, 2, 2]


def test_an_empty_trace_has_the_hash_of_an_empty_list() -> None:
    assert trace_hash([]) == "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945"


def test_the_hash_is_over_rfc_8785() -> None:
    """A value of the RFC (section 3.2.4), written as that section writes it."""
    sample = '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001]}'
    events = [Note(text="t", data=json.loads(sample))]
    written = (
        b'[{"data":{"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27]},"kind":"note","text":"t"}]'
    )
    import hashlib

    assert trace_hash(events) == hashlib.sha256(written).hexdigest()


@pytest.mark.parametrize(
    "change",
    [
        {"seq": 8},
        {"at_ms": 99.0},
        {"source": "observed"},
        {"source": "replayed"},
        {"attributes": {}},
    ],
)
def test_what_stands_outside_changes_nothing(change: dict[str, Any]) -> None:
    changed = tuple(msgspec.structs.replace(event, **change) for event in TRACE)
    assert trace_hash(changed) == trace_hash(TRACE)
    assert first_difference(TRACE, changed) is None


def test_durations_and_artifacts_stand_outside() -> None:
    slow = [
        msgspec.structs.replace(event, duration_ms=1e6) if isinstance(event, ToolResult) else event
        for event in TRACE
    ]
    assert trace_hash([*slow, Artifact(path="m.json", sha256="00")]) == trace_hash(TRACE)
    query = Retrieval(query="q", documents=[], duration_ms=1.0)
    assert trace_hash([query]) == trace_hash([msgspec.structs.replace(query, duration_ms=None)])


def test_a_clock_in_the_payload_changes_the_hash() -> None:
    for moments in (
        [Note(text="t", data={"at": n}) for n in (1, 2)],
        [ToolCall(name="t", arguments={"at_ms": n}) for n in (1, 2)],
        [Message(role="user", content="x", attributes={"at": n}) for n in (1, 2)],
    ):
        assert trace_hash([moments[0]]) != trace_hash([moments[1]])


def test_order_and_crossed_call_ids_change_the_hash() -> None:
    assert trace_hash(TRACE[::-1]) != trace_hash(TRACE)
    calls = [ToolCall(name="a", call_id="1"), ToolCall(name="a", call_id="2")]
    straight = [*calls, ToolResult(name="a", call_id="1"), ToolResult(name="a", call_id="2")]
    crossed = [*calls, ToolResult(name="a", call_id="2"), ToolResult(name="a", call_id="1")]
    assert trace_hash(straight) != trace_hash(crossed)


def test_absent_and_null_are_one() -> None:
    written = msgspec.json.decode(
        b'[{"kind":"tool_call","name":"a","arguments":null,"call_id":null,"attributes":{}}]',
        type=tuple[Event, ...],
    )
    assert trace_hash(written) == trace_hash([ToolCall(name="a")])


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_what_is_no_json_number_is_refused(number: float) -> None:
    events = [Note(text="t", data=[{"x": number}])]
    with pytest.raises(GraderError, match="which is not JSON"):
        trace_hash(events)
    with pytest.raises(GraderError, match="which is not JSON"):
        first_difference(events, events)


def test_what_is_not_json_is_refused() -> None:
    with pytest.raises(GraderError, match="an event of kind note is not JSON"):
        trace_hash([Note(text="t", data=object())])


def test_what_is_nested_without_end_is_refused() -> None:
    deep: list[Any] = []
    for _ in range(200_000):
        deep = [deep]
    with pytest.raises(GraderError, match="nested too deeply"):
        trace_hash([Note(text="t", data=deep)])


def test_integers_beyond_the_safe_ones_keep_their_digits() -> None:
    hashes = {trace_hash([Note(text="t", data=2**53 + n)]) for n in (0, 1, 2)}
    assert len(hashes) == 3
    assert canonical_events([Note(text="t", data=[2**53, 2**53 - 1, True])])[0]["data"] == [
        {"$integer": "9007199254740992"},
        9007199254740991,
        True,
    ]


def test_half_a_surrogate_hashes_as_it_is_stored() -> None:
    event = Note(text="\ud800")
    stored = msgspec.json.decode(jsonbytes.encode(event), type=Event)
    assert trace_hash([event]) == trace_hash([stored])


@pytest.mark.parametrize(
    ("one", "two", "position", "path", "values"),
    [
        ([], [Note(text="a")], 0, "", (None, {"kind": "note", "text": "a"})),
        ([Note(text="a")], [], 0, "", ({"kind": "note", "text": "a"}, None)),
        ([Note(text="a")], [Note(text="b")], 0, "text", ("a", "b")),
        (
            [Artifact(path="x"), Note(text="a"), Note(text="t", data={"k": [1, 2]})],
            [Note(text="a"), Note(text="t", data={"k": [1, 3]})],
            1,
            "data.k[1]",
            (2, 3),
        ),
        ([Note(text="t", data=[1])], [Note(text="t", data=[1, 2])], 0, "data[1]", (None, 2)),
        ([Note(text="t", data=1)], [Note(text="t", data=True)], 0, "data", (1, True)),
    ],
)
def test_the_first_difference(
    one: list[Event], two: list[Event], position: int, path: str, values: tuple[Any, Any]
) -> None:
    found = first_difference(one, two)
    assert found is not None
    assert (found.position, found.path, (found.one, found.two)) == (position, path, values)


def test_another_kind_is_a_difference_of_the_event_as_a_whole() -> None:
    found = first_difference([Note(text="a")], [Usage(input_tokens=1)])
    assert found is not None
    assert (found.path, found.kinds, found.only) == ("", ("note", "usage"), None)


_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab$", max_size=2), inner),
    max_leaves=6,
)
_EVENTS: st.SearchStrategy[Event] = st.one_of(
    st.builds(Note, text=st.text("ab", max_size=2), data=_VALUES),
    st.builds(ToolCall, name=st.just("t"), arguments=_VALUES, call_id=st.sampled_from("xyz")),
    st.builds(ToolResult, name=st.just("t"), result=_VALUES, call_id=st.sampled_from("xyz")),
)


@settings(max_examples=60, deadline=None)
@given(strategies.transcripts())
def test_a_stored_trace_hashes_as_it_did_in_memory(transcript: Transcript) -> None:
    stored = msgspec.json.decode(jsonbytes.encode(transcript), type=Transcript).events
    assert trace_hash(stored) == trace_hash(transcript.events)
    assert first_difference(stored, transcript.events) is None


@settings(max_examples=60, deadline=None)
@given(st.lists(_EVENTS, max_size=3), st.lists(_EVENTS, max_size=3))
def test_hashes_differ_exactly_where_there_is_a_difference(
    one: list[Event], two: list[Event]
) -> None:
    assert (trace_hash(one) == trace_hash(two)) == (first_difference(one, two) is None)


def test_the_hash_stays_what_it_was() -> None:
    """A changed canonical form would make old provenance lie."""
    assert trace_hash(TRACE) == PINNED
