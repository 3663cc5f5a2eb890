"""Where records go as trials end, and come back from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from probare.model.outcome import Transcript
from probare.model.record import CaseRecord, TranscriptRef, TrialRecord


class TrialDraft(Protocol):
    """A trial record that lacks only its place: called with the transcript's reference."""

    def __call__(self, transcript: TranscriptRef, /) -> TrialRecord:
        """Return the finished record."""
        ...


class Store(Protocol):
    """An append-only home of one run's records. One writer."""

    def append(self, transcript: Transcript, draft: TrialDraft) -> TrialRecord:
        """Write the transcript line, then the trial line, and flush both."""
        ...

    def append_case(self, record: CaseRecord) -> None:
        """Write the case-wide verdicts of one case."""
        ...

    def records(self) -> Iterator[TrialRecord]:
        """Read the trial records back, in the order they were written."""
        ...

    def transcript(self, record: TrialRecord) -> Transcript:
        """Read one trial's transcript back."""
        ...
