"""The reporter: writes what people and CI read of a finished run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Protocol

import msgspec

from probare.model.outcome import Transcript
from probare.model.record import CaseRecord, RunPlan, TrialRecord
from probare.model.score import Summary
from probare.model.suite import Suite


class Material(msgspec.Struct, frozen=True, kw_only=True):
    """What a report is written from. Records and transcripts are read as they are asked for.

    Records are stored masked; `mask` takes secrets out of what is not read from them. `people`
    gives what people's reviews tell, in Markdown.
    """

    summary: Summary
    plan: RunPlan
    suite: Suite
    records: Callable[[], Iterator[TrialRecord]]
    case_records: Callable[[], Iterator[CaseRecord]]
    transcript: Callable[[TrialRecord], Transcript]
    mask: Callable[[str], str] = str
    people: Callable[[], Iterable[str]] = tuple[str]


class Reporter(Protocol):
    """A format: `name` as the command writes it, `filename` in the run directory."""

    @property
    def name(self) -> str:
        """The format's name."""
        ...

    @property
    def filename(self) -> str:
        """The file's name in a run directory."""
        ...

    def write(self, path: Path, material: Material) -> None:
        """Write the report to a file, whole or not at all."""
        ...
