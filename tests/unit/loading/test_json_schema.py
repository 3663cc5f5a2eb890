from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
import yaml

from probare.loading import schema


@pytest.fixture(scope="module")
def validator(catalogue: Any) -> Any:
    found = schema(catalogue)
    jsonschema.Draft202012Validator.check_schema(found)
    assert json.loads(json.dumps(found)) == found
    return jsonschema.Draft202012Validator(found)


GOOD = [
    "suite: s\ncases: [{id: a}]",
    "suite: s\ncases: c.yaml",
    "suite: s\ntarget: {echo: 5, config: {a: 1}, trust: claimed}\ncases: [c.yaml, {id: a}]",
    "suite: s\ntarget: a\ntargets: {a: {web: x, headers: {b: c}}}\ncases: [{id: a}]",
    "suite: s\ntimeout: 2m\ntrials: 3\nlimits: {time: 5, cost: 1}\ncases: [{id: a, timeout: 1.5s}]",
    "suite: s\ngate: {min: {pass_at.3: 0.5, compliance.held_out: 1}}\ncases: [{id: a}]",
    "suite: s\nlanguages: {equivalent: [[id, ms]]}\ncases: [{id: a}]",
    (
        "suite: s\ntargets: {a: {echo: 1}, b: {echo: 2}}\nprove: {oracle: a, 'null': b, "
        "null_may_pass: [c], defects: [{name: d, target: b, config: {x: 1}, must_fail: [c]}]}\n"
        "cases: [{id: c, expect: [is_json]}]"
    ),
    "suite: s\ndefaults: {expect: [is_json], tags: [t], timeout: 1}\ncases: [{id: a}]",
    "suite: s\ncases: [{id: a, input: null, reference: {x: [1]}, planted: {n: v}}]",
    (
        "suite: s\ncriteria: {pass: {Is JSON: is_json}, fail: {Odd: {contains: x}}}\n"
        "cases: [{id: a, notes: {intent: x}}]"
    ),
    (
        "suite: s\ncases: [{id: a, turns: [{user: hi, expect: [is_json], "
        "forbid: [{contains: x, label: l}]}]}]"
    ),
    (
        "suite: s\ndefaults: {simulate: {model: 'a:b'}}\ncases: [{id: a, simulate: {goal: g, "
        "persona: p, first: hi, max_turns: 3, stop: {tool: t, text: [bye]}}}]"
    ),
]
GOOD_CHECKS = [
    "is_json",
    "is_json:",
    "is_json: {}",
    "identical_traces",
    "contains: x",
    "contains: $input.t",
    "{contains: {text: x, ignore_case: false}, label: l, in: $output.a, weight: 2}",
    "contains: {text: x, label: l, in: $output, required: false}",
    "open_ended: {function: m:f, anything: [1], label: l}",
    "contains_any: [a, $input.t]",
    "contains_any: $output",
    "equals: 5",
    "equals: [1]",
    "equals:",
    "equals: {value: {a: 1}}",
    "word_count: {min: 1, max: $input.x}",
    "language: en",
    "language: [en, id]",
    "similar: {to: x, at_least: 0.5}",
    "max_latency: 5",
    "tool_called: {name: x, args: {a: 1}, order: first}",
    "not: {contains: x}",
    "not: [is_json]",
    "any_of: [is_json, {not: {all_of: [contains: x]}}]",
]
BAD = [
    "suite: s\ncases: [{id: a, turns: [{expect: [is_json]}]}]",
    "suite: s\ncases: [{id: a, turns: [{user: hi, expect: [is_jsn]}]}]",
    "suite: s\ncases: [{id: a, simulate: {goal: g, max_turns: 0}}]",
    "suite: s\ncriteria: {passes: {}}\ncases: [{id: a}]",
    "suite: s\ncriteria: {pass: {Is JSON: is_jsn}}\ncases: [{id: a}]",
    "suite: s\ncases: [{id: a, notes: x}]",
    "suite: s",
    "cases: [{id: a}]",
    "suite: s\ncases: []",
    "suite: s\ntrails: 1\ncases: [{id: a}]",
    "suite: s\nprove: {x: 1}\ncases: [{id: a}]",
    "suite: s\ntrials: 0\ncases: [{id: a}]",
    "suite: s\ntimeout: soon\ncases: [{id: a}]",
    "suite: s\ntimeout: 0\ncases: [{id: a}]",
    "suite: s\ntarget: {ecko: x}\ncases: [{id: a}]",
    "suite: s\ntarget: {web: 5}\ncases: [{id: a}]",
    "suite: s\ntarget: {web: x, heads: {}}\ncases: [{id: a}]",
    "suite: s\ntarget: {web: x, trust: blind}\ncases: [{id: a}]",
    "suite: s\ngate: {min: {acuracy: 1}}\ncases: [{id: a}]",
    "suite: s\ngate: {coverage: 2}\ncases: [{id: a}]",
    "suite: s\ncases: [{input: a}]",
    "suite: s\ncases: [{id: a, split: heldout}]",
    "suite: s\ncases: [{id: a, tags: x}]",
    "suite: s\ncases: [{id: a, planted: {n: ''}}]",
    "suite: s\ndefaults: {id: a}\ncases: [{id: a}]",
    "suite: s\nlanguages: {equivalent: [[id]]}\ncases: [{id: a}]",
]
BAD_CHECKS = [
    "nope",
    "contains",
    "nope: x",
    "5",
    "contains: 5",
    "contains:",
    "contains: {txt: x}",
    "{contains: x, requird: false}",
    "{contains: x, is_json: {}}",
    "{contains: x, weight: 0}",
    "{contains: x, threshold: 2}",
    "contains: {text: x, threshold: 2}",
    "{contains: x, in: text}",
    "contains_any: x",
    "contains_any: []",
    "is_json: true",
    "similar: x",
    "equals: {a: 1}",
    "word_count: 5",
    "not: []",
    "not: [is_json, is_json]",
    "any_of: {contains: x}",
    "all_of: []",
    "{not: {contains: x}, threshold: 0.5}",
]


def with_check(written: str) -> str:
    case = "  - id: a\n    input: {x: 5, t: text}\n    expect:\n"
    return f"suite: s\ncases:\n{case}      - {written}\n"


@pytest.mark.parametrize("text", GOOD + [with_check(written) for written in GOOD_CHECKS])
def test_what_the_loader_takes_the_schema_takes(folder: Any, validator: Any, text: str) -> None:
    folder.write("c.yaml", "id: from_a_file")
    folder.suite(text).load()
    validator.validate(yaml.safe_load(text))


@pytest.mark.parametrize("text", BAD + [with_check(written) for written in BAD_CHECKS])
def test_what_the_schema_refuses_the_loader_refuses(folder: Any, validator: Any, text: str) -> None:
    assert folder.suite(text).faults()
    assert not validator.is_valid(yaml.safe_load(text))
