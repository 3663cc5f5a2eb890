from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from probare.model.case import Case, Check, content_digest

CHECK = Check(grader="contains", args={"text": "hello"})
CASE = Case(id="a", input={"b": 1, "c": 2}, expect=(CHECK,))


def changed(**keys: Any) -> str:
    return content_digest(msgspec.structs.replace(CASE, **keys))


@pytest.mark.parametrize(
    "keys",
    [
        {"id": "another"},
        {"description": "more"},
        {"category": "x"},
        {"tags": ("regression",)},
        {"split": "carried_over"},
        {"trials": 9},
        {"timeout": 3.0},
        {"review": "always"},
        {"cluster": "k"},
        {"isolation": "process"},
        {"input": {"c": 2, "b": 1}},
    ],
)
def test_what_does_not_make_it_another_case(keys: dict[str, Any]) -> None:
    assert changed(**keys) == content_digest(CASE)


@pytest.mark.parametrize(
    "keys",
    [
        {"input": {"b": 1, "c": 3}},
        {"input": {"b": True, "c": 2}},
        {"input": {"b": "1", "c": 2}},
        {"input": None},
        {"expect": ()},
        {"expect": (), "forbid": (CHECK,)},
        {"expect": (CHECK, CHECK)},
        {"expect": (Check(grader="contains", args={"text": "Hello"}),)},
        {"expect": (Check(grader="starts_with", args={"text": "hello"}),)},
        {"expect": (Check(grader="contains", args={"text": "hello"}, required=False),)},
        {"expect": (Check(grader="contains", args={"text": "hello"}, look_in="$output"),)},
        {"expect": (Check(grader="not", checks=(CHECK,)),)},
        {"reference": None},
        {"reference": ""},
        {"planted": {"name": "Ada"}},
        {"workspace": "files"},
        {"runner": "parser"},
    ],
)
def test_what_does(keys: dict[str, Any]) -> None:
    """Field report B100: runs are paired by what the case asks, not by its name."""
    assert changed(**keys) != content_digest(CASE)


def test_an_absent_reference_is_not_a_null_one() -> None:
    digests = {changed(reference=value) for value in (UNSET, None, [], [None], "")}
    assert len(digests) == 5


def test_an_odd_text_has_a_digest_too() -> None:
    assert changed(input="\ud800") == changed(input="\ud800") != changed(input="\ud801")


@pytest.mark.parametrize(
    ("case", "automatic", "counts"),
    [
        (CASE, True, True),
        (Case(id="a"), False, False),
        (Case(id="a", forbid=(CHECK,)), True, True),
        (Case(id="a", expect=(Check(grader="x", required=False),)), False, False),
        (Case(id="a", expect=(CHECK,), review="always"), True, False),
    ],
)
def test_what_counts_for_compliance(case: Case, automatic: bool, counts: bool) -> None:
    assert (case.automatic, case.counts_for_compliance) == (automatic, counts)
