"""The hash chain of the review log, and what tells that it was tampered with.

A record's hash is the SHA-256 of its compact JSON with sorted keys, without `hash` itself; each
names the hash before it, and the first one a value that follows from the run's id. So a record
that was changed, left out, moved or put in from another run breaks the chain where that happened.
What a chain cannot tell is whether records at its end were cut off, or whether all of it was
written anew: the seal of the run that it was exported into does.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from probare.encoding import digest
from probare.encoding.jsonbytes import decode_strict, encode_sorted
from probare.model.review import LogFinding, LogRecord, RecordKind

_FIELDS = "a record has seq, run, kind, body, prev and hash"


def first_hash(run: str) -> str:
    """Return what the first record of a run's log names as the hash before it."""
    return digest.of_value(["probare review log", run])


def make(run: str, seq: int, prev: str, kind: RecordKind, body: Any) -> LogRecord:
    """Return the next record, with its hash."""
    plain = msgspec.to_builtins(body)
    bare = {"seq": seq, "run": run, "kind": kind, "body": plain, "prev": prev}
    return LogRecord(seq=seq, run=run, kind=kind, body=plain, prev=prev, hash=digest.of_value(bare))


def line_of(record: LogRecord) -> bytes:
    """Return a record as its line, without the line feed."""
    return encode_sorted(record)


def read_line(line: bytes) -> LogRecord:
    """Read one line. Raises ValueError where it is no record, in the form it was written in."""
    try:
        record = msgspec.convert(decode_strict(line), LogRecord)
    except msgspec.ValidationError as error:
        raise ValueError(f"{error} ({_FIELDS})") from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if line_of(record) != line:
        raise ValueError("it is not in the form that records are written in")
    return record


def read_log(
    lines: Iterable[bytes], run: str | None = None
) -> tuple[list[LogRecord], list[LogFinding]]:
    """Read a log and check its chain. Lines that cannot be read are found, and left out.

    `run` is the run that it must be of; where it is not given, the first record's.
    """
    records: list[LogRecord] = []
    findings: list[LogFinding] = []
    before: LogRecord | None = None
    expected = 0
    for number, line in enumerate(lines):
        try:
            record = read_line(line.rstrip(b"\n"))
        except ValueError as error:
            findings.append(LogFinding(f"cannot be read: {error}", number))
            before = None
            expected += 1
            continue
        run = record.run if run is None else run
        findings.extend(LogFinding(words, number) for words in _faults(record, expected, run))
        known = before is not None or number == 0
        prev = first_hash(run) if before is None else before.hash
        if known and record.prev != prev:
            words = "does not follow the record before it: one was changed, left out or put in"
            findings.append(LogFinding(words, number))
        before, expected = record, record.seq + 1
        records.append(record)
    return records, findings


def verify_log(lines: Iterable[bytes], run: str | None = None) -> list[LogFinding]:
    """Return what is wrong with a log's form and chain; nothing where it is whole."""
    return read_log(lines, run)[1]


def _faults(record: LogRecord, expected: int, run: str) -> Iterable[str]:
    if record.run != run:
        yield f"is of run {record.run}, not of {run}"
    if record.seq != expected:
        yield f"is numbered {record.seq}, where {expected} is due"
    again = make(record.run, record.seq, record.prev, record.kind, record.body)
    if again.hash != record.hash:
        yield "was changed: its hash is not the one of what it says"
