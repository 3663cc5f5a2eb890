"""Runs: making one, finishing one that was interrupted, and reading one."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import msgspec

from probare.errors import InputError, RunDirectoryError
from probare.evidence.keys import SigningKey
from probare.loading import Loaded, load
from probare.model.outcome import Transcript
from probare.model.record import CaseRecord, TrialRecord
from probare.model.score import Scores, Summary
from probare.pipeline import baselinefile
from probare.pipeline.concluding import Conclusion
from probare.pipeline.dotenv import filled_environ
from probare.pipeline.execution import execute
from probare.pipeline.options import RunOptions, Selection
from probare.pipeline.preparing import Prepared, for_record, least_trials, prepare, suite_secrets
from probare.pipeline.preregistering import hold_to, lay_in
from probare.pipeline.sealing import conclude_and_seal
from probare.ports.catalogue import Catalogue
from probare.ports.progress import Progress
from probare.stores import directory, layout
from probare.stores.reader import RunReader
from probare.stores.writer import locked

INTERRUPTED = 130


class Run:
    """A run on disk: its decision, scores and records.

    `summary` is null where the run was interrupted; then `exit_code` is 130 and `resume` says
    how to go on.
    """

    def __init__(self, folder: Path, summary: Summary | None = None) -> None:
        self.folder = folder
        self._reader = RunReader(folder)
        self.summary = summary
        if summary is None and self._reader.has_summary:
            self.summary = self._reader.summary

    @property
    def exit_code(self) -> int:
        """0 passed, 1 failed, 3 incomplete, 130 interrupted."""
        return INTERRUPTED if self.summary is None else self.summary.exit_code

    @property
    def passed(self) -> bool:
        """Whether the decision is `passed`."""
        return self.exit_code == 0

    @property
    def scores(self) -> Scores:
        """The suite's scores. Raises RunDirectoryError where the run did not end."""
        if self.summary is None:
            raise RunDirectoryError(f"{self.folder} was interrupted", hint=self.resume)
        return self.summary.scores

    @property
    def resume(self) -> str:
        """The command that finishes an interrupted run."""
        return f"probare run --resume {self.folder}"

    def records(self) -> Iterator[TrialRecord]:
        """Yield the trial records, read from disk as they are asked for."""
        return self._reader.records()

    def case_records(self) -> Iterator[CaseRecord]:
        """Yield the case-wide verdicts."""
        return self._reader.case_records()

    def transcript(self, record: TrialRecord) -> Transcript:
        """Return what happened in one trial."""
        return self._reader.transcript(record)

    def __repr__(self) -> str:
        words = self.summary.decision if self.summary else "interrupted"
        return f"<Run {self.folder.name}: {words}>"


@contextmanager
def opened(suite: Path, catalogue: Catalogue) -> Generator[tuple[Loaded, Mapping[str, str]]]:
    """Load a suite with its `.env` filled in; yield it with the environment."""
    folder = suite if suite.is_dir() else suite.parent
    with filled_environ(folder) as environ:
        yield load(suite, catalogue, environ), environ


async def run_loaded(
    loaded: Loaded,
    options: RunOptions,
    catalogue: Catalogue,
    environ: Mapping[str, str],
    progress: Progress,
    *,
    key: SigningKey | None = None,
    plan: Path | None = None,
) -> Run:
    """Run a loaded suite, conclude and seal it: a new run directory with its reports.

    `key` signs the seal; `plan` is a sealed plan, to which suite and options are held.
    """
    least = least_trials(loaded.suite, catalogue)
    prepared = prepare(loaded, options, environ, least_trials=least)
    if plan is not None:
        public = None if key is None else key.public
        held = hold_to(plan, loaded, options, catalogue, public)
        named = msgspec.structs.replace(prepared.plan, plan=held.sha256)
        prepared = msgspec.structs.replace(prepared, plan=named)
    return await run_prepared(prepared, catalogue, progress, key=key, plan=plan)


