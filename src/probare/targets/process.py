"""`isolation: process`: each trial in a process of its own, killed with its children.

What the process recorded before it died is kept. What it prints becomes notes. A grandchild
that leaves the process's group (`setsid`) is out of reach.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from pathlib import Path

import msgspec

from probare.encoding import jsonbytes
from probare.errors import InfraError, InputError, TargetError
from probare.model.event import Event, Note
from probare.model.outcome import Outcome
from probare.ports.target import TrialCall
from probare.targets import determinism, limits, spawn
from probare.targets.pipe import Job, Line
from probare.targets.recorder import Recorder
from probare.targets.streams import LineSplitter

_LINE = msgspec.json.Decoder(Line)
_CHILD = "probare.targets.child"
_LONGEST_LINE = 64_000_000
_PATIENCE = 2.0
_LAST_WORDS = 1_000


async def check(job: Job) -> None:
    """Look at the agent in a process of its own. Raises InputError where it cannot be had."""
    try:
        await _run(job, Recorder())
    except TargetError as error:
        raise InputError(
            f"'{job.reference}' cannot be loaded: {error.message}", hint=error.hint
        ) from error


async def run(job: Job, call: TrialCall, recorder: Recorder) -> None:
    """Run one attempt in a process of its own. Raises what the trial stops with."""
    try:
        await _run(
            msgspec.structs.replace(
                job,
                model=determinism.model_for(call.case, job.model),
                case=call.case,
                trial=call.trial,
                seed=call.seed,
                workspace=None if call.workspace is None else str(call.workspace),
            ),
            recorder,
        )
    except InputError as error:
        raise TargetError(error.message, hint=error.hint) from error


async def _run(job: Job, recorder: Recorder) -> None:
    said = _Said(recorder)
    printed = _Printed()
    exit_: spawn.Exit | None = None
    try:
        exit_ = await _process(job, said, printed)
    finally:
        printed.note(recorder)
        if exit_ is not None and exit_.stderr:
            recorder.append(Note, source="observed", text="stderr", data=limits.short(exit_.stderr))
    if said.fault is not None:
        raise said.fault
    last = said.last
    if last is None or last.outcome is None:
        raise TargetError(_death(exit_))
    if last.failure is None or last.outcome != Outcome():
        recorder.finish(last.outcome)
    if last.failure is not None:
        raise last.failure.error()


async def _process(job: Job, said: _Said, printed: _Printed) -> spawn.Exit | None:
    """Run the process to its end; it is killed if what it says cannot be taken."""
    events, events_in = os.pipe()
    lifeline_out, lifeline = os.pipe()
    with contextlib.ExitStack() as ours:
        ours.callback(os.close, lifeline_out)
        ours.callback(os.close, lifeline)
        with contextlib.ExitStack() as writing:
            writing.callback(os.close, events_in)
            reading = os.fdopen(events, "rb", 0)
            loop = asyncio.get_running_loop()
            transport, _ = await loop.connect_read_pipe(lambda: said, reading)
            ours.callback(transport.close)
            process = asyncio.ensure_future(
                spawn.run(
                    [sys.executable, "-m", _CHILD, str(events_in), str(lifeline_out)],
                    folder=Path.cwd(),
                    environment=_environment(job),
                    stdin=jsonbytes.encode(job),
                    on_output=printed.add,
                    pass_fds=(events_in, lifeline_out),
                )
            )
            try:
                await asyncio.wait({process, said.over}, return_when=asyncio.FIRST_COMPLETED)
                if said.fault is None:
                    patience = _PATIENCE if said.over.done() else None
                    await asyncio.wait({process}, timeout=patience)
            finally:
                process.cancel()
                await asyncio.wait({process})
        await asyncio.wait({said.over}, timeout=_PATIENCE)
    if process.cancelled():
        return None
    try:
        return process.result()
    except OSError as error:
        raise InfraError(f"a process for the trial cannot be started: {error}") from error


def _environment(job: Job) -> dict[str, str]:
    """Return our environment, with which the process finds this very package, as its trial may
    see it.
    """
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8:replace"}
    if job.case is not None:
        environment = determinism.environment_for(job.case, environment)
    home = Path(__file__).parents[2]
    if home.name not in ("site-packages", "dist-packages"):
        paths = [str(home), os.environ.get("PYTHONPATH", "")]
        environment["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
    return environment


def _death(exit_: spawn.Exit | None) -> str:
    if exit_ is None:
        return "the agent's process was killed before it answered"
    if exit_.code < 0:
        with contextlib.suppress(ValueError):
            name = signal.Signals(-exit_.code).name
            return _with_last_words(f"the agent's process was killed by {name}", exit_)
    return _with_last_words(
        f"the agent's process ended with exit code {exit_.code} before it answered", exit_
    )


def _with_last_words(text: str, exit_: spawn.Exit) -> str:
    words = exit_.stderr.strip()[-_LAST_WORDS:]
    return f"{text}; its last words: {words}" if words else text


class _Said(asyncio.Protocol):
    """Takes the lines of the process into the trial's recorder."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._lines = LineSplitter()
        self._unfinished = 0
        self._began_ms = 0.0
        self._numbers: dict[int, int] = {}
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.fault: Exception | None = None
        self.last: Line | None = None

    def data_received(self, data: bytes) -> None:
        if self.fault is not None:
            return
        self._unfinished += len(data)
        try:
            for line in self._lines.feed(data):
                self._unfinished = 0
                self._take(_LINE.decode(line))
            if self._unfinished > _LONGEST_LINE:
                raise limits.too_long(_LONGEST_LINE)
        except msgspec.DecodeError as error:
            self._end(TargetError(f"the agent wrote into the harness's pipe: {error}"))
        except Exception as error:
            self._end(error)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - the protocol's
        self._end(None)

    def _end(self, fault: Exception | None) -> None:
        self.fault = self.fault or fault
        if not self.over.done():
            self.over.set_result(None)

    def _take(self, line: Line) -> None:
        recorder = self._recorder
        if line.began:
            self._began_ms = recorder.now_ms()
        elif line.event is not None:
            event = line.event
            at_ms = self._here_ms(event.at_ms)
            if event.seq in self._numbers:
                recorder.replace(self._numbers[event.seq], event, at_ms=at_ms)
            else:
                self._numbers[event.seq] = recorder.put(event, at_ms=at_ms)
        elif line.piece is not None:
            recorder.piece(line.piece, at_ms=self._here_ms(line.at_ms))
        elif line.restart:
            recorder.restart()
        elif line.observes is not None:
            recorder.observe(*line.observes)
        elif line.merged:
            recorder.merge([self._timed(event) for event in line.merged])
        elif line.outcome is not None:
            self.last = line
            self._end(None)

    def _timed(self, event: Event) -> Event:
        if event.at_ms is None:
            return event
        return msgspec.structs.replace(event, at_ms=self._here_ms(event.at_ms))

    def _here_ms(self, there_ms: float | None) -> float:
        """Return a time of the process's clock as one of the trial's."""
        return round(self._began_ms + (there_ms or 0.0), 3)


class _Printed:
    """Keeps the beginning of what the process printed."""

    def __init__(self) -> None:
        self._kept = bytearray()
        self._dropped = 0

    def add(self, data: bytes) -> None:
        room = limits.LONGEST_NOTE - len(self._kept)
        self._kept += data[:room]
        self._dropped += len(data[room:])

    def note(self, recorder: Recorder) -> None:
        if self._kept:
            text = self._kept.decode(errors="backslashreplace")
            if self._dropped:
                text += f"… [cut: {self._dropped:,} more bytes]"
            recorder.append(Note, source="observed", text="stdout", data=text)
