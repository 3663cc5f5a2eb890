from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from probare.model.event import Event, Note
from probare.targets.merging import merged
from probare.targets.tape import Tape

TIMES = st.lists(st.none() | st.integers(0, 20).map(float), max_size=8)


def _notes(times: list[float | None], name: str) -> list[Event]:
    return [Note(text=f"{name}{at}", at_ms=time) for at, time in enumerate(times)]


def _texts(events: list[Event]) -> list[str]:
    return [event.text for event in events if isinstance(event, Note)]


def test_by_time_the_recorded_first() -> None:
    mine, others = _notes([1.0, 5.0, 9.0], "a"), _notes([0.0, 5.0, 6.0, 20.0], "b")
    assert _texts(merged(mine, others)) == ["b0", "a0", "a1", "b1", "b2", "a2", "b3"]


def test_without_a_time_they_follow_the_one_before_or_come_last() -> None:
    mine, others = _notes([1.0, 5.0], "a"), _notes([2.0, None], "b")
    assert _texts(merged(mine, others)) == ["a0", "b0", "b1", "a1"]
    assert _texts(merged(mine, _notes([None, None], "b"))) == ["a0", "a1", "b0", "b1"]


@settings(max_examples=60)
@given(TIMES, TIMES)
def test_nothing_is_lost_and_each_keeps_its_order(
    ours: list[float | None], others: list[float | None]
) -> None:
    found = _texts(merged(_notes(ours, "a"), _notes(others, "b")))
    assert [text for text in found if text[0] == "a"] == [f"a{n}" for n in range(len(ours))]
    assert [text for text in found if text[0] == "b"] == [f"b{n}" for n in range(len(others))]


def test_who_holds_a_number_finds_the_event_still() -> None:
    tape = Tape()
    first = tape.append(Note, text="first")
    second = tape.append(Note, text="second")
    tape.merge([Note(text="from a span", at_ms=0.0)])
    tape.complete(second, text="second, completed")
    tape.merge([Note(text="another", at_ms=0.0)])
    tape.complete(first, text="first, completed")
    assert _texts(list(tape.events)) == [
        "from a span",
        "another",
        "first, completed",
        "second, completed",
    ]
    assert [event.seq for event in tape.events] == [0, 1, 2, 3]
