"""Planted identifiers become their names, in records of every shape, and nothing else changes."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probare.masking import Masker, Masks, PlantedMask
from probare.masking.disguises import find_in, token

PLANTED = {"name": "Jane Doe", "ssn": "521-44-9083", "last": "9083"}
MASK = PlantedMask(PLANTED.items())


def masked(value: Any) -> Any:
    return json.loads(MASK.mask_bytes(json.dumps(value).encode()))


def test_texts_names_and_numbers_are_masked() -> None:
    before = {"output": {"who": "JANE DOE!", "Jane Doe": [521449083, 52.5, True, None]}}
    after = {
        "output": {"who": f"{token('name')}!", token("name"): [token("ssn"), 52.5, True, None]}
    }
    assert masked(before) == after
    assert MASK.mask_value(before["output"]) == after["output"]


@pytest.mark.parametrize("value", ["Jane Doe", 521449083, ["Jane", "Doe"], None, {}, 7, "a"])
def test_values_of_every_kind_are_masked(value: Any) -> None:
    once = MASK.mask_value(value)
    assert find_in({"name": "Jane Doe", "ssn": "521449083"}, once) == find_in(
        {name: token(name) for name in PLANTED}, once
    )
    assert MASK.mask_value(once) == once


def test_what_stands_in_several_parts_of_a_value_is_masked_in_each() -> None:
    before = {"output": {"first": "Jane", "last": "Doe", "ids": [521, 44, "9083"]}}
    after = masked(before)["output"]
    assert after["first"] + after["last"] == token("name")
    assert after["ids"] == [token("ssn"), "", ""]


def test_what_is_cut_over_events_is_masked_with_a_token_that_no_check_takes_for_a_leak() -> None:
    events = [
        {"kind": "message", "role": "assistant", "content": "is Ja"},
        {"kind": "note", "text": "521-44"},
        {"kind": "message", "role": "assistant", "content": "ne Do"},
        {"kind": "message", "role": "assistant", "content": "e, yes"},
    ]
    after = masked({"events": events})["events"]
    assert [event.get("content") for event in after] == [
        "is [planted-part:name]",
        None,
        "",
        ", yes",
    ]
    assert after[1]["text"] == "521-44"
    assert find_in(PLANTED, [event["content"] for event in after if "content" in event]) == []


def test_the_harness_own_words_numbers_and_times_stay() -> None:
    mask = PlantedMask([("a", "completed"), ("b", "9083"), ("c", "2026-12-31"), ("d", "deadbe11")])
    line = (
        b'{"case":"x","status":"completed","started":"2026-12-31T09:08:03Z","at_ms":9083,'
        b'"salt":"deadbe11","reason":"9083 and 2026-12-31"}'
    )
    after = json.loads(mask.mask_bytes(line))
    assert after["started"] == "2026-12-31T09:08:03Z"
    assert after["at_ms"] == 9083
    assert after["reason"] == "[planted:b] and [planted:c]"


def test_inside_what_an_agent_said_nothing_is_the_harness_own() -> None:
    mask = PlantedMask([("a", "1961-02-28"), ("b", "9083")])
    after = json.loads(
        mask.mask_bytes(b'{"output":{"created":"1961-02-28T00:00:00Z","size":9083,"n":9084}}')
    )
    assert after["output"] == {"created": "[planted:a]T00:00:00Z", "size": "[planted:b]", "n": 9084}


def test_digests_beside_an_identifier_are_masked_and_equal_ones_stay_equal() -> None:
    whole = hashlib.sha256(b"Jane Doe").hexdigest()
    event = {"kind": "artifact", "path": "a.txt", "sha256": whole}
    manifest = {"kind": "artifact", "path": "m.json", "attributes": {"text": f"a.txt {whole}"}}
    said = {"kind": "note", "text": f"{whole[:12]}… of Jane Doe, {whole[:16]}"}
    after = masked({"events": [event, manifest, said]})["events"]
    hidden = after[0]["sha256"]
    assert hidden != whole
    assert len(hidden) == 64
    assert after[1]["attributes"]["text"] == f"a.txt {hidden}"
    assert after[2]["text"].startswith(f"{hidden[:12]}… of")
    assert whole[:12] not in json.dumps(after)


def test_digests_stay_where_nothing_is_masked_and_of_blobs_always() -> None:
    digest = "ab12" * 16
    clean = {"events": [{"kind": "artifact", "path": "a", "sha256": digest}]}
    assert masked(clean) == clean
    blob = {"output": {"text": "Jane Doe", "more": {"$blob": digest, "size": 70000}}}
    assert masked(blob)["output"]["more"] == {"$blob": digest, "size": 70000}
    record = {"reason": "Jane Doe", "transcript": {"sha256": digest, "offset": 1}, "salt": digest}
    after = masked(record)
    assert (after["transcript"]["sha256"], after["salt"]) == (digest, digest)


def test_base64_keeps_the_rest() -> None:
    text = base64.b64encode(b"about Jane Doe, who is well").decode()
    after = masked({"output": [text]})["output"][0]
    assert after.count(token("name")) == 1
    assert after.startswith("YWJvdXQ")


def test_nothing_planted_costs_nothing() -> None:
    line = b'{"a": "Jane Doe"}'
    assert PlantedMask([]).mask_bytes(line) is line
    assert PlantedMask([("name", "[planted:name]")]).mask_bytes(line) is line
    assert not PlantedMask([("x", "")])
    clean = b'{"a": "nobody"}'
    assert MASK.mask_bytes(clean) is clean
    assert MASK.mask_bytes(b"no JSON of Jane Doe") == b"no JSON of [planted:name]"
    assert MASK.mask_bytes(b"no JSON") == b"no JSON"


class TestMasks:
    masks = Masks(Masker({"K": "a-secret-9083-value"}), {"a": PLANTED, "b": {"ssn": "987-65-4329"}})

    def test_each_case_has_its_own(self) -> None:
        line = b'{"reason":"521-44-9083, 987-65-4329"}'
        assert self.masks.of_case("a")(line) == b'{"reason":"[planted:ssn], 987-65-4329"}'
        assert self.masks.of_case("b")(line) == b'{"reason":"521-44-9083, [planted:ssn]"}'
        assert self.masks.of_case("c")(line) is line

    def test_a_secret_is_masked_whole_before_what_is_planted(self) -> None:
        after = self.masks.of_case("a")(b'{"reason":"a-secret-9083-value 9083"}')
        assert after.startswith(b'{"reason":"[secret:K#')
        assert after.endswith(b'] [planted:last]"}')

    def test_what_belongs_to_no_case_is_masked_with_all(self) -> None:
        mask = self.masks.of_run()
        assert mask("521449083 987654329") == "[planted:ssn] [planted:ssn]"
        assert Masks(Masker({})).of_run()("521449083") == "521449083"


_VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["Jane", "Doe", "x", "9083", ""]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("ab"), inner),
    max_leaves=8,
)


@settings(max_examples=200)
@given(_VALUE)
def test_a_masked_value_holds_what_was_found_in_it_and_no_more(value: Any) -> None:
    """What grading sees in a value and what it sees in the masked one is the same."""
    stored = {name: token(name) for name in PLANTED}
    line = json.dumps({"kind": "tool_call", "arguments": value}).encode()
    after = json.loads(MASK.mask_bytes(line))["arguments"]
    assert bool(find_in(PLANTED, value)) == bool(find_in(stored, after))
    assert [h for h in find_in(PLANTED, after) if h.how == "" and h.end - h.start < 9] == []
