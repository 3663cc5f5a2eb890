import os
from typing import Any

import msgspec
import pytest

from probare.errors import InfraError, InputError, LimitReached, ProbareError, TargetError
from probare.model.event import Note
from probare.model.outcome import Outcome
from probare.targets.pipe import Failure, Line, PipeRecorder


@pytest.mark.parametrize(
    "error",
    [
        InputError("a", hint="b"),
        TargetError("a"),
        LimitReached("a", hint="b"),
        InfraError("a", retryable=False, retry_after=1.5),
    ],
)
def test_errors_cross_whole(error: ProbareError) -> None:
    line = msgspec.json.decode(msgspec.json.encode(Failure.of(error)), type=Failure)
    back = line.error()
    assert type(back) is type(error)
    assert vars(back) == vars(error)


def test_all_that_is_taken_is_said_in_order() -> None:
    reading, writing = os.pipe()
    recorder = PipeRecorder(writing, max_output=100, workspace=None)
    recorder.note("a\ud800")
    recorder.observe("tools")
    seq = recorder.append(Note, text="b")
    recorder.complete(seq, data=1)
    recorder.piece("p")
    recorder.close()
    recorder.note("late")
    recorder.say(Line(outcome=Outcome(output=None)))
    os.close(writing)
    data = b""
    while part := os.read(reading, 65536):
        data += part
    os.close(reading)
    lines: list[Any] = [msgspec.json.decode(line, type=Line) for line in data.splitlines()]
    assert lines[0].began
    assert lines[1].event.text == "a\\ud800"
    assert lines[2].observes == ("tools",)
    assert (lines[3].event.seq, lines[3].event.data) == (1, None)
    assert (lines[4].event.seq, lines[4].event.data) == (1, 1)
    assert lines[5].piece == "p"
    assert lines[6].outcome == Outcome(output=None)
    assert len(lines) == 7


def test_a_reader_that_is_gone_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    recorder = PipeRecorder(writing, max_output=100, workspace=None)
    recorder.note("a")
    os.close(writing)
    assert len(recorder.events) == 1
