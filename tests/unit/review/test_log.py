"""The chain: whatever is changed, left out, moved or put in is found, at its record."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probare.review.log import first_hash, line_of, make, read_line, verify_log


def _inside(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)


_PLAIN = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20)
_JSON = st.recursive(_PLAIN, _inside, max_leaves=8)
_BODIES = st.lists(st.dictionaries(st.text(max_size=8), _JSON, max_size=4), min_size=1, max_size=6)


def _log(bodies: list[dict[str, Any]], run: str = "run-1") -> list[bytes]:
    lines: list[bytes] = []
    prev = first_hash(run)
    for seq, body in enumerate(bodies):
        record = make(run, seq, prev, "review", body)
        prev = record.hash
        lines.append(line_of(record))
    return lines


def _records(found: Any) -> list[int | None]:
    return sorted({finding.record for finding in found})


@given(bodies=_BODIES)
def test_a_whole_log_has_no_findings(bodies: list[dict[str, Any]]) -> None:
    lines = _log(bodies)
    assert verify_log(lines) == []
    assert verify_log([line + b"\n" for line in lines], "run-1") == []
    assert [read_line(line).body for line in lines] == bodies


@given(bodies=_BODIES, data=st.data())
def test_a_changed_byte_is_found_at_its_record(
    bodies: list[dict[str, Any]], data: st.DataObject
) -> None:
    lines = _log(bodies)
    number = data.draw(st.integers(0, len(lines) - 1))
    at = data.draw(st.integers(0, len(lines[number]) - 1))
    other = (lines[number][at] + data.draw(st.integers(1, 255))) % 256
    lines[number] = lines[number][:at] + bytes([other]) + lines[number][at + 1 :]
    assert number in _records(verify_log(lines, "run-1"))


@given(bodies=_BODIES.filter(lambda bodies: len(bodies) > 1), data=st.data())
def test_a_record_left_out_moved_or_doubled_is_found(
    bodies: list[dict[str, Any]], data: st.DataObject
) -> None:
    lines = _log(bodies)
    number = data.draw(st.integers(0, len(lines) - 2))
    without = lines[:number] + lines[number + 1 :]
    assert _records(verify_log(without, "run-1")) == [number]
    moved = [*lines[:number], lines[number + 1], lines[number], *lines[number + 2 :]]
    assert _records(verify_log(moved))[0] == number
    doubled = [*lines[: number + 1], *lines[number:]]
    assert _records(verify_log(doubled)) == [number + 1]


def test_a_record_rewritten_with_its_hash_breaks_the_next() -> None:
    lines = _log([{"score": 1}, {"score": 2}, {"score": 3}])
    before = read_line(lines[1])
    lines[1] = line_of(make("run-1", 1, before.prev, "review", {"score": 4}))
    (finding,) = verify_log(lines)
    assert str(finding).startswith("record 2: does not follow the record before it")


def test_the_log_of_another_run_is_found() -> None:
    lines = _log([{"score": 1}, {"score": 2}], "run-2")
    assert verify_log(lines) == []
    assert _records(verify_log(lines, "run-1")) == [0, 1]
    put_in = [_log([{"a": 1}])[0], lines[1]]
    assert _records(verify_log(put_in)) == [1]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"", "cannot be read"),
        (b"{}", "a record has seq, run, kind, body, prev and hash"),
        (b"[" * 100_000, "nested"),
        (b'{"seq":0,"seq":1}', "duplicate key"),
        (b"\xff", "cannot be read"),
    ],
)
def test_what_is_no_record(line: bytes, words: str) -> None:
    lines = [*_log([{"a": 1}]), line]
    found = verify_log(lines)
    assert [finding.record for finding in found] == [1]
    assert words in found[0].words


def test_another_form_of_the_same_record_is_found() -> None:
    (line,) = _log([{"b": 1, "a": 2}])
    spaced = json.dumps(json.loads(line)).encode()
    (finding,) = verify_log([spaced])
    assert "not in the form" in finding.words
    more = json.dumps({**json.loads(line), "more": 1}, separators=(",", ":"), sort_keys=True)
    assert verify_log([more.encode()]) != []


def test_the_bytes_that_are_hashed() -> None:
    """SHA-256 of {"body":{"a":1},"kind":"review","prev":P,"run":"r","seq":0}, by `sha256sum`."""
    record = make("r", 0, first_hash("r"), "review", {"a": 1})
    assert first_hash("r") == "ad841d79710c7f27f4ad910301bd71be6e1c09671ad50de69f48f4f328c29f2a"
    assert record.hash == "81a3eb6691390b1db124ce98ad87f22b1487faf66f2c1510ddb1c4717436b77a"
