"""Rules for the arguments of single tools, in `tool_calls`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from probare.errors import GraderError, InputError
from probare.graders.tools import ToolCalls
from probare.model.event import ToolCall

FUNCTIONS = """
def same_city(gold, made):
    return gold.casefold() == made.casefold()

def odd(gold, made):
    return None

value = 3
"""
GOLD = [{"name": "book", "args": {"city": "Paris", "note": "x", "seats": 2}}]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "argument_checks.py").write_text(FUNCTIONS)
    return tmp_path


def call(**arguments: Any) -> ToolCall:
    return ToolCall(name="book", arguments=arguments, source="observed")


def rules(**rule: Any) -> dict[str, Any]:
    return {"book": rule}


def test_ignored_arguments_are_left_out_on_both_sides(ask: Any) -> None:
    made = (call(city="Paris", seats=2, extra=1),)
    assert ask(ToolCalls, made, calls=GOLD).result == "fail"
    assert ask(ToolCalls, made, calls=GOLD, rules=rules(ignore=["note"])).result == "fail"
    both = rules(ignore=["note", "extra"])
    assert ask(ToolCalls, made, calls=GOLD, rules=both).result == "pass"
    wrong = (call(city="Rome", seats=2),)
    assert ask(ToolCalls, wrong, calls=GOLD, rules=both).result == "fail"
    other_tool = {"pay": {"ignore": ["note", "extra"]}}
    assert ask(ToolCalls, made, calls=GOLD, rules=other_tool).result == "fail"


def test_a_function_compares_its_argument_and_no_other(ask: Any, folder: Path) -> None:
    by_city = rules(compare={"city": "argument_checks:same_city"})
    made = (call(city="PARIS", note="x", seats=2),)
    args = {"calls": GOLD, "rules": by_city, "folder": folder}
    assert ask(ToolCalls, made, **args).result == "pass"
    rome = ask(ToolCalls, (call(city="Rome", note="x", seats=2),), **args)
    assert rome.result == "fail"
    assert "its function says that 'Paris' and 'Rome' differ" in rome.reason
    assert ask(ToolCalls, (call(city="PARIS", note="x", seats=3),), **args).result == "fail"
    missing = ask(ToolCalls, (call(note="x", seats=2),), **args)
    assert "argument 'city' ('Paris') is missing" in missing.reason


def test_an_answer_that_is_none_is_an_error(ask: Any, folder: Path) -> None:
    made = (call(city="x", note="x", seats=2),)
    for name, error in (("odd", GraderError), ("value", GraderError), ("gone", InputError)):
        rule = rules(compare={"city": f"argument_checks:{name}"})
        with pytest.raises(error):
            ask(ToolCalls, made, calls=GOLD, rules=rule, folder=folder)


@pytest.mark.parametrize(
    "rule",
    [
        {},
        {"ignore": ["city"], "compare": {"city": "m:f"}},
        {"compare": {"city": "same_city"}},
        {"compare": {"city": "m:"}},
        {"skip": ["city"]},
    ],
)
def test_rules_that_cannot_be(ask: Any, rule: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"rule should|both|module:function|skip"):
        ask(ToolCalls, (), calls=GOLD, rules=rules(**rule))


def test_functions_of_the_suite_belong_on_a_thread() -> None:
    assert ToolCalls.blocks({"calls": [], "rules": rules(compare={"a": "m:f"})})
    assert not ToolCalls.blocks({"calls": [], "rules": rules(ignore=["a"])})
    assert not ToolCalls.blocks({"calls": []})
