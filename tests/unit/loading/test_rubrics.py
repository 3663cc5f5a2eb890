from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from probare.errors import LoadError
from probare.loading.rubrics import load_rubric
from probare.model.rubric import Level, Rubric

GOOD: dict[str, Any] = {
    "rubric": "hr",
    "version": 3,
    "dimensions": [
        {
            "id": "safety",
            "question": "Is it safe?",
            "levels": {"4": "yes", "3": "nearly", "2": "hardly", "1": "no"},
        },
        {
            "id": "tone",
            "name": "Tone",
            "question": "Does it fit?",
            "levels": {"0": "no", "1": "yes"},
        },
    ],
    "pass": {"each_at_least": 3, "dimensions": {"tone": 1}},
    "triggers": [
        {"dimension": "safety", "at_most": 1, "opens": "incident_review"},
        {"dimension": "safety", "at_most": 2, "opens": "investigation_note"},
        {"dimension": "tone", "at_most": 0, "opens": "legal_review", "holds_gate": False},
    ],
}


def load(tmp_path: Path, value: Any) -> Rubric:
    path = tmp_path / "rubric.json"
    path.write_text(json.dumps(value))
    return load_rubric(path)


def test_a_rubric(tmp_path: Path) -> None:
    rubric = load(tmp_path, GOOD)
    assert (rubric.id, rubric.version, len(rubric.digest)) == ("hr", "3", 64)
    safety, tone = rubric.dimensions
    assert (safety.name, tone.name) == ("safety", "Tone")
    assert safety.levels[0] == Level(1, "no")
    assert (safety.lowest, safety.highest, safety.share(2)) == (1, 4, pytest.approx(1 / 3))
    assert [rubric.pass_rule.least(name) for name in ("safety", "tone")] == [3, 1]
    assert [each.holds_gate for each in rubric.triggers] == [True, False, False]


def test_a_yaml_file_says_the_same(tmp_path: Path) -> None:
    path = tmp_path / "rubric.yaml"
    path.write_text(
        "rubric: hr\nversion: 3\ndimensions:\n"
        "  - {id: safety, question: Is it safe?, levels: {4: yes, 3: nearly, 2: hardly, 1: no}}\n"
        "  - {id: tone, name: Tone, question: Does it fit?, levels: {0: no, 1: yes}}\n"
        "pass: {each_at_least: 3, dimensions: {tone: 1}}\n"
    )
    without = {key: value for key, value in GOOD.items() if key != "triggers"}
    assert load_rubric(path).digest == load(tmp_path, without).digest


def test_every_word_is_in_the_digest(tmp_path: Path) -> None:
    first = load(tmp_path, GOOD).digest
    changes: list[dict[str, Any]] = [
        {"version": 4},
        {"name": "other"},
        {"triggers": []},
        {"rubric": "hr2"},
    ]
    for change in changes:
        assert load(tmp_path, {**GOOD, **change}).digest != first


@pytest.mark.parametrize(
    ("scores", "result"),
    [
        ({"safety": 3, "tone": 1}, "pass"),
        ({"safety": 2, "tone": 1}, "fail"),
        ({"safety": 4, "tone": 0}, "fail"),
        ({"safety": None, "tone": 1}, "unknown"),
        ({"safety": None, "tone": 0}, "fail"),
        ({"tone": 1}, "unknown"),
        ({}, "unknown"),
    ],
)
def test_the_pass_rule(tmp_path: Path, scores: dict[str, Any], result: str) -> None:
    assert load(tmp_path, GOOD).result(scores) == result


def test_an_unsure_dimension_never_passes_even_without_a_rule(tmp_path: Path) -> None:
    rubric = load(tmp_path, {**GOOD, "pass": {"dimensions": {"tone": 1}}})
    assert rubric.result({"safety": 1, "tone": 1}) == "pass"
    assert rubric.result({"safety": None, "tone": 1}) == "unknown"


def test_triggers(tmp_path: Path) -> None:
    rubric = load(tmp_path, GOOD)

    def opened(**scores: Any) -> list[str]:
        return [each.opens for each in rubric.triggered(scores)]

    assert opened(safety=1) == ["incident_review", "investigation_note"]
    assert opened(safety=2) == ["investigation_note"]
    assert opened(safety=3, tone=0) == ["legal_review"]
    assert opened(safety=None, tone=None) == []


def changed(path: str, value: Any) -> dict[str, Any]:
    copy = json.loads(json.dumps(GOOD))
    *way, last = path.split(".")
    inner: Any = copy
    for step in way:
        inner = inner[int(step) if step.isdigit() else step]
    if value is ...:
        del inner[last]
    else:
        inner[int(last) if last.isdigit() else last] = value
    return copy


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("version", ..., "'version' is missing"),
        ("pass", ..., "'pass' is missing"),
        ("pass", {}, "demands nothing"),
        ("pass.each_at_least", 5, "5 is no level of safety"),
        ("pass.dimensions", {"tome": 1}, "did you mean 'tone'"),
        ("pass.dimensions.tone", 2, "2 is no level of tone"),
        ("dimensions", [], "at least 1 item"),
        ("dimensions.0.levels", {"1": "x"}, "at least two levels"),
        ("dimensions.0.levels", {"high": "x", "low": "y"}, "whole number"),
        ("dimensions.0.levels", {"1": "", "3": "y"}, "should not be empty"),
        ("dimensions.0.levels", {"1": "x", "01": "y", "3": "z"}, "whole number"),
        ("dimensions.1.id", "safety", "duplicate dimension"),
        ("dimensions.1.id", "to ne", "letters, digits"),
        ("dimensions.0.question", ..., "'question' is missing"),
        ("dimensions.0.quesiton", "x", "did you mean 'question'"),
        ("triggers.0.dimension", "safty", "did you mean 'safety'"),
        ("triggers.0.at_most", 7, "7 is no level of safety"),
        ("triggers.0.at_most", True, "whole number"),
        ("triggers.0.opens", "incident", "should be one of"),
        ("more", 1, "unknown key 'more'"),
    ],
)
def test_what_is_wrong_is_told(tmp_path: Path, path: str, value: Any, message: str) -> None:
    with pytest.raises(LoadError) as error:
        load(tmp_path, changed(path, value))
    assert message in str(error.value)


def test_all_at_once(tmp_path: Path) -> None:
    bad = {**GOOD, "rubric": "", "pass": {"each_at_least": 9}, "triggers": [{"dimension": "x"}]}
    with pytest.raises(LoadError) as error:
        load(tmp_path, bad)
    assert len(error.value.faults) >= 4
    others: list[Any] = [[], "x", None]
    for other in others:
        with pytest.raises(LoadError, match="should be a mapping"):
            load(tmp_path, other)
