import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from probare.errors import LimitReached, TargetError
from probare.model.event import Note, StateChange, ToolCall, Usage
from probare.targets.answer import CUT_MARK, Answer
from probare.targets.stdout import StandardOutput
from probare.targets.tape import Tape

LINES = (
    *(b'{"piece": "h\\u00e9"}', '{"piece": "é"}'.encode(), b"noise", b"{", b"", b"\xff"),
    *(b'{"event": {"kind": "note", "text": "t"}}', b'{"output": 1}', b'{"a": 1}', b" "),
)


def settled(*pieces: bytes, limit: int = 10_000) -> Tape:
    tape = Tape()
    answer = Answer(tape)
    output = StandardOutput(answer, limit)
    for piece in pieces:
        output.feed(piece)
    output.end()
    answer.finish()
    return tape


def notes(tape: Tape) -> list[str]:
    return [event.text for event in tape.events if isinstance(event, Note)]


@pytest.mark.parametrize(
    ("printed", "output"),
    [
        (b"hello\n", "hello"),
        (b"hello", "hello"),
        (b"a\r\n\r\n", "a\r\n"),
        (b"\n", ""),
        (b"42\n", "42"),
        (b"false", "false"),
        (b'"quoted"\n', '"quoted"'),
        (b"[1, 2]\n", [1, 2]),
        (b'{"text": "hi"}\n', {"text": "hi"}),
        (b'{\n  "items": [\n    {"output": 3},\n    {"output": 4}\n  ]\n}\n', None),
        (b'{"output": false}\n', False),
        (b'{"output": 0}', 0),
        (b'{"output": null}\n', None),
        (b'{\n  "output": "hi"\n}\n', "hi"),
        (b'{"event": "a concert"}\n', {"event": "a concert"}),
        (b'{"piece": 5}\n', {"piece": 5}),
        (b'{"a": NaN}\n', '{"a": NaN}'),
        (b'{"a": 1}\n{"a": 2}\n', '{"a": 1}\n{"a": 2}'),
        (b"caf\xe9\n", "caf\\xe9"),
        (b'{"output": "caf\xe9"}\n', "caf\\xe9"),
        (b'{"piece": "a"}\n{"piece": ""}\n{"piece": "b"}\n', "ab"),
        (b'{"piece": "a"}\n{"output": "other"}\n', "other"),
    ],
)
def test_outputs(printed: bytes, output: Any) -> None:
    expected = {"items": [{"output": 3}, {"output": 4}]} if b"items" in printed else output
    tape = settled(printed)
    assert tape.outcome.output == expected
    assert type(tape.outcome.output) is type(expected)
    assert not tape.outcome.truncated


def test_nothing_is_not_an_answer() -> None:
    with pytest.raises(TargetError, match="answered nothing"):
        settled()


def test_events_without_an_output_are_not_an_answer() -> None:
    with pytest.raises(TargetError, match="without an output"):
        settled(b'{"event": {"kind": "tool_call", "name": "x"}}\n')


def test_lines_of_the_protocol() -> None:
    tape = settled(
        b'{"event": {"kind": "tool_call", "name": "refund", "source": "observed"}}\n',
        b'{"event": {"kind": "state", "state": {"n": 1}}}\n',
        b'{"output": "done", "artifacts": ["a.txt"], "recorded": {"reward": 1},',
        b' "usage": {"input_tokens": 3, "output_tokens": 4}, "model": "m", "odd": 1}\n',
    )
    outcome = tape.outcome
    assert (outcome.output, outcome.state) == ("done", {"n": 1})
    assert (outcome.artifacts, outcome.recorded) == (("a.txt",), {"reward": 1})
    call, state, usage, note = tape.events
    assert isinstance(call, ToolCall)
    assert (call.name, call.source, call.seq) == ("refund", "claimed", 0)
    assert isinstance(state, StateChange)
    assert isinstance(usage, Usage)
    assert (usage.input_tokens, usage.model, usage.source) == (3, "m", "claimed")
    assert isinstance(note, Note)
    assert note.data == {"odd": 1}
    assert tape.first_token_ms is None
    assert tape.observes == ()


def test_state_beside_the_output_holds_over_earlier_ones() -> None:
    tape = settled(b'{"event": {"kind": "state", "state": 1}}\n{"output": 0, "state": null}')
    assert tape.outcome.state is None


def test_pieces_time_the_first_token() -> None:
    assert settled(b'{"piece": "a"}\n').first_token_ms is not None


def test_noise_among_the_lines_is_kept_apart() -> None:
    tape = settled(b'loading\n\n{"piece": "a"}\n{"half\n  {"piece": "no"}\ntail')
    assert tape.outcome.output == "a"
    assert notes(tape) == [
        'printed among the lines of the protocol:\nloading\n{"half\n  {"piece": "no"}\ntail'
    ]


def test_a_second_output_holds_and_is_told() -> None:
    tape = settled(b'{"output": 1}\n{"output": 2}\n')
    assert tape.outcome.output == 2
    assert notes(tape) == ["a second output came, and holds; the first was"]


def test_what_does_not_fit_beside_the_output_is_told() -> None:
    tape = settled(b'{"output": 1, "events": "none", "artifacts": [3]}')
    assert notes(tape) == ["the artifacts are not a list of paths", "the events are not a list"]


@given(
    st.lists(
        st.sampled_from(LINES),
        min_size=1,
        max_size=6,
    ),
    st.lists(st.integers(0, 300), max_size=6),
    st.booleans(),
)
def test_the_answer_does_not_depend_on_where_the_bytes_were_cut(
    lines: list[bytes], places: list[int], ended: bool
) -> None:
    data = b"\n".join(lines) + (b"\n" if ended else b"")
    bounds = [0, *sorted(place % (len(data) + 1) for place in places), len(data)]
    pieces = [data[a:b] for a, b in pairwise(bounds)]

    def seen(parts: list[bytes]) -> Any:
        try:
            tape = settled(*parts)
        except TargetError as error:
            return error.message
        return tape.outcome, [(type(event), event.attributes) for event in tape.events]

    assert seen(pieces) == seen([data])


@pytest.mark.parametrize(
    ("printed", "kept"),
    [
        (b"x" * 50, "x" * 20 + CUT_MARK),
        (b'{"piece": "abc"}\n{"piece": "def"}\n', "abc" + CUT_MARK),
    ],
)
def test_a_flood_is_cut_at_the_limit(printed: bytes, kept: str) -> None:
    tape = Tape()
    output = StandardOutput(Answer(tape), 20)
    with pytest.raises(LimitReached, match="longer than 20 bytes"):
        output.feed(printed)
    output.cut()
    assert tape.outcome.output == kept
    assert tape.outcome.truncated


def test_exactly_the_limit_is_allowed() -> None:
    assert settled(b"x" * 20, limit=20).outcome.output == "x" * 20


def test_a_cut_answer_without_text_has_no_output() -> None:
    tape = Tape()
    StandardOutput(Answer(tape), 20).cut()
    assert tape.outcome.output is UNSET
    assert tape.outcome.truncated


def test_an_output_that_came_whole_stays_as_it_is() -> None:
    tape = Tape()
    output = StandardOutput(Answer(tape), 100)
    output.feed(json.dumps({"output": {"a": 1}}).encode())
    output.cut()
    assert tape.outcome.output == {"a": 1}
    assert tape.outcome.truncated
