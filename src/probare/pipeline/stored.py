"""One case of a run, read back: its trials and what was said of them. Imports no suite's code."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from probare.errors import InputError, did_you_mean
from probare.model.case import Case
from probare.model.outcome import Transcript
from probare.model.record import TrialRecord
from probare.model.verdict import CheckVerdict
from probare.stores.reader import RunReader

_WORST_FIRST = ("failed", "errored", "needs_review", "ungraded", "passed")


class StoredCase(msgspec.Struct, frozen=True, kw_only=True):
    """A case of a run. `trials` stand in the order of their numbers; `case` is null where the
    run's suite does not hold it; `wide` are its case-wide verdicts.
    """

    reader: RunReader
    name: str
    case: Case | None
    trials: tuple[TrialRecord, ...]
    wide: tuple[CheckVerdict, ...]

    def trial(self, number: int) -> TrialRecord:
        """Return one trial. Raises InputError where it has no record."""
        found = next((record for record in self.trials if record.trial == number), None)
        if found is None:
            known = ", ".join(str(record.trial) for record in self.trials)
            raise InputError(
                f"the run holds no trial {number} of case '{self.name}'",
                hint=f"it holds: {known}",
            )
        return found

    def worst_first(self) -> Sequence[TrialRecord]:
        """Return the trials: failed first, passed last."""
        return sorted(self.trials, key=lambda record: _WORST_FIRST.index(record.status))

    def transcript(self, record: TrialRecord) -> Transcript:
        """Return what happened in a trial. Raises RunDirectoryError where it was changed."""
        return self.reader.transcript(record)


def stored_case(run: Path, name: str) -> StoredCase:
    """Return a case of a run, finished or not.

    Raises InputError where the run has no such case, or no trial of it has ended yet, and
    RunDirectoryError where the folder is no run.
    """
    reader = RunReader(run)
    planned = reader.plan.cases
    if name not in planned:
        raise InputError(
            f"the run has no case '{name}'",
            hint=did_you_mean(name, planned) or f"probare report {run} lists them",
        )
    trials = [record for record in reader.records() if record.case == name]
    if not trials:
        raise InputError(f"no trial of case '{name}' has ended in this run")
    return StoredCase(
        reader=reader,
        name=name,
        case=next((case for case in reader.suite().cases if case.id == name), None),
        trials=tuple(sorted(trials, key=lambda record: record.trial)),
        wide=tuple(
            verdict
            for record in reader.case_records()
            if record.case == name
            for verdict in record.verdicts
        ),
    )
