"""What a user's own grading function may return, as a verdict."""

from __future__ import annotations

import asyncio
import inspect
import math
import threading
from collections.abc import Awaitable, Callable
from typing import Any, cast, get_args

from probare.errors import GraderError
from probare.model.verdict import Result, Span, Verdict
from probare.ports.grader import holds

_RESULTS = get_args(Result)


def ask(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], who: str
) -> Verdict:
    """Call a grading function, to its end where it is a coroutine, and read its answer.

    Raises GraderError where it answers nothing usable; what it raises itself passes through.
    """
    try:
        value = function(*args, **kwargs)
        if inspect.isawaitable(value):
            value = _finished(value)
    except (SystemExit, asyncio.CancelledError) as error:
        raise GraderError(
            f"{who} ended with {type(error).__name__} in place of an answer"
        ) from None
    return verdict_of(value, who)


def verdict_of(value: Any, who: str) -> Verdict:
    """Return a function's answer as a verdict.

    True or False; a score in [0, 1], which passes from the check's `threshold` on, and without
    one at 1 only; either of these with a reason, as a pair; or a Verdict. Anything else, None
    above all, is no answer: GraderError.
    """
    reason = ""
    if isinstance(value, tuple):
        pair = cast("tuple[Any, ...]", value)
        if len(pair) != 2 or not isinstance(pair[1], str):
            raise GraderError(f"{who} returned {value!r:.100}", hint="as a pair: (answer, reason)")
        value, reason = pair
    if isinstance(value, Verdict):
        return _checked(value, who)
    if type(value).__module__ == "numpy" and hasattr(value, "item"):
        value = value.item()
    if isinstance(value, bool):
        return holds(value, reason or f"{who} returned {value}")
    if isinstance(value, int | float):
        _check_score(value, who)
        return holds(value == 1, reason or f"{who} returned {value:g}", score=float(value))
    what = "nothing (None)" if value is None else f"{value!r:.100}"
    raise GraderError(
        f"{who} returned {what}",
        hint="return True or False, a score from 0 to 1, (answer, reason), or a Verdict",
    )


def _check_score(score: float, who: str) -> None:
    if not (math.isfinite(score) and 0 <= score <= 1):
        raise GraderError(f"{who} returned a score of {score:g}", hint="scores are from 0 to 1")


def _checked(verdict: Any, who: str) -> Verdict:
    """Return a verdict that a user made by hand, if it is one that can be recorded."""
    if verdict.result not in _RESULTS:
        words = ", ".join(_RESULTS)
        raise GraderError(
            f"{who} returned a Verdict whose result is {verdict.result!r:.50}", hint=words
        )
    score = verdict.score
    if score is not None:
        if isinstance(score, bool) or not isinstance(score, int | float):
            raise GraderError(f"{who} returned a Verdict whose score is {score!r:.50}")
        _check_score(score, who)
    spans = tuple(verdict.spans)
    if not all(isinstance(span, Span) for span in spans):
        raise GraderError(f"{who} returned a Verdict whose spans are not Spans")
    return Verdict(verdict.result, score, str(verdict.reason), spans)


def takes_trial(function: Callable[..., Any]) -> bool:
    """Whether a function names a parameter `trial`, and so is given the trial."""
    try:
        return "trial" in inspect.signature(function).parameters
    except (TypeError, ValueError):
        return False


def _finished(awaitable: Awaitable[Any]) -> Any:
    """Run a coroutine to its end, on a thread of its own where this one already has a loop."""

    async def whole() -> Any:
        return await awaitable

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(whole())
    answers: list[Any] = []
    failures: list[BaseException] = []

    def run() -> None:
        try:
            answers.append(asyncio.run(whole()))
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join()
    if failures:
        raise failures[0]
    return answers[0]
