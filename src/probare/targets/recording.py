"""A file of recorded transcripts: found by case and trial, read one at a time.

Where a run's `trials.jsonl` lies beside it, how each trial stopped is known too.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec

from probare.encoding import blobs
from probare.errors import InfraError, InputError, Place
from probare.model.outcome import Stop, Transcript
from probare.model.record import TrialError

TRANSCRIPTS = "transcripts.jsonl"
TRIALS = "trials.jsonl"
BLOBS = "blobs"
_BOM = b"\xef\xbb\xbf"
_CHANGED = "was the file changed during the run?"


class _Key(msgspec.Struct, frozen=True):
    case: str
    trial: int = 0


class Stopped(msgspec.Struct, frozen=True):
    """How a recorded trial stopped, as its trial record says."""

    case: str
    trial: int
    stop: Stop
    error: TrialError | None = None


class Spot(msgspec.Struct, frozen=True):
    """Where a trial's line stands: its number from 1, and its bytes."""

    line: int
    offset: int
    length: int


_KEY = msgspec.json.Decoder(_Key)
_STOPPED = msgspec.json.Decoder(Stopped)
_TRANSCRIPT = msgspec.json.Decoder(Transcript)


class Recording:
    """An open recording. Memory holds a place for each trial, no transcript."""

    def __init__(self, path: Path) -> None:
        """Index the file, or the one in the folder. Raises InputError where it is missing, and
        where a line is no transcript or the second one of its trial.
        """
        self.path = path / TRANSCRIPTS if path.is_dir() else path
        try:
            self._file = self.path.open("rb")
        except OSError as error:
            raise InputError(
                f"the recording cannot be read: {error.strerror}",
                place=Place(str(self.path)),
                hint="name a file of transcripts, or a run's folder, beside the suite",
            ) from error
        try:
            self._spots = _indexed(self.path, self._file)
            self._stops = _stops(self.path.with_name(TRIALS))
            if not self._spots:
                raise InputError("the recording is empty", place=Place(str(self.path)))
        except BaseException:
            self._file.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def stopped(self, case: str, trial: int) -> Stopped | None:
        """Return how a trial stopped if it did not complete; None where it did, or who knows."""
        return self._stops.get((case, trial))

    def read(self, case: str, trial: int) -> Transcript:
        """Return a trial's transcript. Raises InfraError where there is none."""
        spot = self._spots.get((case, trial))
        if spot is None:
            raise InfraError(
                f"{self.path.name} has no trial {trial} of case '{case}'",
                hint=self._what_there_is(case),
                retryable=False,
            )
        self._file.seek(spot.offset)
        line = self._file.read(spot.length)
        try:
            if blobs.MARK in line:
                whole = blobs.fetch(msgspec.json.decode(line), self.path.with_name(BLOBS))
                transcript = msgspec.convert(whole, Transcript)
            else:
                transcript = _TRANSCRIPT.decode(line)
        except (msgspec.DecodeError, OSError, ValueError) as error:
            raise InfraError(
                f"line {spot.line} of {self.path} cannot be read: {error}",
                hint=_CHANGED,
                retryable=False,
            ) from error
        if (transcript.case, transcript.trial) != (case, trial):
            raise InfraError(
                f"line {spot.line} of {self.path} is another trial's now",
                hint=_CHANGED,
                retryable=False,
            )
        return transcript

    def _what_there_is(self, case: str) -> str:
        trials = sorted(trial for name, trial in self._spots if name == case)
        if trials:
            return f"of this case it has the trials {', '.join(map(str, trials[:20]))}"
        return "it has none of this case; was its id changed since the recording?"


def _indexed(path: Path, file: BinaryIO) -> dict[tuple[str, int], Spot]:
    spots: dict[tuple[str, int], Spot] = {}
    for spot, line in _lines(file):
        place = Place(str(path), spot.line)
        try:
            known = _KEY.decode(line) if blobs.MARK in line else _TRANSCRIPT.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise InputError(
                f"this line is no transcript: {error}",
                place=place,
                hint="was the recording cut off while it was written?",
            ) from error
        first = spots.setdefault((known.case, known.trial), spot)
        if first is not spot:
            raise InputError(
                f"trial {known.trial} of case '{known.case}' stands on line {first.line} already",
                place=place,
                hint="each trial may have one line",
            )
    return spots


def _lines(file: BinaryIO) -> Iterator[tuple[Spot, bytes]]:
    offset = 0
    for number, line in enumerate(file, 1):
        start, end = offset, offset + len(line)
        offset = end
        if number == 1 and line.startswith(_BOM):
            start += len(_BOM)
            line = line.removeprefix(_BOM)
        if line.strip():
            yield Spot(number, start, end - start), line


def _stops(path: Path) -> dict[tuple[str, int], Stopped]:
    """Return the trials that did not complete, by a run's own records where they are there."""
    stops: dict[tuple[str, int], Stopped] = {}
    number = 0
    if not path.is_file():
        return stops
    try:
        with path.open("rb") as file:
            for spot, line in _lines(file):
                number = spot.line
                record = _STOPPED.decode(line)
                if record.stop != "completed":
                    stops[record.case, record.trial] = record
    except OSError as error:
        raise InputError(f"the records cannot be read: {error.strerror}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(
            f"this line is no trial record: {error}", place=Place(str(path), number)
        ) from error
    return stops
