"""Reading a run directory back: plan, suite, records, transcripts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, TypeVar

import msgspec

from probare.encoding import blobs, digest
from probare.errors import RunDirectoryError
from probare.model.basis import Basis
from probare.model.case import Case
from probare.model.outcome import Transcript
from probare.model.record import CaseRecord, RunPlan, TrialRecord
from probare.model.score import Summary
from probare.model.suite import Suite
from probare.stores import layout

S = TypeVar("S", bound=msgspec.Struct)

_HINT = "is this a run directory, whole and not edited?"


class RunReader:
    """A run directory, read lazily. Raises RunDirectoryError where it is not one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        if not (folder / layout.RUN).is_file():
            raise RunDirectoryError(f"{folder} is not a run directory: no {layout.RUN}")
        self._trial = msgspec.json.Decoder(TrialRecord)
        self._transcript = msgspec.json.Decoder(Transcript)

    @property
    def plan(self) -> RunPlan:
        """What was planned."""
        return self._whole(layout.RUN, RunPlan)

    @property
    def summary(self) -> Summary:
        """The decision and the scores, as they were written when the run ended."""
        return self._whole(layout.SUMMARY, Summary)

    @property
    def basis(self) -> Basis:
        """What the decision rests on besides the records."""
        return self._whole(layout.BASIS, Basis)

    @property
    def has_summary(self) -> bool:
        """Whether the run ended (an interrupted one has no summary)."""
        return (self.folder / layout.SUMMARY).is_file()

    @property
    def sealed(self) -> bool:
        """Whether the run is sealed, so that nothing in it may change."""
        return (self.folder / layout.MANIFEST).exists()

    def suite(self) -> Suite:
        """Return the suite as it was resolved, its cases included."""
        lines = self._lines(layout.SUITE)
        try:
            number, first = next(lines)
        except StopIteration:
            raise RunDirectoryError(f"{self.folder / layout.SUITE} is empty", hint=_HINT) from None
        suite = self._decoded(msgspec.json.Decoder(Suite), first, layout.SUITE, number)
        decoder = msgspec.json.Decoder(Case)
        cases = [self._decoded(decoder, line, layout.SUITE, n) for n, line in lines]
        return msgspec.structs.replace(suite, cases=tuple(cases))

    def records(self) -> Iterator[TrialRecord]:
        """Yield the trial records in the order in which they were written."""
        for number, line in self._lines(layout.TRIALS):
            yield self._decoded(self._trial, line, layout.TRIALS, number)

    def trials(self) -> Iterator[tuple[TrialRecord, Transcript]]:
        """Yield each trial record with its transcript, in one pass over both files."""
        path = self.folder / layout.TRANSCRIPTS
        try:
            with path.open("rb") as file:
                for record in self.records():
                    yield record, self._read_transcript(file, record)
        except OSError as error:
            raise RunDirectoryError(f"{path} cannot be read: {error.strerror}") from error

    def case_records(self) -> Iterator[CaseRecord]:
        """Yield the case-wide verdicts; none where the suite has no case-wide check."""
        if not (self.folder / layout.CASES).exists():
            return
        decoder = msgspec.json.Decoder(CaseRecord)
        for number, line in self._lines(layout.CASES):
            yield self._decoded(decoder, line, layout.CASES, number)

    def transcript(self, record: TrialRecord) -> Transcript:
        """Return one trial's transcript. Raises where its bytes are not those recorded."""
        path = self.folder / layout.TRANSCRIPTS
        try:
            with path.open("rb") as file:
                return self._read_transcript(file, record)
        except OSError as error:
            raise RunDirectoryError(f"{path} cannot be read: {error.strerror}") from error

    def _read_transcript(self, file: BinaryIO, record: TrialRecord) -> Transcript:
        reference = record.transcript
        file.seek(reference.offset)
        line = file.read(reference.length)
        if digest.of_bytes(line) != reference.sha256:
            raise RunDirectoryError(
                f"the transcript of {record.case} trial {record.trial} is not the recorded one",
                hint=_HINT,
            )
        return self._transcript_of(line)

    def _transcript_of(self, line: bytes) -> Transcript:
        if blobs.MARK in line:
            folder = self.folder / layout.BLOBS
            try:
                whole = blobs.fetch(msgspec.json.decode(line), folder)
            except (OSError, ValueError) as error:
                raise RunDirectoryError(
                    f"a large text of {self.folder} is lost: {error}", hint=_HINT
                ) from error
            return msgspec.convert(whole, Transcript)
        return self._transcript.decode(line)

    def _whole(self, name: str, kind: type[S]) -> S:
        path = self.folder / name
        try:
            return msgspec.json.decode(path.read_bytes(), type=kind)
        except FileNotFoundError:
            raise RunDirectoryError(
                f"{self.folder} has no {name}",
                hint=f"did the run end? probare run --resume {self.folder} finishes it",
            ) from None
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise RunDirectoryError(f"{path} is corrupt: {error}", hint=_HINT) from None

    def _lines(self, name: str) -> Iterator[tuple[int, bytes]]:
        path = self.folder / name
        try:
            with path.open("rb") as file:
                yield from enumerate(file, 1)
        except FileNotFoundError:
            raise RunDirectoryError(f"{self.folder} has no {name}", hint=_HINT) from None

    def _decoded(self, decoder: msgspec.json.Decoder[S], line: bytes, name: str, number: int) -> S:
        try:
            return decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise RunDirectoryError(f"{self.folder / name}:{number}: {error}", hint=_HINT) from None
