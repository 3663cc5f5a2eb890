"""Any JSON value at any place of a suite: it loads, or LoadError says why in printable lines."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from probare.errors import LoadError
from probare.loading import mirrors

SUITE: dict[str, Any] = {
    "suite": "s",
    "target": {"web": "http://x", "headers": {"A": "${A}"}, "config": {"x": 1}, "trust": "claimed"},
    "targets": {"other": {"echo": "x"}},
    "trials": 2,
    "timeout": "5s",
    "languages": {"equivalent": [["id", "ms"]], "detector": "a:b"},
    "mirrors": "p.md",
    "defaults": {"expect": [{"language": "en"}], "forbid": [{"contains": "q"}], "tags": ["t"]},
    "gate": {"max_drop": 0.1, "min": {"accuracy": 0.9}},
    "limits": {"cost": 1, "time": "1m"},
    "review": {"rubric": "r.yaml", "when": "flagged", "tags": ["t"], "due": "48h"},
    "runners": ["parser"],
    "criteria": {"pass": {"It greets": {"contains": "hi"}}, "fail": {"It is JSON": "is_json"}},
    "cases": [
        "golden.json",
        "*.jsonl",
        "scenario.json",
        {
            "id": "a",
            "input": {"x": "y", "n": [1]},
            "reference": "r",
            "expect": [
                {"contains": "$input.x", "weight": 2, "in": "$text"},
                {"not": {"contains": "x"}},
                {"any_of": ["is_json", {"similar": {"to": "$reference", "at_least": 0.5}}]},
            ],
            "planted": {"name": "value"},
            "split": "held_out",
            "workspace": ".",
        },
    ],
}
GOLDEN: dict[str, Any] = {
    "_about": "notes",
    "cases": [
        {
            "id": "help_ex_one",
            "carried_over": True,
            "message": "what should I do now?",
            "assertions": [
                {"type": "language_match", "expected": "en"},
                {"type": "must_not_contain_any", "patterns": ["report"]},
            ],
        }
    ],
}
SCENARIO: dict[str, Any] = {
    "id": "s01",
    "version": "1.0.0",
    "description": "x",
    "adapter": "default",
    "intent": "y",
    "config": {"query": "q", "planted": {"name": "value"}},
    "pass_criteria": ["It greets", "Answer is short"],
    "fail_criteria": ["Says the query"],
}
ODD: list[Any] = [
    *(None, True, 0, -1, 1.5, 1e308, 2**63, "", "x", "$input.x", "$$x", "$reference", "${A}"),
    *("\0", "\ud800", "\x1b[2J", "a\nb", "../x", "*\0", "[", "x:y", "suite.yaml", "."),
    *([], [1], [["x"]], {}, {"x": 1}, {"contains": "x"}, {"": None}, {"\ud800": 1}, {"id": "a"}),
]
KEYS = ["zzz", "id", "expect", "type", "in", "contains", "\ud800", "\0", ""]


def places(value: Any, steps: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if steps:
        yield steps
    if isinstance(value, dict):
        for key, item in cast("dict[Any, Any]", value).items():
            yield from places(item, (*steps, key))
    elif isinstance(value, list):
        for index, item in enumerate(cast("list[Any]", value)):
            yield from places(item, (*steps, index))


def changed(value: dict[str, Any], steps: tuple[Any, ...], odd: Any, key: str | None) -> Any:
    """Return a copy with another value at a place, or, with `key`, the value under that key."""
    result = copy.deepcopy(value)
    above: Any = result
    for step in steps[:-1]:
        above = above[step]
    if key is not None and isinstance(above, dict):
        above[key] = cast("dict[str, Any]", above).pop(steps[-1])
    else:
        above[steps[-1]] = odd
    return result


FILES = {"suite.json": SUITE, "golden.json": GOLDEN, "scenario.json": SCENARIO}


def write(folder: Any, **changes: Any) -> None:
    for name, value in FILES.items():
        folder.write(name, json.dumps(changes.get(name.removesuffix(".json"), value)))
    folder.write(
        "r.yaml",
        "rubric: r\nversion: 1\ndimensions: [{id: a, question: b, levels: {1: c, 2: d}}]\n"
        "pass: {each_at_least: 2}\n",
    )
    folder.write("more.jsonl", '{"id": "m", "input": 1}\n')
    folder.write("p.md", "# Examples\n<!-- id: help_ex_one -->\nhello\n")


@pytest.fixture
def pinned(folder: Any) -> Any:
    write(folder)
    mirrors.repin(folder.path)
    return folder


def test_unchanged_it_loads(pinned: Any) -> None:
    assert len(pinned.load(environ={"A": "1"}).suite.cases) == 4


def told(folder: Any) -> list[str]:
    try:
        folder.load(environ={"A": "1"})
    except LoadError as error:
        return [str(fault) for fault in error.faults]
    return []


@given(
    st.sampled_from(["suite", "golden", "scenario"]).flatmap(
        lambda name: st.tuples(st.just(name), st.sampled_from([*places(FILES[f"{name}.json"])]))
    ),
    st.sampled_from(ODD),
    st.none() | st.sampled_from(KEYS),
)
@settings(
    max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_nothing_but_a_load_error_of_printable_lines(
    pinned: Any, where: tuple[str, tuple[Any, ...]], odd: Any, key: str | None
) -> None:
    which, steps = where
    write(pinned, **{which: changed(FILES[f"{which}.json"], steps, odd, key)})
    lines = told(pinned)
    assert all(line.isprintable() for line in lines), lines


@pytest.mark.parametrize(
    ("case", "fault"),
    [
        ({"id": "a", "split": "\ud800"}, "split: should be one of carried_over, held_out"),
        ({"id": "a", "trials": "\ud800"}, "trials: should be a whole number"),
        ({"id": "a", "\ud800": 1}, "unknown key '\\ud800'"),
        ({"id": "a", "expect": [{"word_count": {"min": "\ud800"}}]}, "word_count: min should be"),
        ({"id": "a", "expect": ["\x1b[2J"]}, "unknown grader '\\x1b[2J'"),
        ({"id": "a", "workspace": "\0"}, "workspace '\\x00' does not exist"),
    ],
)
def test_surrogates_and_control_characters_are_shown_escaped(
    folder: Any, case: Any, fault: str
) -> None:
    folder.write("suite.json", json.dumps({"suite": "s", "cases": [case]}))
    (found,) = folder.faults()
    assert fault in found
    assert found.isprintable()


def test_a_text_with_half_a_surrogate_pair_may_be_an_input(folder: Any) -> None:
    cases = [{"id": "a", "input": "\ud800", "expect": [{"contains": "\ud800"}]}]
    folder.write("suite.json", json.dumps({"suite": "s", "cases": cases}))
    loaded = folder.load()
    assert loaded.suite.cases[0].input == "\ud800"
    assert len(loaded.digest) == 64


@pytest.mark.parametrize("name", ["\0.yaml", "*\0.yaml", "\ud800.yaml"])
def test_names_that_no_file_can_have(folder: Any, name: str, tmp_path: Path) -> None:
    suite = {"suite": "s", "cases": [name], "mirrors": name}
    folder.write("suite.json", json.dumps(suite))
    faults = folder.faults()
    assert len(faults) == 2
    assert any("mirrors" in fault and "is no name of a file" in fault for fault in faults)
    assert str(tmp_path) not in str(faults[0].split(" (")[0])
