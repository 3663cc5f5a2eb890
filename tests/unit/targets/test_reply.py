import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probare.errors import TargetError
from probare.model.event import Note, ToolCall, Usage
from probare.targets import paths
from probare.targets.answer import Answer
from probare.targets.reply import EventStream, Layout, LineStream, take_document
from probare.targets.tape import Tape

OPENAI = Layout(piece=paths.parse("choices[0].delta.content", "piece"))
JSON_TYPE = "application/json"


def document(body: bytes, content_type: str = JSON_TYPE, layout: Layout | None = None) -> Tape:
    tape = Tape()
    answer = Answer(tape)
    take_document(body, content_type, layout or Layout(), answer)
    answer.finish()
    return tape


def streamed(kind: type[EventStream] | type[LineStream], layout: Layout, *data: bytes) -> Any:
    """Return whether the stream ended properly, and its tape."""
    tape = Tape()
    answer = Answer(tape)
    sink = kind(layout, answer)
    ended = any(sink.feed(piece) for piece in data) or sink.end()
    answer.finish()
    return ended, tape


def sse(*data: Any) -> bytes:
    texts = [item if isinstance(item, str) else json.dumps(item) for item in data]
    return "".join(f"data: {text}\n\n" for text in texts).encode()


def delta(**content: Any) -> dict[str, Any]:
    return {"choices": [{"delta": content}]}


@pytest.mark.parametrize(
    ("body", "content_type", "output"),
    [
        (b'{"output": 0, "id": 3}', JSON_TYPE, 0),
        (b'{"answer": "hi"}', JSON_TYPE, {"answer": "hi"}),
        (b"false", JSON_TYPE, False),
        (b'""', JSON_TYPE, ""),
        (b'"hi"', JSON_TYPE, "hi"),
        (b"hi", "text/plain", "hi"),
        (b"42", "text/plain", "42"),
        (b"hi", "", "hi"),
        (b'{"output": "hi"}', "text/plain", "hi"),
    ],
)
def test_documents(body: bytes, content_type: str, output: Any) -> None:
    found = document(body, content_type).outcome.output
    assert found == output
    assert type(found) is type(output)


def test_a_document_with_paths() -> None:
    layout = Layout(
        output=paths.parse("$.choices[0].message.content", "output"),
        events=paths.parse("trace.steps", "events"),
    )
    reply = {
        "choices": [{"message": {"content": "hi"}}],
        "trace": {"steps": [{"kind": "tool_call", "name": "x"}]},
        "usage": {"prompt_tokens": 10, "completion_tokens": 2},
        "model": "m",
    }
    tape = document(json.dumps(reply).encode(), layout=layout)
    assert tape.outcome.output == "hi"
    call, usage = tape.events
    assert isinstance(call, ToolCall)
    assert call.source == "claimed"
    assert usage == Usage(seq=1, at_ms=usage.at_ms, input_tokens=10, output_tokens=2, model="m")


def test_events_stand_beside_the_output() -> None:
    tape = document(b'{"output": 1, "events": [{"kind": "tool_call", "name": "x"}, 5]}')
    assert [type(event) for event in tape.events] == [ToolCall, Note]


def test_given_events_are_not_taken_twice() -> None:
    layout = Layout(events=paths.parse("events", "events"))
    tape = document(b'{"output": 1, "events": [{"kind": "note", "text": "t"}]}', layout=layout)
    assert [type(event) for event in tape.events] == [Note]


@pytest.mark.parametrize(
    ("body", "content_type", "layout", "said"),
    [
        (b"", JSON_TYPE, Layout(), "the reply is empty"),
        (b" \n", "text/plain", Layout(), "the reply is empty"),
        (b"<html>Sign in</html>", "text/html", Layout(), "not JSON: <html>Sign in"),
        (b'{"a": NaN}', JSON_TYPE, Layout(), "not JSON"),
        (b"hi", "text/plain", Layout(output=paths.parse("a", "output")), "not JSON: hi"),
        (b'{"b": 1}', JSON_TYPE, Layout(output=paths.parse("a", "output")), "no key 'a'"),
        (b'{"error": "x"}', JSON_TYPE, Layout(output=paths.parse("a", "output")), "no output"),
    ],
)
def test_documents_that_are_no_answer(
    body: bytes, content_type: str, layout: Layout, said: str
) -> None:
    with pytest.raises(TargetError, match=said):
        document(body, content_type, layout)


