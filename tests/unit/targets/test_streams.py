import gzip
import zlib
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probare.targets.streams import Inflater, LineSplitter, ServerSentEvent, SseDecoder

PARTS = (
    *(b"data: ", b"data:", b"data", b"event: x", b"id: 1", b"retry: 5", b"a", b":", b" "),
    *(b"\n", b"\r", b"\r\n", b"\xef\xbb\xbf", b"\xc3\xa9", b"\xff", b"\x0c"),
)
STREAM_BYTES = st.lists(
    st.sampled_from(PARTS),
    max_size=20,
).map(b"".join)


def cut(data: bytes, places: list[int]) -> list[bytes]:
    bounds = sorted({0, len(data), *(place % (len(data) + 1) for place in places)})
    return [data[a:b] for a, b in pairwise(bounds)]


def lines_of(pieces: list[bytes], *, lone_cr: bool) -> list[bytes]:
    splitter = LineSplitter(lone_cr=lone_cr)
    lines = [line for piece in pieces for line in splitter.feed(piece)]
    return [*lines, splitter.rest()]


def events_of(pieces: list[bytes]) -> tuple[list[ServerSentEvent], list[ServerSentEvent], bool]:
    decoder = SseDecoder()
    events = [event for piece in pieces for event in decoder.feed(piece)]
    return events, decoder.end(), decoder.cut


@given(STREAM_BYTES, st.lists(st.integers(0, 1000), max_size=8), st.booleans())
def test_lines_do_not_depend_on_where_the_bytes_were_cut(
    data: bytes, places: list[int], lone_cr: bool
) -> None:
    assert lines_of(cut(data, places), lone_cr=lone_cr) == lines_of([data], lone_cr=lone_cr)


@given(STREAM_BYTES, st.lists(st.integers(0, 1000), max_size=8))
def test_events_do_not_depend_on_where_the_bytes_were_cut(data: bytes, places: list[int]) -> None:
    assert events_of(cut(data, places)) == events_of([data])


def test_only_line_feeds_end_json_lines() -> None:
    data = "a\u2028b\x0cc\rd\r\ne\n\nf".encode()
    assert lines_of([data], lone_cr=False) == ["a\u2028b\x0cc\rd".encode(), b"e", b"", b"f"]


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_events_with_any_line_end(end: str) -> None:
    text = "\ufeff: hello\nevent: add\ndata: 7385\n\ndata:first\ndata: second\nid: 3\n\ndata\n\n"
    events, rest, cut_off = events_of([text.replace("\n", end).encode()])
    assert events == [
        ServerSentEvent("add", "7385"),
        ServerSentEvent("message", "first\nsecond"),
        ServerSentEvent("message", ""),
    ]
    assert (rest, cut_off) == ([], False)


def test_one_space_is_dropped_and_no_more() -> None:
    assert events_of([b"data:  two\n\n"])[0] == [ServerSentEvent("message", " two")]


def test_a_name_without_data_is_no_event_and_does_not_stick() -> None:
    assert events_of([b"event: x\n\ndata: y\n\n"])[0] == [ServerSentEvent("message", "y")]


def test_a_last_event_without_its_blank_line_is_kept_and_a_cut_line_is_told() -> None:
    assert events_of([b"data: whole\n"]) == ([], [ServerSentEvent("message", "whole")], False)
    assert events_of([b"data: wh"]) == ([], [ServerSentEvent("message", "wh")], True)


def test_bytes_that_are_not_utf_8_are_kept_with_a_mark() -> None:
    assert events_of([b"data: caf\xe9\n\n"])[0] == [ServerSentEvent("message", "caf\\xe9")]


@given(st.binary(max_size=2000), st.lists(st.integers(0, 3000), max_size=6), st.booleans())
def test_inflating_undoes_both_codings(data: bytes, places: list[int], as_gzip: bool) -> None:
    packed = gzip.compress(data) if as_gzip else zlib.compress(data)
    inflater = Inflater()
    result = b"".join(out for piece in cut(packed, places) for out in inflater.feed(piece))
    assert result == data
    assert inflater.complete


@settings(max_examples=5)
@given(st.integers(60_000, 400_000))
def test_a_bomb_comes_in_small_steps(size: int) -> None:
    inflater = Inflater()
    sizes = [len(out) for out in inflater.feed(zlib.compress(bytes(size)))]
    assert sum(sizes) == size
    assert max(sizes) <= 65_536


def test_cut_compressed_data_is_not_complete() -> None:
    inflater = Inflater()
    list(inflater.feed(gzip.compress(b"x" * 1000)[:-9]))
    assert not inflater.complete
    with pytest.raises(zlib.error):
        list(Inflater().feed(b"not compressed"))


@pytest.mark.parametrize(("size", "held_back"), [(65_536, 1), (65_537, 4), (70_000, 10)])
def test_what_is_inflated_does_not_wait_for_more_bytes(size: int, held_back: int) -> None:
    packed = zlib.compress(bytes(size))
    inflater = Inflater()
    before = sum(len(out) for out in inflater.feed(packed[:-held_back]))
    after = sum(len(out) for out in inflater.feed(packed[-held_back:]))
    assert before + after == size
    assert after == 0 or held_back > 4
    assert inflater.complete
