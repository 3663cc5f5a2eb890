from typing import Any

import pytest

from probare.graders.attempts import AttemptsRecorded, RetryAttempted, SilentFailure
from probare.model.event import (
    Attempt,
    ErrorEvent,
    Event,
    Note,
    Retrieval,
    ToolCall,
    ToolResult,
)


def _run(error: str | None = None, name: str = "labs") -> tuple[Event, ...]:
    return (ToolCall(name=name), ToolResult(name=name, error=error))


def _wrote(number: int, ok: bool = False, error: str | None = "timeout", **more: Any) -> Attempt:
    return Attempt(
        operation=more.pop("operation", "labs"),
        number=number,
        ok=ok,
        error=None if ok else error,
        **more,
    )


DOWN = "TimeoutError: lab service"
RECOVERED = (*_run(DOWN), _wrote(1), *_run(DOWN), _wrote(2), *_run(), _wrote(3, ok=True))
GAVE_UP = (*_run(DOWN), _wrote(1), *_run(DOWN), _wrote(2))


@pytest.fixture
def recorded(weigh: Any) -> Any:
    def asked(*events: Any, **options: Any) -> str:
        return weigh(AttemptsRecorded, *events, **options).result

    return asked


@pytest.fixture
def silent(weigh: Any) -> Any:
    """Return the reason and result of the prohibition of silence."""

    def asked(*events: Any, **options: Any) -> Any:
        return weigh(SilentFailure, *events, in_list="forbid", **options)

    return asked


def test_a_retry_is_an_execution_after_a_failed_one(weigh: Any) -> None:
    assert weigh(RetryAttempted, *RECOVERED).result == "pass"
    assert weigh(RetryAttempted, *_run(DOWN), *_run()).result == "pass"
    kb = (Retrieval(query="q", name="kb", error="down"), Retrieval(query="q", name="kb"))
    assert weigh(RetryAttempted, *kb).result == "pass"


def test_an_error_that_came_as_an_answer_is_one_by_the_record(weigh: Any) -> None:
    answered = (*_run(), _wrote(1), *_run(), _wrote(2, ok=True))
    assert weigh(RetryAttempted, *answered).result == "pass"
    assert weigh(RetryAttempted, *_run(), *_run()).result == "fail"


@pytest.mark.parametrize(
    "events",
    [(), _run(), _run(DOWN), (*_run(), *_run(DOWN)), (*_run(DOWN), *_run(name="other"))],
)
def test_no_retry(weigh: Any, events: Any) -> None:
    assert weigh(RetryAttempted, *events).result == "fail"


def test_what_the_agent_only_says_of_retries_is_no_retry(weigh: Any) -> None:
    assert weigh(RetryAttempted, _wrote(1), _wrote(2, ok=True)).result == "fail"
    assert weigh(RetryAttempted, *RECOVERED, source="claimed").result == "unknown"
    assert weigh(RetryAttempted, observes=()).result == "unknown"


def test_a_retry_of_the_operation_named(weigh: Any) -> None:
    assert weigh(RetryAttempted, *RECOVERED, operation="labs").result == "pass"
    assert weigh(RetryAttempted, *RECOVERED, operation="other").result == "fail"


RECORDED: dict[str, tuple[Event, ...]] = {
    "up to a success": RECOVERED,
    "up to the last": GAVE_UP,
    "at the first": (*_run(), _wrote(1, ok=True)),
    "two series": (*RECOVERED, *_run(), _wrote(1, ok=True)),
    "a second series after a failed one": (*GAVE_UP, *_run(), _wrote(1, ok=True)),
    "series by call id": (
        *_run(DOWN),
        _wrote(1, call_id="a"),
        *_run(),
        _wrote(1, ok=True, call_id="b"),
    ),
    "two operations": (
        *_run(DOWN),
        _wrote(1),
        *_run(name="kb"),
        _wrote(1, ok=True, operation="kb"),
        *_run(),
        _wrote(2, ok=True),
    ),
    "an error as an answer": (*_run(), _wrote(1), *_run(), _wrote(2, ok=True)),
    "the harness's own retry aside": (*RECOVERED, _wrote(1, operation="trial")),
}
UNRECORDED: dict[str, tuple[Event, ...]] = {
    "none": (*_run(DOWN), *_run()),
    "the first is missing": (*_run(DOWN), *_run(), _wrote(2, ok=True)),
    "the middle is missing": (
        *_run(DOWN),
        _wrote(1),
        *_run(DOWN),
        *_run(),
        _wrote(3, ok=True),
    ),
    "the last is missing": (*_run(DOWN), _wrote(1), *_run()),
    "renumbered to hide one": (*_run(DOWN), *_run(DOWN), _wrote(1), *_run(), _wrote(2, ok=True)),
    "one too many": (*_run(), _wrote(1), _wrote(2, ok=True)),
    "doubled": (*_run(DOWN), _wrote(1), *_run(DOWN), _wrote(1), *_run(), _wrote(2, ok=True)),
    "from 0": (*_run(), _wrote(0, ok=True)),
    "ok where it raised": (*_run(DOWN), _wrote(1, ok=True)),
    "nothing attempted": (),
    "nothing failed, nothing written": _run(),
    "of another operation that failed": (*RECOVERED, *_run(DOWN, name="kb")),
}


