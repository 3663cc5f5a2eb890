"""Which lines of a log were changed, lost, added, copied or moved since it was sealed.

Lines are compared by short tokens: `expected` from the seal, `actual` from what is there. Any
change is certain already, by digest and root; this only finds the place, for people.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import BinaryIO, TypeAlias

from probare.evidence.hashing import MAX_LINE, TOKEN_SIZE

Difference: TypeAlias = tuple[int, str]

_MOST = 20
_BEYOND = 64 * 1024


def tokens_of(
    file: BinaryIO, sealed_size: int, token: Callable[[bytes], bytes]
) -> tuple[list[bytes], bool]:
    """Return the tokens of the lines, and whether the last line read ends in a line feed.

    Little is read beyond the size that was sealed: a giant file in its place costs nothing.
    """
    tokens: list[bytes] = []
    read = 0
    line = b"\n"
    while read <= sealed_size + _BEYOND:
        following = file.readline(min(MAX_LINE, sealed_size + _BEYOND + 1))
        if not following:
            break
        line = following
        read += len(line)
        tokens.append(token(line[:-1] if line.endswith(b"\n") else line))
    return tokens, line.endswith(b"\n")


def leaf_token(line: bytes) -> bytes:
    """Return the token of a line of `trials.jsonl`: the start of its leaf hash."""
    return sha256(b"\x00" + line).digest()[:TOKEN_SIZE]


def digest_token(line: bytes) -> bytes:
    """Return the token of a line of `transcripts.jsonl`: the start of its SHA-256."""
    return sha256(line).digest()[:TOKEN_SIZE]


def differences(expected: Sequence[bytes], actual: Sequence[bytes]) -> list[Difference]:
    """Return (line, what happened); lines count from 1 in what is there, lost ones as sealed."""
    start = _common(expected, actual)
    end = _common(expected[start:][::-1], actual[start:][::-1])
    lost = expected[start : len(expected) - end]
    new = actual[start : len(actual) - end]
    if not lost and not new:
        return []
    if not new:
        return _missing(start, len(lost), at_end=end == 0)
    if not lost:
        return _added(start, new, expected)
    if len(lost) == len(new):
        return _replaced(start, lost, new, expected)
    first, last = start + 1, start + len(new)
    where = f"lines {first} to {last} stand" if last > first else "this line stands"
    what = f"{where} where {_count(len(lost))} (from line {first}) stood when it was sealed"
    return [(first, what)]


def _missing(start: int, count: int, *, at_end: bool) -> list[Difference]:
    what = "the file was truncated: " if at_end else ""
    if count == 1:
        return [(start + 1, f"{what}this line is missing")]
    return [(start + 1, f"{what}lines {start + 1} to {start + count} are missing")]


def _added(start: int, new: Sequence[bytes], expected: Sequence[bytes]) -> list[Difference]:
    found: list[Difference] = []
    sealed = {token: number for number, token in enumerate(expected, 1)}
    for number, token in enumerate(new[:_MOST], start + 1):
        original = sealed.get(token)
        copy = f": a copy of the line sealed as {original}" if original else ""
        found.append((number, f"this line was added{copy}"))
    return found + _rest(start, len(new))


def _replaced(
    start: int, lost: Sequence[bytes], new: Sequence[bytes], expected: Sequence[bytes]
) -> list[Difference]:
    sealed = {token: number for number, token in enumerate(expected, 1)}
    changed = [i for i in range(len(new)) if lost[i] != new[i]]
    found: list[Difference] = []
    for i in changed[:_MOST]:
        original = sealed.get(new[i])
        if original is None:
            what = "this line was changed"
        else:
            what = f"the lines were reordered: this is the line sealed as {original}"
        found.append((start + i + 1, what))
    return found + _rest(start, len(changed))


def _rest(start: int, count: int) -> list[Difference]:
    return [(start + 1, f"and {count - _MOST:,} more lines like it")] if count > _MOST else []


def _common(left: Sequence[bytes], right: Sequence[bytes]) -> int:
    count = 0
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        count += 1
    return count


def _count(number: int) -> str:
    return "1 line" if number == 1 else f"{number:,} lines"
