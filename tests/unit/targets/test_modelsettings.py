"""Settings of a model target: what is wrong with them, told when a suite is loaded."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from probare.model.case import Case
from probare.model.suite import TargetSpec
from probare.ports.target import CheckedKind, ConversingTarget
from probare.targets.model import MODEL
from probare.targets.modelsettings import ModelSettings, faults

SPEC = TargetSpec(name="t", kind="model", config={"who": "kind"})


def told(cases: tuple[Case, ...] = (), **given: Any) -> list[tuple[tuple[str | int, ...], str]]:
    settings = msgspec.convert({"model": "openai:m", **given}, ModelSettings)
    return [(fault.steps, fault.message) for fault in faults(SPEC, settings, cases)]


def test_the_kind_is_one_that_checks_itself_and_its_target_converses() -> None:
    assert isinstance(MODEL, CheckedKind)
    target = MODEL.build(SPEC, ModelSettings(model="openai:m"))
    assert isinstance(target, ConversingTarget)
    assert target.converses


def test_settings_that_are_whole_have_no_faults() -> None:
    cases = (Case(id="a", input={"q": "x"}), Case(id="b", input=None, runner="code"))
    assert (
        told(
            cases,
            prompt="{{ input.q }}",
            system="Be {{ config.who }}.",
            messages=[{"role": "user", "content": "{{ case }}"}],
            output={"type": "object"},
            tools=[
                "tools:look",
                {"python": "tools:other.look", "name": "again"},
                {"name": "a", "result": None},
                {"name": "b", "error": "no"},
                {"name": "c", "results": [{"arguments": {"x": 1}, "result": 1}], "error": "else"},
            ],
        )
        == []
    )


@pytest.mark.parametrize(
    ("given", "steps", "message"),
    [
        ({"model": "gpt"}, ("model",), "'gpt' names no model"),
        ({"output": {"type": 5}}, ("output",), "is no JSON Schema"),
        ({"system": "{{ x }}"}, ("system",), "'x' does not exist in a prompt"),
        ({"system": "{{ config.tone }}"}, ("system",), "config has no key 'tone'"),
        (
            {"messages": [{"role": "user", "content": "{{ a b }}"}]},
            ("messages", 0, "content"),
            "names nothing",
        ),
        ({"tools": ["look"]}, ("tools", 0), "'look' names no function"),
        ({"tools": [{"python": "a:b", "result": 1}]}, ("tools", 0, "result"), "has no result here"),
        ({"tools": [{"result": 1}]}, ("tools", 0), "neither a name nor"),
        ({"tools": [{"name": "a"}]}, ("tools", 0), "the tool answers nothing"),
        ({"tools": [{"name": "a b", "result": 1}]}, ("tools", 0), "no name of a tool"),
        (
            {"tools": [{"name": "a", "result": 1, "error": "x"}]},
            ("tools", 0, "error"),
            "both stand here",
        ),
        (
            {"tools": [{"name": "a", "result": 1, "parameters": {"type": "array"}}]},
            ("tools", 0, "parameters"),
            "are an object",
        ),
        (
            {"tools": [{"name": "a", "results": [{"arguments": {"n": 1}}]}]},
            ("tools", 0, "results", 0),
            "a result or an error",
        ),
        (
            {"tools": ["m:look", {"name": "look", "result": 1}]},
            ("tools", 1),
            "there is a tool 'look' already",
        ),
    ],
)
def test_each_fault_has_its_place(
    given: dict[str, Any], steps: tuple[str | int, ...], message: str
) -> None:
    (found,) = told(**given)
    assert found[0] == steps
    assert message in found[1]


def test_a_prompt_that_does_not_fit_the_cases_is_told_for_the_first_few() -> None:
    cases = tuple(Case(id=f"c{n}", input={"question": "x"}) for n in range(8))
    found = told(cases, prompt="{{ input.q }}")
    assert len(found) == 6
    assert found[0][1].startswith("case 'c0': {{ input.q }} does not exist")
    assert found[-1][1].endswith("(and so for 3 more cases)")


def test_a_conversation_brings_its_own_messages_so_the_prompt_need_not_fit_it() -> None:
    case = Case(id="a", turns=("hi",))
    assert told((case,), prompt="{{ input.q }}") == []
    assert len(told((case,), prompt="{{ input.q }}", system="{{ input.q }}")) == 1
