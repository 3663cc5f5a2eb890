"""The engine: bounds, deadlines, disobedient agents, limits, interruption."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path
from typing import Any

from probare.errors import InfraError, TargetError
from probare.model.event import Artifact, Attempt, Note
from probare.model.suite import Limits


async def quick(call: Any, recorder: Any, threads: Any) -> None:
    recorder.output = "done"


def test_every_planned_trial_ends_once(drive: Any) -> None:
    driven = drive(quick, cases=500, concurrency=7)
    assert sorted(end.planned.case.id for end in driven.ended) == sorted(
        f"c{n}" for n in range(500)
    )
    assert {end.stop for end in driven.ended} == {"completed"}


def test_no_more_at_once_than_allowed(drive: Any) -> None:
    now = most = 0

    async def agent(call: Any, recorder: Any, threads: Any) -> None:
        nonlocal now, most
        now += 1
        most = max(most, now)
        await asyncio.sleep(0.01)
        now -= 1

    drive(agent, cases=30, concurrency=5)
    assert most == 5


def test_a_trial_past_its_deadline_is_a_timeout_and_keeps_its_events(drive: Any) -> None:
    async def agent(call: Any, recorder: Any, threads: Any) -> None:
        recorder.note("began")
        if call.case.id == "c1":
            await asyncio.sleep(60)

    driven = drive(agent, cases=3, timeout=0.2)
    assert driven.stops() == {"c0": "completed", "c1": "timeout", "c2": "completed"}
    hung = next(end for end in driven.ended if end.planned.case.id == "c1")
    assert hung.error is not None
    assert "0.2 s" in hung.error.message
    assert [type(event) for event in hung.transcript.events] == [Note]


def test_an_agent_that_ignores_cancellation_is_abandoned(drive: Any) -> None:
    async def agent(call: Any, recorder: Any, threads: Any) -> None:
        if call.case.id == "c0":
            while True:
                try:
                    await asyncio.sleep(30)
                except asyncio.CancelledError:
                    recorder.note("ignored")
        recorder.output = "fine"

    driven = drive(agent, cases=20, timeout=0.2, concurrency=1)
    stops = driven.stops()
    assert stops.pop("c0") == "timeout"
    assert set(stops.values()) == {"completed"}
    assert len(driven.ended) == 20


def test_a_hung_thread_is_abandoned_counted_and_named(drive: Any) -> None:
    release = threading.Event()

    async def agent(call: Any, recorder: Any, threads: Any) -> None:
        if call.case.id == "c0":
            await threads.call(lambda: release.wait(60))
        else:
            await threads.call(lambda: time.sleep(0.01))

    began = time.monotonic()
    driven = drive(agent, cases=10, timeout=0.2, concurrency=2)
    release.set()
    assert driven.stops()["c0"] == "timeout"
    assert driven.finished is not None
    assert len(driven.finished.hung) == 1
    assert driven.finished.hung[0].startswith("probare-")
    assert time.monotonic() - began < 30


def test_an_exception_of_the_agent_is_a_target_error(drive: Any) -> None:
    async def agent(call: Any, recorder: Any, threads: Any) -> None:
        raise KeyError("no such thing")

    driven = drive(agent)
    assert driven.ended[0].stop == "target_error"
    assert driven.ended[0].error.type == "KeyError"


def test_infrastructure_faults_are_retried_and_every_attempt_is_kept(drive: Any) -> None:
    async def agent(call: Any, recorder: Any, threads: Any) -> None:
        recorder.note(f"try {call.attempt}")
        if call.attempt < 3:
            raise InfraError("503", retry_after=0.01)
        recorder.output = "at last"

    ended = drive(agent, retries=2).ended[0]
    assert ended.stop == "completed"
    assert ended.attempts == 3
    events = ended.transcript.events
    assert [event.seq for event in events] == list(range(6))
    attempts = [(e.number, e.ok) for e in events if isinstance(e, Attempt)]
    assert attempts == [(1, False), (2, False), (3, True)]
    assert [e.text for e in events if isinstance(e, Note)] == ["try 1", "try 2", "try 3"]


def test_the_agents_own_faults_are_not_retried(drive: Any) -> None:
    async def agent(call: Any, recorder: Any, threads: Any) -> None:
        raise TargetError("wrong")

    assert drive(agent, retries=5).ended[0].attempts == 1


def test_a_wait_longer_than_the_limit_fails_at_once(drive: Any) -> None:
    async def agent(call: Any, recorder: Any, threads: Any) -> None:
        raise InfraError("429", retry_after=3600)

    began = time.monotonic()
    ended = drive(agent, retries=5, timeout=1.0).ended[0]
    assert ended.stop == "infra_error"
    assert ended.attempts == 1
    assert time.monotonic() - began < 30


def test_retries_come_to_an_end(drive: Any) -> None:
    async def agent(call: Any, recorder: Any, threads: Any) -> None:
        raise InfraError("503", retry_after=0.0)

    ended = drive(agent, retries=2).ended[0]
    assert (ended.stop, ended.attempts) == ("infra_error", 3)


def test_fail_fast_starts_nothing_after_a_failure(drive: Any) -> None:
    driven = drive(quick, cases=50, concurrency=1, fail_fast=True, failing=["c3"])
    assert len(driven.ended) == 4
    assert "c3 failed" in driven.finished.stopped


def test_errors_in_a_row_end_the_run(drive: Any) -> None:
    async def agent(call: Any, recorder: Any, threads: Any) -> None:
        raise TargetError("down")

    driven = drive(agent, cases=50, concurrency=1, limits=Limits(errors_in_a_row=3))
    assert len(driven.ended) == 3
    assert "errors in a row" in driven.finished.stopped


def test_the_time_limit_ends_the_run_and_what_is_cancelled_is_not_recorded(drive: Any) -> None:
    async def agent(call: Any, recorder: Any, threads: Any) -> None:
        await asyncio.sleep(0 if call.case.id == "c0" else 30)

    driven = drive(agent, cases=5, concurrency=2, limits=Limits(time=0.3), timeout=20)
    assert list(driven.stops()) == ["c0"]
    assert "time limit" in driven.finished.stopped


def test_an_interrupted_run_records_no_cancelled_trial(drive: Any) -> None:
    async def agent(call: Any, recorder: Any, threads: Any) -> None:
        await asyncio.sleep(0 if call.case.id == "c0" else 30)

    async def press(engine: Any) -> None:
        await asyncio.sleep(0.2)
        engine.interrupt()

    driven = drive(agent, cases=5, concurrency=2, during=press)
    assert list(driven.stops()) == ["c0"]
    assert driven.finished.interrupted


def test_interrupting_does_not_wait_for_an_agent_that_ignores_it(drive: Any) -> None:
    async def agent(call: Any, recorder: Any, threads: Any) -> None:
        while True:
            try:
                await asyncio.sleep(30)
            except asyncio.CancelledError:
                continue

    async def press(engine: Any) -> None:
        await asyncio.sleep(0.1)
        engine.interrupt()

    began = time.monotonic()
    driven = drive(agent, cases=3, concurrency=3, timeout=60, during=press)
    assert driven.ended == []
    assert time.monotonic() - began < 30


def test_each_trial_has_a_workspace_of_its_own(drive: Any, tmp_path: Path) -> None:
    (tmp_path / "start").mkdir()
    (tmp_path / "start" / "file.txt").write_text("as it was")
    seen: list[tuple[Path, str]] = []

    async def agent(call: Any, recorder: Any, threads: Any) -> None:
        file = call.workspace / "file.txt"
        seen.append((call.workspace, file.read_text()))
        file.write_text("changed")
        await asyncio.sleep(0.01)

    drive(agent, cases=4, workspace="start")
    assert {text for _, text in seen} == {"as it was"}
    assert len({folder for folder, _ in seen}) == 4
    assert not any(folder.exists() for folder, _ in seen)
    assert (tmp_path / "start" / "file.txt").read_text() == "as it was"


def test_a_workspace_that_cannot_be_copied_is_an_infrastructure_error(drive: Any) -> None:
    driven = drive(quick, workspace="nowhere")
    assert driven.ended[0].stop == "infra_error"


def test_a_fault_in_settling_ends_the_run(drive: Any) -> None:
    async def agent(call: Any, recorder: Any, threads: Any) -> None:
        recorder.output = "done"

    class BadError(Exception):
        pass

    class Trap:
        def __contains__(self, _: str) -> bool:
            raise BadError

    try:
        drive(agent, cases=10, failing=Trap())
    except BadError:
        return
    raise AssertionError("the fault was swallowed")


def test_files_left_in_the_workspace_are_observed_also_of_a_trial_that_broke(
    drive: Any, tmp_path: Path
) -> None:
    (tmp_path / "start").mkdir()
    (tmp_path / "start" / "given.txt").write_text("given")

    async def agent(call: Any, recorder: Any, threads: Any) -> None:
        recorder.note("at work")
        (call.workspace / "report.md").write_text("done")
        raise TargetError("broke")

    (ended,) = drive(agent, workspace="start").ended
    last = ended.transcript.events[-1]
    assert isinstance(last, Artifact)
    assert (last.seq, last.path, last.source) == (1, "report.md", "observed")
    assert ended.transcript.observes == ("artifacts",)
    assert ended.stop == "target_error"
