"""One case, run from a test."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET

from probare import Case, LoadError, Recorder
from probare.errors import InputError, SelectionError
from probare.testing import CaseErrored, CaseFailed, CaseResult, run_case

pytest_plugins = ["pytester"]

HELLO = Case(id="a", input="Ada", expect=[{"contains": "hello"}])

Asked = Callable[..., CaseResult]


def greet(input: Any) -> str:  # noqa: A002
    return f"hello {input}"


def echo(input: Any) -> Any:  # noqa: A002
    return input


def crash() -> str:
    raise ValueError("boom")


def test_a_case_that_passes(probare_run: Asked, tmp_path: Path) -> None:
    result = probare_run(HELLO, target=greet, trials=3)
    result.assert_passed()
    assert (result.status, result.passed, result.has_answer) == ("passed", True, True)
    assert [trial.record.trial for trial in result.trials] == [0, 1, 2]
    assert result.output == result.trials[2].output == "hello Ada"
    assert [(verdict.grader, verdict.result) for verdict in result.verdicts] == [
        ("contains", "pass")
    ]
    assert result.run.folder.parent == tmp_path / "runs"
    assert repr(result) == "<CaseResult a: passed (3 of 3 trials passed)>"


def test_a_case_that_fails_says_why(probare_run: Asked) -> None:
    result = probare_run(HELLO, target=echo)
    assert (result.status, result.first.status) == ("failed", "failed")
    with pytest.raises(CaseFailed, match=r"^a: failed: expect contains: hello: 'hello' is not in"):
        result.assert_passed()
    assert isinstance(CaseFailed(""), AssertionError)


def test_a_case_without_an_answer_is_no_failure(probare_run: Asked) -> None:
    result = probare_run(HELLO, target=crash)
    assert (result.status, result.has_answer, result.output) == ("errored", False, UNSET)
    assert result.first.record.error is not None
    with pytest.raises(CaseErrored, match=r"^a: errored, not failed: target error: .*boom"):
        result.assert_passed()


def test_events_and_outcome_are_there(probare_run: Asked) -> None:
    def agent(recorder: Recorder) -> str:
        recorder.tool(echo, name="search")("x")
        recorder.state({"done": True})
        return "found"

    case = Case(id="a", expect=[{"tool_called": "search"}, {"equals": "found"}])
    result = probare_run(case, target=agent)
    result.assert_passed()
    assert [event.kind for event in result.events] == ["tool_call", "tool_result", "state"]
    assert result.first.outcome.state == {"done": True}


def test_case_wide_verdicts_are_there(probare_run: Asked) -> None:
    case = Case(id="a", expect=["identical_traces"])
    result = probare_run(case, target=greet)
    assert len(result.trials) == 2
    assert [verdict.grader for verdict in result.case_wide] == ["identical_traces"]


def test_the_keys_of_a_suite_hold(probare_run: Asked) -> None:
    async def slow() -> str:
        await asyncio.sleep(30)
        return "hello"

    result = probare_run(HELLO, target=slow, timeout="50ms")
    assert result.first.record.stop == "timeout"


def test_what_a_suite_file_would_say_is_a_target_too(probare_run: Asked, tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text("def shout(input):\n    return f'hello {input}'.lower()\n")
    probare_run(HELLO, target={"python": "agent:shout"}, folder=tmp_path).assert_passed()


def test_inside_a_running_loop(probare_run: Asked) -> None:
    async def main() -> CaseResult:
        return probare_run(HELLO, target=greet)

    asyncio.run(main()).assert_passed()


def test_a_case_of_a_suite_file(probare_run: Asked, endings: Path) -> None:
    probare_run("good", suite=endings).assert_passed()
    assert probare_run("good", suite=endings / "suite.yaml", target="loud").output == "HELLO"
    with pytest.raises(SelectionError, match=r"no case 'god' \(did you mean 'good'\?\)"):
        probare_run("god", suite=endings)
    with pytest.raises(InputError, match="no target 'lout'"):
        probare_run("good", suite=endings, target="lout")


def test_a_case_with_an_odd_id_is_no_pattern(probare_run: Asked) -> None:
    case = Case(id="a[*]?", input="Ada", expect=[{"contains": "hello"}])
    probare_run(case, target=greet).assert_passed()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"case": "good"}, "needs its suite"),
        ({"case": "good", "suite": ".", "target": echo}, "by its name"),
        ({"case": HELLO, "suite": "."}, "without one"),
        ({"case": "good", "suite": ".", "timeout": 3}, "says itself"),
    ],
)
def test_what_does_not_go_together_is_refused(
    probare_run: Asked, arguments: dict[str, Any], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        probare_run(**arguments)


def test_a_fault_of_the_case_is_a_load_error(probare_run: Asked) -> None:
    with pytest.raises(LoadError, match="did you mean 'contains'"):
        probare_run(Case(id="a", expect=[{"contians": "x"}]), target=greet)


def test_a_baseline_beside_the_suite_is_left_alone(probare_run: Asked, endings: Path) -> None:
    (endings / "baseline.json").write_text("no baseline")
    probare_run("good", suite=endings).assert_passed()


def test_without_a_place_for_runs_they_go_to_a_temporary_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    result = run_case(HELLO, target=greet)
    assert result.run.folder.parent.parent == tmp_path


def test_an_interrupted_run_stops_the_test(
    probare_run: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("probare.pipeline.runs.Run.summary", None, raising=False)

    async def interrupted(*_: Any, **__: Any) -> Any:
        return type("Interrupted", (), {"summary": None})()

    monkeypatch.setattr("probare.testing.caseruns.run_prepared", interrupted)
    with pytest.raises(KeyboardInterrupt):
        probare_run(HELLO, target=greet)