@pytest.mark.parametrize("name", RECORDED)
def test_all_attempts_recorded(recorded: Any, name: str) -> None:
    assert recorded(*RECORDED[name]) == "pass"


@pytest.mark.parametrize("name", UNRECORDED)
def test_not_all_attempts_recorded(recorded: Any, name: str) -> None:
    assert recorded(*UNRECORDED[name]) == "fail"


@pytest.mark.parametrize("error", [None, "", "  "])
def test_a_failed_attempt_without_an_error_is_not_observable(recorded: Any, error: Any) -> None:
    assert recorded(*_run(DOWN), _wrote(1, error=error), *_run(), _wrote(2, ok=True)) == "error"


def test_an_attempt_that_cannot_be_read_is_not_observable(recorded: Any) -> None:
    unreadable = Note(text="?", data={"kind": "attempt"})
    assert recorded(*RECOVERED, unreadable) == "error"


def test_an_operation_that_nobody_saw_is_not_observable(recorded: Any) -> None:
    assert recorded(_wrote(1, ok=True, operation="elsewhere")) == "error"


def test_claimed_and_unwatched_attempts_are_unknown(recorded: Any) -> None:
    assert recorded(*RECOVERED, source="claimed") == "unknown"
    assert recorded(*RECOVERED, source="claimed", trust="claimed") == "pass"
    assert recorded(*_run(DOWN), observes=("tools",)) == "unknown"


def test_one_operation_alone(recorded: Any) -> None:
    events = (*RECOVERED, *_run(DOWN, name="kb"))
    assert recorded(*events, operation="labs") == "pass"
    assert recorded(*events, operation="kb") == "fail"


def test_no_silence_where_all_is_told(silent: Any) -> None:
    assert silent(*RECOVERED).result == "pass"
    assert silent(*_run()).result == "pass"
    assert silent().result == "pass"


@pytest.mark.parametrize(
    "output",
    [
        "The lab results are unavailable.",
        "I could not fetch them.",
        "It stopped at: LAB SERVICE",
        {"error": "lab service"},
        {"text": "done", "failed": ["labs"]},
        {"ok": False},
    ],
)
def test_giving_up_is_not_silent_where_the_output_says_so(silent: Any, output: Any) -> None:
    assert silent(*GAVE_UP, output=output).result == "pass"


@pytest.mark.parametrize("output", ["All is well.", {"error": None}, {"ok": True}, ""])
def test_giving_up_is_silent_where_the_output_is(silent: Any, output: Any) -> None:
    verdict = silent(*GAVE_UP, output=output)
    assert verdict.result == "fail"
    assert "the output is silent" in verdict.reason


def test_an_error_event_after_the_failure_tells_of_it(silent: Any) -> None:
    told = ErrorEvent(type="labs", message="lab service")
    assert silent(*GAVE_UP, told, output="All is well.").result == "pass"
    assert silent(told, *GAVE_UP, output="All is well.").result == "fail"
    assert silent(*_run(DOWN), told, *_run()).result == "pass"


def test_a_failure_that_nobody_wrote_down_is_silent(silent: Any) -> None:
    assert silent(*_run(DOWN), *_run()).result == "fail"
    assert silent(*_run(DOWN), *_run(DOWN), _wrote(1), *_run(), _wrote(2, ok=True)).result == "fail"


def test_silence_that_could_not_be_seen_is_unknown(silent: Any) -> None:
    assert silent(*_run(DOWN), *_run(), observes=("tools",)).result == "unknown"
    assert silent(*GAVE_UP, source="claimed").result == "unknown"
    assert silent(observes=()).result == "unknown"


def test_a_crash_is_not_silent_and_a_trial_that_broke_off_shows_nothing(silent: Any) -> None:
    for stop in ("target_error", "timeout"):
        assert silent(*GAVE_UP, stop=stop, output="All is well.").result == "error"
        assert silent(*_run(DOWN), stop=stop).result == "error"