def test_a_chat_stream_with_a_path_to_the_piece() -> None:
    parts = [delta(role="assistant", content=""), delta(content="Hel"), delta(content="lo")]
    usage: dict[str, Any] = {"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 2}}
    data = sse(*parts, delta(), usage, "[DONE]", "after")
    ended, tape = streamed(EventStream, OPENAI, data)
    assert ended
    assert tape.outcome.output == "Hello"
    assert tape.first_token_ms is not None
    assert [type(event) for event in tape.events] == [Usage]


def test_plain_text_data_are_pieces_and_json_texts_are_their_value() -> None:
    ended, tape = streamed(EventStream, Layout(), sse("Take", ' " ', "42", "{", '" \\u00e9"'))
    assert ended
    assert tape.outcome.output == 'Take " 42{ é'


def test_objects_of_the_protocol_in_a_stream() -> None:
    data = [
        {"event": {"kind": "tool_call", "name": "x"}},
        {"piece": "a"},
        {"text": "b"},
        {"delta": "c"},
        {"output": {"n": 1}},
    ]
    for kind, body in (
        (EventStream, sse(*data)),
        (LineStream, "".join(json.dumps(item) + "\n" for item in data).encode()),
    ):
        ended, tape = streamed(kind, Layout(), body)
        assert ended
        assert tape.outcome.output == {"n": 1}
        assert tape.joined == "abc"
        assert [type(event) for event in tape.events] == [ToolCall]


def test_a_part_that_means_nothing_is_told() -> None:
    _, tape = streamed(EventStream, Layout(), sse({"piece": "a"}, {"progress": 1}, {}))
    (note,) = tape.events
    assert isinstance(note, Note)
    assert note.data == {"progress": 1}


@pytest.mark.parametrize(
    ("kind", "layout", "body", "said"),
    [
        (EventStream, Layout(), b"event: error\ndata: overloaded\n\n", "an error: overloaded"),
        (EventStream, OPENAI, sse({"error": {"message": "busy"}}), "an error: .*busy"),
        (EventStream, OPENAI, sse("not json"), "not JSON: not json"),
        (LineStream, Layout(), b'oops\n{"piece": "a"}\n', "not JSON: oops"),
        (LineStream, Layout(), b'{"error": "x"}\n', "an error"),
    ],
)
def test_streams_that_go_wrong(
    kind: type[EventStream], layout: Layout, body: bytes, said: str
) -> None:
    with pytest.raises(TargetError, match=said):
        streamed(kind, layout, body)


@pytest.mark.parametrize(
    ("kind", "layout", "body", "ended"),
    [
        (EventStream, Layout(done="<end>"), sse("a", "<end>"), True),
        (EventStream, Layout(done="<end>"), sse("a"), False),
        (EventStream, Layout(done="<end>"), sse("a", "[DONE]"), False),
        (EventStream, Layout(), b"data: a\n\ndata: b\n", True),
        (EventStream, Layout(), b"data: a\n\ndata: b", False),
        (EventStream, Layout(), b'data: a\n\ndata: {"piece": "b', False),
        (EventStream, Layout(), b'data: a\n\ndata: {"piece": "b"}', True),
        (EventStream, Layout(), b"data: a\n\ndata: [DONE]", True),
        (LineStream, Layout(), b'{"piece": "a"}\n{"output": "x"}', True),
        (LineStream, Layout(), b'{"piece": "a"}\n{"output": "x', False),
        (LineStream, Layout(), b'{"piece": "a"}\n\n', True),
        (LineStream, Layout(done="[DONE]"), b'{"piece": "a"}\n', False),
        (LineStream, Layout(done="[DONE]"), b'{"piece": "a"}\n[DONE]', True),
    ],
)
def test_where_a_stream_may_end(
    kind: type[EventStream], layout: Layout, body: bytes, ended: bool
) -> None:
    assert streamed(kind, layout, body)[0] is ended


@given(
    st.lists(
        st.sampled_from(["a", "é", '"q"', "[DONE]", '{"piece": "é"}', '{"x": 1}', "", "4"]),
        max_size=6,
    ),
    st.lists(st.integers(0, 200), max_size=6),
)
def test_a_stream_does_not_depend_on_where_the_bytes_were_cut(
    data: list[str], places: list[int]
) -> None:
    body = sse(*data)
    bounds = [0, *sorted(place % (len(body) + 1) for place in places), len(body)]
    pieces = [body[a:b] for a, b in pairwise(bounds)]

    def seen(parts: list[bytes]) -> Any:
        ended, tape = streamed(EventStream, Layout(), *parts)
        return ended, tape.outcome, len(tape.events)

    assert seen(pieces) == seen([body])
