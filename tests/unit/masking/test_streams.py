"""A secret that comes in pieces is found, whoever holds them; whole neighbours stay whole."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probare.masking import Masker
from probare.masking.pieces import Found, mask_across, mask_spans
from probare.masking.streams import joined_texts

SECRET = "hunter2-the-password"
MASKER = Masker({"K": SECRET})


def cut(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


def events(pieces: Sequence[str], **between: Any) -> bytes:
    listed: list[dict[str, Any]] = []
    for piece in pieces:
        listed.append({"kind": "message", "role": "assistant", "content": piece})
        if between:
            listed.append({"kind": "note", **between})
    return json.dumps({"case": "a", "events": listed}, separators=(",", ":")).encode()


def contents(line: bytes) -> list[str]:
    return [e["content"] for e in json.loads(line)["events"] if e["kind"] == "message"]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 10, 19])
@pytest.mark.parametrize("secret", [SECRET, "sk-proj-abcdefgh0123456789", "AKIAABCDEFGH01234567"])
@pytest.mark.parametrize("between", [{}, {"text": "meanwhile"}])
def test_pieces_of_any_size_in_events(size: int, secret: str, between: dict[str, Any]) -> None:
    pieces = cut(f"the key is {secret} , take care", size)
    after = contents(MASKER.mask_bytes(events(pieces, **between)))
    assert len(after) == len(pieces)
    whole = "".join(after)
    assert secret not in whole
    assert whole.startswith("the key is [secret:")
    assert whole.endswith("] , take care")


def test_pieces_in_a_list_and_in_two_kinds_of_event() -> None:
    line = json.dumps({"output": cut(SECRET, 4)}, separators=(",", ":")).encode()
    after = json.loads(MASKER.mask_bytes(line))["output"]
    assert "".join(after).startswith("[secret:K#")
    assert after[1:] == [""] * 4
    mixed = events([SECRET[:5]], text=SECRET[5:])
    assert MASKER.mask_bytes(mixed) is mixed


def test_whole_ones_beside_pieces_are_masked_as_ever() -> None:
    keys = ["AIzaSyabcdefghijk0123456789", "ghp_abcdefgh0123456789", SECRET[:9], SECRET[9:]]
    after = json.loads(MASKER.mask_bytes(json.dumps({"output": keys}).encode()))["output"]
    assert [text.partition("#")[0] for text in after] == [
        "[secret:google-key",
        "[secret:github-token" if after[1] else "",
        "[secret:K",
        "",
    ]
    assert not any(part in "".join(after) for part in ("abcdefgh", "hunter", "password"))


def test_lines_without_pieces_are_seen_to_have_none() -> None:
    assert joined_texts(b'{"case":"a","output":"x"}') == b""
    assert joined_texts(events(["one"])) == b""
    assert joined_texts(b'{"output":["one"]}') == b""
    assert joined_texts(b"not JSON, {" + b'"kind":' * 3) == b""
    assert joined_texts(events(["one", "two"])) == b"onetwo"
    assert joined_texts(b'{"a":1}\n' + events(["one", "two"])) == b"onetwo"
    assert joined_texts(b'{"output":[["a","b"],{"c":["d","e"]}]}') == b"ab\nde"


def test_harness_words_are_no_pieces() -> None:
    line = events(["x", "y"])
    assert b"assistant" not in joined_texts(line)


def test_stretches_are_replaced_and_overlaps_once() -> None:
    found = [Found(2, 5, "<a>"), Found(4, 7, "<b>"), Found(5, 6, "<c>")]
    assert mask_spans("0123456789", found) == "01<a>789"
    assert mask_spans("0123", []) == "0123"


_PIECES = st.lists(st.text(alphabet="abc", max_size=4), min_size=1, max_size=6)


@settings(max_examples=150)
@given(_PIECES, st.text(alphabet="abc", min_size=1, max_size=3))
def test_pieces_stay_as_many_and_lose_what_crosses(pieces: list[str], word: str) -> None:
    def find(text: str) -> list[Found]:
        at, found = text.find(word), list[Found]()
        while at >= 0:
            found.append(Found(at, at + len(word), "#"))
            at = text.find(word, at + len(word))
        return found

    after = mask_across(pieces, find, find)
    assert len(after) == len(pieces)
    crossing = [f for f in find("".join(pieces)) if not inside(pieces, f)]
    if crossing:
        assert "#" in "".join(after)
    else:
        assert after == pieces


def inside(pieces: list[str], found: Found) -> bool:
    at = 0
    for piece in pieces:
        if at <= found.start and found.end <= at + len(piece):
            return True
        at += len(piece)
    return False
