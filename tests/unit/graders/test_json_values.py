"""is_json, json_schema."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probare.errors import GraderError
from probare.graders import json_text
from probare.graders.json_values import IsJson, JsonSchema, RoundTrips
from probare.model.case import Case
from probare.model.outcome import Transcript
from probare.model.verdict import Verdict
from probare.ports.grader import GradingSettings, TrialView

TRIAL = TrialView(case=Case(id="c"), transcript=Transcript(case="c"), settings=GradingSettings())


SSN = {"type": "object", "required": ["ssn"]}


def is_json(seen: Any, *, extract: bool = False) -> Verdict:
    return IsJson(extract=extract).grade(seen, TRIAL)


def fits(seen: Any, schema: dict[str, Any], *, extract: bool = True) -> Verdict:
    return msgspec.convert({"schema": schema, "extract": extract}, JsonSchema).grade(seen, TRIAL)


@pytest.mark.parametrize(
    "text", ['{"a": 1}', "[]", " 12\n", '"x"', "true", "null", '{"a": [1.5e3, null]}']
)
def test_texts_that_are_json(text: str) -> None:
    assert is_json(text).result == "pass"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "{'a': 1}",
        "NaN",
        "[Infinity]",
        '{"a": 1} x',
        '{"a": 1,}',
        '{"a":1,"a":2} x',
        "```json\n{}\n```",
        "[see note] {maybe}",
        "01",
        "\u00a0{}",
        '{"a":1,"a":NaN}',
    ],
)
def test_texts_that_are_not_json(text: str) -> None:
    assert is_json(text).result == "fail"


def test_the_reason_says_where_it_broke() -> None:
    assert "line 1, column 7" in is_json('{"a": x}').reason
    assert "NaN is not JSON" in is_json("[NaN]").reason


@pytest.mark.parametrize("value", [0, False, None, [], {}, {"a": [1, "x"]}, 1.5])
def test_values_that_are_no_text(value: Any) -> None:
    assert is_json(value).result == "pass"


@pytest.mark.parametrize("value", [float("nan"), {"a": [float("inf")]}, object()])
def test_values_that_cannot_be_written(value: Any) -> None:
    assert is_json(value).result == "fail"
    assert fits(value, {}).result == "fail"


@pytest.mark.parametrize(
    "text",
    [
        'here {"ssn":"1"}',
        "so: [1, 2] is it",
        '```json\n{"a": 1}\n```',
        "x {bad: {}} y",
        "~~~\n[1]\n~~~",
        '[see note] {"a": 1}',
    ],
)
def test_json_is_found_in_prose_and_fences(text: str) -> None:
    assert is_json(text, extract=True).result == "pass"
    assert is_json(text).result == "fail"


@pytest.mark.parametrize("text", ["[see note] {maybe}", "plain", "{NaN}", '["open', "[NaN]", ""])
def test_brackets_are_not_json(text: str) -> None:
    assert is_json(text, extract=True).result == "fail"


def test_the_reason_says_where_the_value_stands() -> None:
    reason = is_json('here {"ssn":"1"} ok', extract=True).reason
    assert reason == 'there is JSON at character 5: object {"ssn":"1"}'


def test_a_key_named_twice_is_json_but_cannot_be_judged() -> None:
    for text in ('{"a":1,"a":2}', ' [{"a":1,"a":2}]\n', 'so {"a":1,"a":2}!'):
        verdict = is_json(text, extract=True)
        assert verdict.result == "pass"
        assert "duplicate key 'a'" in verdict.reason
        with pytest.raises(GraderError, match="duplicate key 'a'"):
            fits(text, SSN)
    assert fits('{"a":1,"a":2} and {"ssn":"1"}', SSN).result == "pass"
    assert is_json('so {"a":1,"a":NaN}', extract=True).result == "fail"


@pytest.mark.parametrize("text", ["[" * 100_000, "x " + "[" * 100_000])
def test_what_python_cannot_read_is_an_error_not_an_answer(text: str) -> None:
    with pytest.raises(GraderError, match="nested too deeply"):
        is_json(text, extract=True)


def test_a_flood_of_unfinished_values_is_an_error_not_an_answer() -> None:
    with pytest.raises(GraderError, match="too many unfinished brackets"):
        is_json(("[" + "1," * 200) * 300, extract=True)


def _decodes(text: str) -> bool:
    def refuse(name: str) -> Any:
        raise ValueError(name)

    try:
        json.loads(text, parse_constant=refuse)
    except ValueError:
        return False
    return True


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)


@settings(max_examples=60)
@given(VALUES, st.text(alphabet='{}[]",:0a ', max_size=3))
def test_is_json_agrees_with_the_decoder(value: Any, tail: str) -> None:
    text = json.dumps(value) + tail
    assert (is_json(text).result == "pass") == _decodes(text)


@settings(max_examples=60)
@given(
    st.lists(st.integers()) | st.dictionaries(st.text(max_size=3), st.integers()),
    st.text(alphabet="abc .:\n", max_size=8),
    st.booleans(),
)
def test_what_stands_in_prose_is_found_whole(value: Any, prose: str, fenced: bool) -> None:
    written = json.dumps(value)
    middle = f"\n```json\n{written}\n```\n" if fenced else written
    text = f"x{prose}{middle}{prose}x"
    ((found, at),) = json_text.search(text).values
    assert found == value
    assert text[at:].startswith(written)


def test_the_forbidden_schema_is_seen_in_prose() -> None:
    assert fits('here {"ssn":"1"}', SSN).result == "pass"
    assert fits('here {"name":"1"}', SSN).result == "fail"
    assert fits('first {"name":"1"} then {"ssn":"1"}', SSN).result == "pass"
    assert fits("no JSON at all", SSN).result == "fail"
    assert fits('here {"ssn":"1"}', SSN, extract=False).result == "fail"


def test_values_are_validated_as_they_are() -> None:
    assert fits({"ssn": 1}, SSN).result == "pass"
    assert fits(("a",), {"type": "array"}).result == "pass"
    assert fits(True, {"type": "integer"}).result == "fail"
    assert fits("text", {"type": "string"}).result == "fail"
    assert fits('"text"', {"type": "string"}).result == "pass"


def test_the_reason_names_places_and_stops() -> None:
    schema = {"items": {"type": "integer"}}
    reason = fits(["a", 1, "b", "c", "d"], schema).reason
    assert "at $[0]: 'a' is not of type 'integer'" in reason
    assert "and 1 more" in reason
    assert "$[4]" not in reason


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({"type": "objekt"}, "not a JSON Schema"),
        ({"properties": []}, "not a JSON Schema"),
        ({"$ref": "https://example.org/other.json"}, "nothing is ever fetched"),
        ({"properties": {"a": {"$ref": "#/$defs/b"}}}, "nothing is ever fetched"),
        ({"$schema": "https://example.org/mine"}, "unknown dialect"),
    ],
)
def test_bad_schemas_are_refused_at_load(schema: dict[str, Any], message: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=message):
        msgspec.convert({"schema": schema}, JsonSchema)


def test_references_inside_the_schema_are_followed() -> None:
    schema = {"$defs": {"b": {"type": "integer"}}, "properties": {"a": {"$ref": "#/$defs/b"}}}
    assert fits({"a": 1}, schema).result == "pass"
    assert fits({"a": "1"}, schema).result == "fail"
    own: dict[str, Any] = {"$ref": "https://json-schema.org/draft/2020-12/schema"}
    assert fits({"type": "object"}, own).result == "pass"


def test_older_dialects_are_read_as_they_say() -> None:
    tuples = {"items": [{"type": "integer"}], "additionalItems": False}
    old = {"$schema": "http://json-schema.org/draft-07/schema#", **tuples}
    assert fits([1], old).result == "pass"
    assert fits([1, 2], old).result == "fail"


def test_a_pattern_cannot_run_without_end() -> None:
    with pytest.raises(Exception, match="regex timeout"):
        fits(["a" * 60 + "b"], {"items": {"pattern": "^(a|a)*$"}})


@pytest.mark.parametrize(
    "output",
    [
        {"a": [1, 2.5, None, True, "é", ""]},
        0,
        [],
        '{"a": 1}',
        " [1, 2] ",
        '"text"',
    ],
)
def test_what_comes_back_from_json_the_same(ask: Any, output: Any) -> None:
    assert ask(RoundTrips, output).result == "pass"


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ("hi", "not JSON"),
        ("", "not JSON"),
        ('{"a": 1} and more', "not JSON"),
        ('{"a": NaN}', "not JSON"),
        ('{"a": 1e999}', "not come back"),
        ('{"a": 1, "a": 2}', "duplicate key 'a'"),
        ('["\\ud800"]', "not come back"),
        ({"a": float("nan")}, "not come back"),
        ({1: "x"}, "expected a key '1'"),
        ({"a": object()}, "not come back"),
    ],
)
def test_what_does_not(ask: Any, output: Any, said: str) -> None:
    verdict = ask(RoundTrips, output)
    assert verdict.result == "fail"
    assert said in verdict.reason


def test_json_in_prose_comes_back_where_it_is_looked_for(ask: Any) -> None:
    text = 'Here: {"a": 1}, and [1e999]'
    assert ask(RoundTrips, 'Here: {"a": 1}').result == "fail"
    assert ask(RoundTrips, 'Here: {"a": 1}', extract=True).result == "pass"
    assert ask(RoundTrips, text, extract=True).result == "fail"
    assert ask(RoundTrips, "no JSON", extract=True).result == "fail"
    assert ask(RoundTrips, '{"a": 1, "a": 2}', extract=True).result == "fail"
