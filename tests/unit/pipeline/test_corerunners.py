"""The runners `code` and `model`, in front of a suite's target."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import probare
from probare.model.case import Case
from probare.pipeline.corerunners import CoreRunners, in_front_of
from probare.pipeline.runs import Run

AGENT = """
def run(case, input):
    if case.runner != "parser":
        raise LookupError(f"there is no runner {case.runner}")
    return {"master": {"name": input["name"]}}
"""
SUITE = """
suite: pipeline
target: {python: "agent:run"}
cases:
  - id: asked
    runner: parser
    input: {name: Ada}
    expect: [{equals: {value: Ada, in: $master.name}}]
  - id: given
    runner: code
    input: {__output__: {n: 3}}
    expect: [{equals: {value: 3, in: $n}}]
  - id: wrong
    runner: code
    input: {__output__: [1]}
    expect: [{equals: 1}]
  - id: told
    runner: model
    input: hi
    expect: [{contains: hi}]
  - id: strange
    runner: fetcher
    expect: [{contains: hi}]
    forbid: [{contains: no}]
"""


@pytest.fixture
def finished(write_suite: Callable[..., Path], tmp_path: Path) -> Run:
    return probare.run(write_suite(SUITE, AGENT), runs=str(tmp_path / "runs"), retries=3)


def test_each_runner_answers_its_own_cases(finished: Run) -> None:
    statuses = {record.case: record.status for record in finished.records()}
    assert statuses == {
        "asked": "passed",
        "given": "passed",
        "wrong": "failed",
        "told": "errored",
        "strange": "errored",
    }


def test_a_model_that_is_not_set_is_an_infrastructure_fault_not_tried_again(finished: Run) -> None:
    (record,) = [record for record in finished.records() if record.case == "told"]
    assert (record.stop, record.attempts) == ("infra_error", 1)
    assert record.error is not None
    assert "no model is set" in record.error.message


def test_a_runner_that_raises_is_an_errored_trial_with_its_traceback(finished: Run) -> None:
    (record,) = [record for record in finished.records() if record.case == "strange"]
    assert record.stop == "target_error"
    assert {verdict.result for verdict in record.verdicts} == {"skipped"}
    (event,) = finished.transcript(record).events
    traceback: Any = getattr(event, "traceback", None)
    assert "there is no runner fetcher" in traceback


def test_the_target_is_left_alone_where_no_case_needs_another() -> None:
    target: Any = object()
    assert in_front_of(target, [Case(id="a"), Case(id="b", runner="parser")]) is target
    assert isinstance(in_front_of(target, [Case(id="a", runner="code")]), CoreRunners)
