"""The one writer of a run: the transcript line, then the trial line, flushed as a trial ends.

Lines are masked as bytes, then hashed, then written: what is hashed is what is stored. A
daemon thread calls fsync each second; `close` does at the end.
"""

from __future__ import annotations

import fcntl
import os
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from probare.encoding import digest, jsonbytes
from probare.encoding.blobs import MARK
from probare.errors import RunDirectoryError
from probare.model.outcome import Transcript
from probare.model.record import CaseRecord, TranscriptRef, TrialRecord
from probare.ports.store import TrialDraft
from probare.stores import blobs, directory, layout, salts

_SYNC_SECONDS = 1.0
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC

Mask = Callable[[bytes], bytes]


class RecordWriter:
    """Appends records to a run directory that exists. Locks it against other writers.

    `mask` masks bytes and returns them as they are where there is nothing to mask; `of_case`
    returns the mask of one case's records; `before_masking` changes a record of which something
    will be masked. What a kill left half-written is cut back first.
    """

    def __init__(
        self,
        folder: Path,
        mask: Mask,
        of_case: Callable[[str], Mask] | None = None,
        before_masking: Callable[[Transcript, TrialRecord], TrialRecord] | None = None,
    ) -> None:
        self._folder = folder
        self._mask = mask
        self._of_case = of_case
        self._before_masking = before_masking
        self._trials = os.open(folder / layout.TRIALS, _FLAGS, 0o644)
        _lock(self._trials, folder)
        directory.cut_back(folder)
        self._transcripts = os.open(folder / layout.TRANSCRIPTS, _FLAGS, 0o644)
        self._offset = os.fstat(self._transcripts).st_size
        self._cases: int | None = None
        self._dirty = False
        self._closed = threading.Event()
        self._syncer = threading.Thread(target=self._keep_syncing, name="probare-fsync")
        self._syncer.daemon = True
        self._syncer.start()

    def append(self, transcript: Transcript, draft: TrialDraft) -> TrialRecord:
        """Write one trial: its transcript line, then its record. Raises RunDirectoryError.

        Returns the record as it is stored, secrets masked: what is told of it is told of that.
        """
        if not transcript.salt:
            transcript = msgspec.structs.replace(transcript, salt=salts.fresh())
        line = jsonbytes.encode(transcript)
        mask = self._mask if self._of_case is None else self._of_case(transcript.case)
        if len(line) > blobs.LARGE_LINE or MARK in line:
            line = jsonbytes.encode(self._without_large_texts(line, mask))
        record = draft(TranscriptRef(self._offset, len(line), digest.of_bytes(line)))
        plain = masked = jsonbytes.encode(record)
        both = b"\n".join((line, plain))
        if mask(both) is not both:
            line = mask(line)
            record = draft(TranscriptRef(self._offset, len(line), digest.of_bytes(line)))
            if self._before_masking is not None:
                record = self._before_masking(transcript, record)
            plain = jsonbytes.encode(record)
            masked = mask(plain)
        try:
            _write(self._transcripts, line + b"\n")
            self._offset += len(line) + 1
            _write(self._trials, masked + b"\n")
        except OSError as error:
            raise self._cannot_write(error) from error
        self._dirty = True
        return record if masked == plain else msgspec.json.decode(masked, type=TrialRecord)

    def append_case(self, record: CaseRecord) -> None:
        """Write the case-wide verdicts of one case."""
        try:
            if self._cases is None:
                self._cases = os.open(self._folder / layout.CASES, _FLAGS, 0o644)
            mask = self._mask if self._of_case is None else self._of_case(record.case)
            _write(self._cases, mask(jsonbytes.encode(record)) + b"\n")
        except OSError as error:
            raise self._cannot_write(error) from error

    def close(self) -> None:
        """Sync everything to the disk and let go of the files."""
        self._closed.set()
        self._syncer.join()
        for descriptor in (self._transcripts, self._trials, self._cases):
            if descriptor is not None:
                os.fsync(descriptor)
                os.close(descriptor)

    def _without_large_texts(self, line: bytes, mask: Mask) -> Any:
        plain = msgspec.json.decode(line)
        return blobs.put_away(plain, self._folder / layout.BLOBS, mask)

    def _keep_syncing(self) -> None:
        while not self._closed.wait(_SYNC_SECONDS):
            if self._dirty:
                self._dirty = False
                os.fsync(self._transcripts)
                os.fsync(self._trials)

    def _cannot_write(self, error: OSError) -> RunDirectoryError:
        return RunDirectoryError(
            f"cannot write to {self._folder}: {error.strerror or error}",
            hint="what had ended is kept; free some space and resume with "
            f"probare run --resume {self._folder}",
        )


@contextmanager
def locked(folder: Path) -> Generator[None]:
    """Hold a run directory's lock, so that no writer is at work in it. Raises RunDirectoryError."""
    descriptor = os.open(folder / layout.TRIALS, _FLAGS, 0o644)
    _lock(descriptor, folder)
    try:
        yield
    finally:
        os.close(descriptor)


def _write(descriptor: int, data: bytes) -> None:
    written = os.write(descriptor, data)
    while written < len(data):
        written += os.write(descriptor, data[written:])


def _lock(descriptor: int, folder: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise RunDirectoryError(
            f"{folder} is being written by another process",
            hint="wait for it to end, or stop it",
        ) from None
