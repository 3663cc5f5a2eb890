"""What a user's grading function may return."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from probare.errors import GraderError
from probare.graders import answers
from probare.model.verdict import Span, Verdict


@pytest.mark.parametrize(
    ("value", "result", "score"),
    [
        (True, "pass", 1.0),
        (False, "fail", 0.0),
        (1.0, "pass", 1.0),
        (1, "pass", 1.0),
        (0, "fail", 0.0),
        (0.99, "fail", 0.99),
        ((True, "polite"), "pass", 1.0),
        ((0.5, "half"), "fail", 0.5),
    ],
)
def test_answers(value: Any, result: str, score: float) -> None:
    verdict = answers.verdict_of(value, "m:f")
    assert (verdict.result, verdict.score) == (result, score)


def test_reasons_are_kept_or_made() -> None:
    assert answers.verdict_of((False, "rude"), "m:f").reason == "rude"
    assert answers.verdict_of(False, "m:f").reason == "m:f returned False"


def test_a_verdict_is_taken_as_it_is() -> None:
    given = Verdict("unknown", None, "ask people", (Span(0, 3),))
    assert answers.verdict_of(given, "m:f") == given


NO_ANSWERS: list[Any] = [
    None,
    "pass",
    "",
    [],
    {},
    {"pass": True},
    object(),
    (True,),
    (True, None),
    (None, "why"),
    float("nan"),
    float("inf"),
    -0.1,
    1.01,
    2,
    9,
    (1.5, "x"),
    lambda: True,
]


@pytest.mark.parametrize(
    "value",
    NO_ANSWERS,
)
def test_anything_else_is_no_answer(value: Any) -> None:
    with pytest.raises(GraderError, match="m:f returned"):
        answers.verdict_of(value, "m:f")


NOT_RECORDABLE: list[tuple[Any, Any, Any]] = [
    ("PASS", 1.0, ()),
    (True, 1.0, ()),
    ("pass", 9, ()),
    ("pass", float("nan"), ()),
    ("pass", "1", ()),
    ("pass", True, ()),
    ("fail", 0.0, ((0, 1),)),
]


@pytest.mark.parametrize(
    ("result", "score", "spans"),
    NOT_RECORDABLE,
)
def test_a_verdict_that_cannot_be_recorded_is_refused(result: Any, score: Any, spans: Any) -> None:
    with pytest.raises(GraderError, match=r"a Verdict whose|a score of"):
        answers.verdict_of(Verdict(result, score, "", spans), "m:f")


async def later(seen: str, *, wanted: str) -> bool:
    await asyncio.sleep(0)
    return seen == wanted


def test_coroutines_are_run_to_their_end() -> None:
    assert answers.ask(later, ("a",), {"wanted": "a"}, "m:f").result == "pass"


def test_coroutines_run_where_a_loop_runs_already() -> None:
    async def outer() -> str:
        return answers.ask(later, ("a",), {"wanted": "b"}, "m:f").result

    assert asyncio.run(outer()) == "fail"


async def fails(seen: str) -> bool:
    raise KeyError(seen)


def test_what_a_coroutine_raises_comes_through() -> None:
    async def outer() -> Verdict:
        return answers.ask(fails, ("a",), {}, "m:f")

    with pytest.raises(KeyError):
        answers.ask(fails, ("a",), {}, "m:f")
    with pytest.raises(KeyError):
        asyncio.run(outer())


def test_who_takes_the_trial() -> None:
    assert answers.takes_trial(lambda seen, trial: True)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    assert not answers.takes_trial(later)
    assert not answers.takes_trial(dict)


def test_a_function_that_exits_ends_nothing_but_its_own_check() -> None:
    def leave() -> bool:
        raise SystemExit(0)

    with pytest.raises(GraderError, match="SystemExit"):
        answers.ask(leave, (), {}, "m:f")
