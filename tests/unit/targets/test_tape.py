import threading
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from probare.errors import LimitReached, TargetError
from probare.model.event import ErrorEvent, Note, StateChange
from probare.model.outcome import Outcome
from probare.targets import tape as tapes
from probare.targets.tape import Tape


def test_events_are_numbered_and_timed() -> None:
    tape = Tape()
    tape.append(Note, text="a")
    tape.put(Note(text="b", seq=99, at_ms=-1.0, source="replayed"))
    first, second = tape.events
    assert (first.seq, second.seq) == (0, 1)
    assert first.at_ms is not None
    assert second.at_ms is not None
    assert 0 <= first.at_ms <= second.at_ms
    assert second.source == "replayed"


def test_a_given_time_is_kept() -> None:
    tape = Tape()
    tape.put(Note(text="b"), at_ms=None)
    assert tape.events[0].at_ms is None


@settings(max_examples=10, deadline=None)
@given(st.lists(st.integers(1, 60), min_size=2, max_size=6))
def test_threads_lose_no_event_and_share_no_number(counts: list[int]) -> None:
    tape = Tape()
    start = threading.Barrier(len(counts))

    def work(name: int, count: int) -> None:
        start.wait()
        for number in range(count):
            tape.append(Note, text=f"{name}/{number}")
            tape.piece("x")

    threads = [threading.Thread(target=work, args=pair) for pair in enumerate(counts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    texts: list[Any] = [event.text for event in tape.events if isinstance(event, Note)]
    assert [event.seq for event in tape.events] == list(range(sum(counts)))
    for name, count in enumerate(counts):
        mine = [text for text in texts if text.startswith(f"{name}/")]
        assert mine == [f"{name}/{number}" for number in range(count)]
    assert tape.joined == "x" * sum(counts)


def test_nothing_is_taken_after_the_end() -> None:
    tape = Tape()
    seq = tape.append(Note, text="a")
    tape.close()
    assert tape.append(Note, text="b") == -1
    tape.complete(seq, text="changed")
    tape.replace(seq, Note(text="changed"), at_ms=0.0)
    tape.piece("late")
    tape.prints("late")
    tape.end_prints()
    tape.observe("tools")
    tape.finish(Outcome(output="late"))
    (event,) = tape.events
    assert isinstance(event, Note)
    assert event.text == "a"
    assert tape.outcome == Outcome()
    assert tape.observes == ()


def test_pieces_are_truncated_until_the_end() -> None:
    tape = Tape()
    tape.piece("")
    assert tape.first_token_ms is None
    tape.piece("a")
    first = tape.first_token_ms
    tape.piece("b")
    assert first is not None
    assert tape.first_token_ms == first
    assert tape.outcome == Outcome(output="ab", truncated=True)
    tape.finish(Outcome())
    assert tape.outcome == Outcome(output="ab")


def test_an_output_of_its_own_wins_over_pieces() -> None:
    tape = Tape()
    tape.piece("a")
    tape.finish(Outcome(output=""))
    assert tape.outcome.output == ""


def test_pieces_stop_at_the_limit_with_one_mark() -> None:
    tape = Tape(max_output=4)
    tape.piece("abc")
    for _ in range(2):
        with pytest.raises(LimitReached, match="longer than 4 bytes"):
            tape.piece("defg")
    assert tape.outcome.output == "abcd… [cut: at least 3 more bytes]"
    assert tape.outcome.truncated


def test_a_piece_that_is_no_text_is_refused() -> None:
    with pytest.raises(TargetError, match="a bytes, not a text"):
        Tape().piece(b"x")  # pyright: ignore[reportArgumentType]


def test_the_last_state_is_the_outcomes() -> None:
    tape = Tape()
    tape.put(StateChange(state={"n": 1}))
    tape.put(StateChange(state={"n": 2}))
    assert tape.outcome == Outcome(state={"n": 2})
    tape.finish(Outcome(output="x"))
    assert tape.outcome.state == {"n": 2}
    tape.finish(Outcome(output="x", state=None))
    assert tape.outcome.state is None


def test_prints_make_one_note() -> None:
    tape = Tape()
    tape.end_prints()
    assert tape.events == ()
    for _ in range(3000):
        tape.prints("0123456789")
    tape.end_prints()
    (note,) = tape.events
    assert isinstance(note, Note)
    assert (note.text, note.source) == ("stdout", "observed")
    assert note.data.startswith("0123456789")
    assert "[cut:" in note.data
    assert len(note.data) < 20_100


def test_too_many_events_are_said_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tapes, "MAX_EVENTS", 3)
    tape = Tape()
    for number in range(3):
        tape.append(Note, text=str(number))
    assert not tape.overflowed
    assert tape.append(Note, text="3") == -1
    assert tape.append(Note, text="4") == -1
    assert tape.overflowed
    assert len(tape.events) == 4
    assert "more than 3 events" in str(tape.events[-1])


def test_channels_are_observed_once() -> None:
    tape = Tape()
    tape.observe("tools", "retrievals")
    tape.observe("tools")
    assert tape.observes == ("tools", "retrievals")


def test_a_failure_is_observed() -> None:
    tape = Tape()
    tape.failed("ValueError", "no", "trace")
    (event,) = tape.events
    assert isinstance(event, ErrorEvent)
    assert (event.source, event.traceback) == ("observed", "trace")
    assert tape.outcome.output is UNSET
