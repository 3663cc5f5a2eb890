"""The program of a trial's own process: `python -m probare.targets.child EVENTS LIFELINE`.

The job comes on standard input; events and the outcome go to the pipe EVENTS as they happen.
When the pipe LIFELINE closes, the harness is gone, and this process ends with its children.
The agent reads nothing from standard input; what it prints is the harness's to read.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn, TypeVar

import msgspec

from probare.errors import ProbareError
from probare.targets import agent as agents
from probare.targets import faults
from probare.targets.agent import Agent, Given
from probare.targets.answering import perform
from probare.targets.conversation import Script
from probare.targets.conversation_agent import converse_with
from probare.targets.otel.capture import hooked
from probare.targets.pipe import Failure, Job, Line, PipeRecorder
from probare.targets.recorder import CURRENT

T = TypeVar("T")


def main() -> NoReturn:
    """Do the job, say how it ended, and be gone, whatever the agent left running."""
    events, lifeline = int(sys.argv[1]), int(sys.argv[2])
    for fd in (events, lifeline):
        os.set_inheritable(fd, False)
    threading.Thread(target=_follow, args=(lifeline,), daemon=True).start()
    job = msgspec.json.decode(sys.stdin.buffer.read(), type=Job)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    workspace = Path(job.workspace) if job.workspace is not None else None
    recorder = PipeRecorder(events, max_output=job.max_output, workspace=workspace)
    asyncio.run(_work(job, recorder))
    raise AssertionError("the work ends the process")


async def _work(job: Job, recorder: PipeRecorder) -> NoReturn:
    """Never returns: the loop is not asked to end what the agent left on it."""
    failure = None
    try:
        await _attempt(job, recorder)
    except ProbareError as error:
        failure = Failure.of(error)
    except BaseException as error:
        failure = Failure.of(faults.of_agent(error, recorder))
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    recorder.say(Line(outcome=recorder.outcome, failure=failure))
    os._exit(0)


async def _attempt(job: Job, recorder: PipeRecorder) -> None:
    found = agents.find(job.reference, Path(job.folder))
    agent = agents.prepare(found, config=job.config, model=job.model)
    if job.case is None:
        return
    await agents.call_hook(agent, "set_up", _here)
    spans = hooked() if job.capture else None
    given = Given(
        case=job.case,
        recorder=recorder,
        trial=job.trial,
        seed=job.seed,
        config=job.config,
        workspace=recorder.workspace,
        model=job.model,
    )
    CURRENT.set(recorder)

    async def once(turn: Given) -> None:
        await perform(agent, turn, _here)

    try:
        with spans.trial(job.case, job.trial, recorder) if spans else contextlib.nullcontext():
            if job.case.turns:
                await converse_with(given, Script(job.case.turns), once)
            else:
                await once(given)
    finally:
        await _torn_down(agent, recorder)


async def _torn_down(agent: Agent, recorder: PipeRecorder) -> None:
    """Tear down; a failure of that is recorded, and changes nothing of the answer."""
    try:
        await agents.call_hook(agent, "tear_down", _here)
    except ProbareError as error:
        recorder.failed("tear_down", str(error))


async def _here(function: Callable[[], T]) -> T:
    return function()


def _follow(lifeline: int) -> None:
    while os.read(lifeline, 1):
        pass
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main()
