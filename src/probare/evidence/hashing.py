"""Digests of files in one pass: size and SHA-256, and for a file of lines its Merkle root."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import BinaryIO

from probare.evidence.merkle import TreeHasher

MAX_LINE = 64 * 1024 * 1024
TOKEN_SIZE = 8

_PIECE = 1 << 18


class LineTooLong(ValueError):  # noqa: N818 - reads as what it is
    """A line is longer than MAX_LINE; `number` counts from 1."""

    def __init__(self, number: int) -> None:
        super().__init__(f"line {number} is longer than {MAX_LINE:,} bytes")
        self.number = number


@dataclass(frozen=True, slots=True)
class FileDigest:
    """The size in bytes and the SHA-256, in hex, of a file as stored."""

    size: int
    sha256: str
    head: bytes = b""


@dataclass(frozen=True, slots=True)
class LinesDigest(FileDigest):
    """A file of lines: also the number of its lines, the root over them, and their tokens.

    A token is the first eight bytes of a line's leaf hash: enough to find the line that was
    changed. `whole` says whether the last line ends in a line feed.
    """

    leaves: int = 0
    root: bytes = b""
    tokens: bytes = b""
    whole: bool = True


def digest_file(file: BinaryIO, limit: int | None = None) -> FileDigest:
    """Read a file to its end, or until it is past `limit` bytes: more is never hashed."""
    hasher = sha256()
    size = 0
    head = b""
    while piece := file.read(_PIECE):
        if not size:
            head = piece[:64]
        hasher.update(piece)
        size += len(piece)
        if limit is not None and size > limit:
            break
    return FileDigest(size, hasher.hexdigest(), head)


def digest_lines(file: BinaryIO, limit: int | None = None) -> LinesDigest:
    """Read a file of lines, as `digest_file` does. Raises LineTooLong."""
    whole, tree = sha256(), TreeHasher()
    update, add, readline = whole.update, tree.add, file.readline
    tokens = bytearray()
    size = 0
    head = line = b""
    most = MAX_LINE + 1
    while line_read := readline(most):
        line = line_read
        if len(line) == most:
            raise LineTooLong(tree.size + 1)
        if not size:
            head = line[:64]
        size += len(line)
        update(line)
        leaf = sha256(b"\x00" + (line[:-1] if line[-1] == 10 else line)).digest()
        add(leaf)
        tokens += leaf[:TOKEN_SIZE]
        if limit is not None and size > limit:
            break
    return LinesDigest(
        size=size,
        sha256=whole.hexdigest(),
        head=head,
        leaves=tree.size,
        root=tree.root(),
        tokens=bytes(tokens),
        whole=not line or line.endswith(b"\n"),
    )


def leaves_file(tokens: bytes) -> bytes:
    """Return the text of `trials.leaves`: a line a token, in hex."""
    return (tokens.hex("\n", TOKEN_SIZE) + "\n").encode() if tokens else b""


def parse_leaves(data: bytes) -> list[bytes] | None:
    """Return the tokens of a `trials.leaves`; None where it is none."""
    try:
        tokens = [bytes.fromhex(line) for line in data.decode("ascii").splitlines()]
    except ValueError:
        return None
    return tokens if all(len(token) == TOKEN_SIZE for token in tokens) else None
