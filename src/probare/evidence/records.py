"""The content of a bundle: every line decodes, and the lines fit each other and the plan.

This is read only where files are as they were sealed; what is found here, the writer of the
bundle did.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from itertools import zip_longest
from typing import Any

import msgspec

from probare.encoding.narrow import mapping, sequence
from probare.evidence import names
from probare.evidence.examination import Findings
from probare.evidence.folder import Folder, Unreadable
from probare.evidence.hashing import MAX_LINE, TOKEN_SIZE
from probare.evidence.strict import json_as, json_value
from probare.model.record import TranscriptRef, TrialRecord

MAX_JSON = 256 * 1024 * 1024

_TRIAL = msgspec.json.Decoder(TrialRecord)


class _OnlyReference(msgspec.Struct, frozen=True):
    transcript: TranscriptRef


def transcript_tokens(opened: Folder, sealed_size: int) -> list[bytes]:
    """Return the start of the digest that each trial gives of its transcript, in their order.

    No more is read of the trials than the size that was sealed.
    """
    decoder = msgspec.json.Decoder(_OnlyReference)
    tokens: list[bytes] = []
    read = 0
    for line in _lines(opened, names.TRIALS, sealed_size + 1):
        read += len(line) + 1
        if read > sealed_size:
            break
        try:
            digest = bytes.fromhex(decoder.decode(line).transcript.sha256)
        except (ValueError, RecursionError):
            digest = b""
        tokens.append(digest[:TOKEN_SIZE])
    return tokens


def check_document(opened: Folder, name: str, findings: Findings) -> dict[str, Any]:
    """Return a file that is one JSON object, read strictly; empty where it is none."""
    try:
        value = json_value(opened.read(name, MAX_JSON))
    except (Unreadable, ValueError) as error:
        findings.add(name, f"it is not JSON that can be trusted: {error}")
        return {}
    if not isinstance(value, dict):
        findings.add(name, "it is not a JSON object")
    return mapping(value)


def check_lines(opened: Folder, name: str, findings: Findings) -> None:
    """Check that each line of a file is strict JSON."""
    for number, line in enumerate(_lines(opened, name), 1):
        try:
            json_value(line)
        except ValueError as error:
            findings.add(name, f"this line is not JSON that can be trusted: {error}", number)


def check_records(opened: Folder, run: Mapping[str, Any], findings: Findings) -> int:
    """Check trials and transcripts, line by line and side by side; return the number of trials."""
    walk = _Walk(opened, mapping(run.get("cases")), findings)
    pairs = zip_longest(_lines(opened, names.TRIALS), _lines(opened, names.TRANSCRIPTS))
    for number, (trial, transcript) in enumerate(pairs, 1):
        if trial is None:
            findings.add(names.TRANSCRIPTS, "no trial refers to this line", number)
        else:
            walk.check(number, trial, transcript)
    if walk.lost_blobs:
        lines = ", ".join(map(str, walk.lost_blobs[:5]))
        more = f" and {len(walk.lost_blobs) - 5} more" if len(walk.lost_blobs) > 5 else ""
        what = f"large texts are missing that lines {lines}{more} of {names.TRANSCRIPTS} refer to"
        findings.add(names.BLOBS, what)
    return walk.trials


class _Walk:
    """One pass over both logs."""

    def __init__(self, opened: Folder, planned: Mapping[str, Any], findings: Findings) -> None:
        self._opened = opened
        self.trials = 0
        self.lost_blobs: list[int] = []
        self._planned = planned
        self._findings = findings
        self._seen: set[tuple[str, int]] = set()
        self._offset = 0

    def check(self, number: int, line: bytes, transcript: bytes | None) -> None:
        try:
            record = json_as(line, _TRIAL)
        except ValueError as error:
            self._trial(number, f"this line is not a trial's record: {error}")
            self._offset += len(transcript) + 1 if transcript is not None else 0
            return
        self.trials += 1
        self._check_place(number, record)
        if transcript is None:
            self._trial(number, f"{names.TRANSCRIPTS} has no line for this trial")
            return
        self._check_reference(number, record.transcript, transcript)
        self._check_transcript(number, record, transcript)
        self._offset += len(transcript) + 1

    def _trial(self, number: int, what: str) -> None:
        self._findings.add(names.TRIALS, what, number)

    def _check_place(self, number: int, record: TrialRecord) -> None:
        case, trial = record.case, record.trial
        planned = self._planned.get(case)
        if not isinstance(planned, int):
            self._trial(number, f"its case is not in the plan of {names.RUN}")
            return
        if not 0 <= trial < planned:
            self._trial(number, f"it is trial {trial} of a case planned for {planned}")
            return
        if (case, trial) in self._seen:
            self._trial(number, f"trial {trial} of its case stands here a second time")
        self._seen.add((case, trial))

    def _check_reference(self, number: int, place: TranscriptRef, line: bytes) -> None:
        if (place.offset, place.length) != (self._offset, len(line)):
            self._trial(number, f"it does not refer to line {number} of {names.TRANSCRIPTS}")
        elif place.sha256 != sha256(line).hexdigest():
            self._trial(number, "the digest that it gives of its transcript is another")

    def _check_transcript(self, number: int, record: TrialRecord, line: bytes) -> None:
        try:
            value = mapping(json_value(line))
        except ValueError as error:
            what = f"this line is not JSON that can be trusted: {error}"
            self._findings.add(names.TRANSCRIPTS, what, number)
            return
        if (value.get("case"), value.get("trial", 0)) != (record.case, record.trial):
            what = "this is the transcript of another trial than its record says"
            self._findings.add(names.TRANSCRIPTS, what, number)
        if b'"$blob"' in line and any(
            f"{names.BLOBS}/{name}" not in self._opened for name in blob_names(value)
        ):
            self.lost_blobs.append(number)


def blob_names(value: Any) -> Iterator[str]:
    """Yield the digests that a transcript refers to, as texts kept in `blobs/`."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        inner = mapping(item)
        digest = inner.get("$blob")
        if isinstance(digest, str) and inner.keys() == {"$blob", "size"}:
            yield digest
        else:
            waiting += [*inner.values(), *sequence(item)]


def _lines(opened: Folder, name: str, longest: int = MAX_LINE) -> Iterator[bytes]:
    """Yield the lines without their line feeds. An unreadable file has none."""
    try:
        with opened.open(name) as file:
            while line := file.readline(min(longest, MAX_LINE)):
                yield line[:-1] if line.endswith(b"\n") else line
    except (Unreadable, OSError):
        return