async def run_prepared(
    prepared: Prepared,
    catalogue: Catalogue,
    progress: Progress,
    *,
    key: SigningKey | None = None,
    plan: Path | None = None,
) -> Run:
    """Run what is prepared, conclude and seal it. Raises InputError where it cannot begin."""
    options = prepared.options
    if prepared.held:  # a bad baseline is told before anything runs
        baselinefile.chosen(_baseline_of(options), prepared.suite_file)
    folder = directory.create(options.root, prepared.plan.run_id)
    directory.write_plan(
        folder, prepared.plan, for_record(prepared.suite), prepared.masker.mask_bytes
    )
    if plan is not None:
        lay_in(plan, folder)
    try:
        return await _executed(prepared, catalogue, folder, progress, key)
    except InputError:
        directory.discard(folder)
        raise


async def resume(
    folder: Path,
    catalogue: Catalogue,
    progress: Progress,
    *,
    retry_errored: bool = False,
    key: SigningKey | None = None,
) -> Run:
    """Finish an interrupted run: what is missing runs, once, with the options of `run.json`.

    Raises RunDirectoryError where the run is sealed, or the suite is no longer the same.
    """
    reader = RunReader(folder)
    plan = reader.plan
    if plan.suite_path is None:
        raise RunDirectoryError(
            f"{folder} was started from Python, not from a suite file",
            hint="resume it there: probare.run(suite, resume=...)",
        )
    with opened(Path(plan.suite_path), catalogue) as (loaded, environ):
        return await resume_loaded(
            folder, loaded, catalogue, environ, progress, retry_errored=retry_errored, key=key
        )


async def resume_loaded(
    folder: Path,
    loaded: Loaded,
    catalogue: Catalogue,
    environ: Mapping[str, str],
    progress: Progress,
    *,
    retry_errored: bool = False,
    key: SigningKey | None = None,
) -> Run:
    """Finish an interrupted run of a suite that is loaded already."""
    reader = RunReader(folder)
    plan = reader.plan
    if reader.sealed:
        raise RunDirectoryError(
            f"{folder} is sealed, and a sealed run is never changed",
            hint=f"what did not pass runs anew with: probare run SUITE --failed {folder}",
        )
    if loaded.digest != plan.suite_digest:
        raise RunDirectoryError(
            f"the suite has changed since {folder.name} began",
            hint="start a new run; or put the suite back as it was",
        )
    options = msgspec.convert(plan.options, RunOptions)
    prepared = prepare(loaded, _same_cases(options, plan.cases), environ, run_id=plan.run_id)
    prepared = msgspec.structs.replace(prepared, plan=plan, options=options)
    baselinefile.chosen(_baseline_of(options), loaded.path)
    with locked(folder):
        directory.cut_back(folder)
        if retry_errored:
            directory.drop_trials(folder, lambda record: record.status == "errored")
        (folder / layout.SUMMARY).unlink(missing_ok=True)
    return await _executed(prepared, catalogue, folder, progress, key)


def _same_cases(options: RunOptions, planned: Mapping[str, int]) -> RunOptions:
    """Return the options with the very cases that were planned, whatever chose them then."""
    select = Selection(exactly=tuple(planned))
    return msgspec.structs.replace(options, select=select)


def _unmasked(prepared: Prepared) -> dict[str, str]:
    found = prepared.masker.unmasked
    names = suite_secrets(prepared.suite)
    return {name: reason for name, reason in found.items() if name in names}


def _baseline_of(options: RunOptions) -> Path | None:
    return Path(options.baseline) if options.baseline is not None else None


async def _executed(
    prepared: Prepared,
    catalogue: Catalogue,
    folder: Path,
    progress: Progress,
    key: SigningKey | None,
) -> Run:
    finished = await execute(prepared, catalogue, folder, progress)
    if finished.interrupted:
        return Run(folder)
    conclusion = Conclusion(
        folder=folder,
        plan=prepared.plan,
        suite=for_record(prepared.suite),
        suite_file=prepared.suite_file,
        baseline=_baseline_of(prepared.options),
        held=prepared.held,
        stopped=finished.stopped,
        hung=finished.hung,
        problem=finished.problem,
        unmasked=_unmasked(prepared),
        mask=prepared.masker.mask_text,
        mask_note=prepared.masks.of_run(),
    )
    return Run(folder, conclude_and_seal(conclusion, catalogue, key=key))
