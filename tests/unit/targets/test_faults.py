import pytest

from probare.errors import InfraError, TargetError
from probare.model.event import ErrorEvent
from probare.targets import faults
from probare.targets.recorder import Recorder
from probare.targets.tape import Tape


class MuteError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


def _raised(error: BaseException) -> BaseException:
    try:
        raise error
    except BaseException as caught:
        return caught


def test_what_an_agent_raises_is_recorded_and_named() -> None:
    tape = Tape()
    found = faults.of_agent(_raised(ValueError("no")), tape)
    assert isinstance(found, TargetError)
    assert found.message == "ValueError: no"
    (event,) = tape.events
    assert isinstance(event, ErrorEvent)
    assert (event.type, event.message, event.source) == ("ValueError", "no", "observed")
    assert event.traceback is not None
    assert "_raised" in event.traceback


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (SystemExit(3), "the agent called exit(3)"),
        (SystemExit(), "the agent called exit()"),
        (SystemExit("bye"), "the agent called exit(bye)"),
        (KeyboardInterrupt(), "KeyboardInterrupt"),
        (MuteError(), "MuteError: <its message cannot be had>"),
        (StopIteration(4), "StopIteration: 4"),
    ],
)
def test_nothing_escapes(error: BaseException, said: str) -> None:
    found = faults.of_agent(_raised(error), Tape())
    assert isinstance(found, TargetError)
    assert found.message == said


def test_an_agent_may_speak_of_what_lies_around_it() -> None:
    error = InfraError("429", retry_after=3)
    tape = Tape()
    assert faults.of_agent(error, tape) is error
    assert tape.events == ()


def test_harness_frames_are_left_out_causes_are_kept() -> None:
    recorder = Recorder()
    text = ""

    def tool() -> None:
        raise KeyError("inner")

    try:
        try:
            recorder.tool(tool)()
        except KeyError as error:
            raise ValueError("outer") from error
    except ValueError as error:
        text = faults.trimmed(error)
    assert "wrapping.py" not in text
    assert "KeyError: 'inner'" in text
    assert "direct cause" in text
    assert text.endswith("ValueError: outer")


def test_a_long_traceback_keeps_its_end() -> None:
    text = faults.trimmed(_raised(ValueError("x" * 50_000 + "end")))
    assert text.endswith("end")
    assert len(text) <= faults.LONGEST_TRACEBACK + 1
