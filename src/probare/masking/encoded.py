"""What bytes may encode: percent-encoding undone, and base64 in them decoded, quickly.

This tells only whether there is something to look for; `probare.masking.layers` then finds where.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from urllib.parse import unquote_to_bytes

_CAPITALS = 4
_NOT_WORDS = bytes(
    byte for byte in range(256) if not (65 <= byte <= 90 or byte in b" \"'.,:;(){}[]<>\\\n")
)
_URL_SAFE = bytes.maketrans(b"-_", b"+/")
_percent = re.compile(rb"%[0-9A-Fa-f]{2}").search
_run_of_capitals = re.compile(rb"[A-Z]{%d}" % _CAPITALS).search
_run = re.compile(rb"(?:[A-Za-z0-9+/_-]{12,}(?:(?:\\r)?\\n|\\?/|\s)*)+")
_space = re.compile(rb"\\[rn]|[\s\\]")


def may_encode(line: bytes, marks: bytes) -> bool:
    """Return whether `decodings` is worth asking. `marks` are the capitals and more of the bytes
    (`probare.masking.shapes.marks_of`).

    What is base64 has several capitals in one word, as hardly a word of a record has.
    """
    if len(marks) >= _CAPITALS and _run_of_capitals(line.translate(None, _NOT_WORDS)):
        return True
    return b"%" in marks and _percent(line) is not None


def decodings(line: bytes, marks: bytes) -> Iterator[bytes]:
    """Yield what the bytes decode to, if anything."""
    if b"%" in marks and _percent(line):
        yield unquote_to_bytes(line)
    runs = [_space.sub(b"", found).translate(_URL_SAFE) for found in _run.findall(line)]
    for skipped in range(4) if runs else ():
        yield b"\n".join(_decoded(run[skipped:]) for run in runs)


def _decoded(run: bytes) -> bytes:
    whole = run[:-1] if len(run) % 4 == 1 else run
    return binascii.a2b_base64(whole + b"=" * (-len(whole) % 4))
