"""One case, run by itself against a target, through the whole pipeline."""

from __future__ import annotations

import glob
import os
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from probare.encoding.narrow import mapping
from probare.errors import InputError, SelectionError, did_you_mean
from probare.face import Case as CaseShape
from probare.face import Suite
from probare.loading import Loaded
from probare.model.case import Case
from probare.model.event import Event
from probare.model.outcome import Outcome, Transcript
from probare.model.record import CaseStatus, TrialRecord, TrialStatus
from probare.model.verdict import CheckVerdict
from probare.pipeline.catalogue import BuiltCatalogue
from probare.pipeline.dotenv import filled_environ
from probare.pipeline.options import RunOptions, Selection
from probare.pipeline.preparing import least_trials, prepare
from probare.pipeline.runs import Run, opened, run_prepared
from probare.ports.catalogue import Catalogue
from probare.ports.grader import Grader
from probare.reporting.progress import Silent
from probare.running.loops import run_to_end
from probare.stores.reader import RunReader
from probare.testing.telling import Told, told

Agent = Callable[..., Any]


class CaseNotPassed(AssertionError):  # noqa: N818 - reads as what it is
    """A case did not pass; the message says which check, in which trial, and why."""


class CaseFailed(CaseNotPassed):
    """A case failed, or passed and failed (flaky): its agent did what it must not."""


class CaseErrored(CaseNotPassed):
    """A case has no answer: it errored, could not be judged, or has nothing that judges it."""


class Trial(msgspec.Struct, frozen=True, kw_only=True):
    """One trial of a case: its record and all that happened in it."""

    record: TrialRecord
    transcript: Transcript

    @property
    def status(self) -> TrialStatus:
        """passed, failed, errored, needs_review or ungraded."""
        return self.record.status

    @property
    def verdicts(self) -> tuple[CheckVerdict, ...]:
        """What each check said, in the order of the case."""
        return self.record.verdicts

    @property
    def outcome(self) -> Outcome:
        """Output, state, artifacts."""
        return self.transcript.outcome

    @property
    def output(self) -> Any:
        """The output; `msgspec.UNSET` where there is none."""
        return self.transcript.outcome.output

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened, in order."""
        return self.transcript.events


class CaseResult(msgspec.Struct, frozen=True, kw_only=True):
    """What a case came to. `output`, `events` and `verdicts` are those of its first trial.

    `case_wide` are the verdicts over all trials; `cost_usd` is null where it is unknown. Texts
    are as they stand in the run directory: secrets are masked.
    """

    case: Case
    status: CaseStatus
    trials: tuple[Trial, ...]
    case_wide: tuple[CheckVerdict, ...]
    planned: int
    cost_usd: float | None
    run: Run

    @property
    def passed(self) -> bool:
        """Whether the case passed: every trial, every required check."""
        return self.status == "passed"

    @property
    def first(self) -> Trial:
        """The first trial."""
        return self.trials[0]

    @property
    def output(self) -> Any:
        """The first trial's output; `msgspec.UNSET` where there is none."""
        return self.first.output

    @property
    def events(self) -> tuple[Event, ...]:
        """The first trial's events."""
        return self.first.events

    @property
    def verdicts(self) -> tuple[CheckVerdict, ...]:
        """What each check said of the first trial."""
        return self.first.verdicts

    @property
    def has_answer(self) -> bool:
        """Whether the case passed, failed or did both; else it errored, waits for a person, or
        nothing judges it.
        """
        return self.status in ("passed", "failed", "flaky")

    def explain(self, *, named: bool = True) -> str:
        """Return what did not pass, and why, as people read it. The first line says it all, and
        begins with the case's id where it is `named`.
        """
        return told(
            Told(
                case=self.case,
                status=self.status,
                planned=self.planned,
                trials=[trial.record for trial in self.trials],
                outcomes=[trial.outcome for trial in self.trials],
                wide=self.case_wide,
                named=named,
            )
        )

    def assert_passed(self) -> None:
        """Raise CaseFailed where it failed or is flaky, CaseErrored where it has no answer."""
        __tracebackhide__ = True
        if not self.passed:
            raise CaseFailed(self.explain()) if self.has_answer else CaseErrored(self.explain())

    def __repr__(self) -> str:
        return f"<CaseResult {self.explain().splitlines()[0]}>"


def run_case(
    case: CaseShape | str,
    *,
    target: Agent | Mapping[str, Any] | str | None = None,
    suite: str | os.PathLike[str] | None = None,
    trials: int | None = None,
    folder: str | os.PathLike[str] = ".",
    runs: str | os.PathLike[str] | None = None,
    graders: tuple[type[Grader], ...] = (),
    **keys: Any,
) -> CaseResult:
    """Run one case by itself against a target, all its trials, and return what it came to.

    `case` is a `Case`, with the agent itself as `target` (a function, a coroutine function, a
    class, or what a suite file would say); `keys` are those of a suite (`timeout`, `limits`, …),
    and names of files and modules are looked up in `folder`. With `suite`, the file or folder of
    a suite, `case` is the id of one of its cases and `target` one of its targets' names.

    The run directory is made in `runs`, by default in a new temporary folder. Raises LoadError or
    another InputError where nothing could run; a case that did not pass raises nothing.
    """
    catalogue = BuiltCatalogue(graders)
    root = Path(tempfile.mkdtemp(prefix="probare-")) if runs is None else Path(runs)
    if isinstance(case, CaseShape):
        if suite is not None:
            raise InputError("give a suite with the id of one of its cases, or a Case without one")
        made = Suite("test", cases=[case], target=_target(target), folder=Path(folder), **keys)
        with filled_environ(made.folder) as environ:
            loaded = made.loaded(catalogue, dict(environ))
            return _ran(loaded, loaded.suite.cases[0], None, trials, root, catalogue, environ)
    if suite is None or not (target is None or isinstance(target, str)):
        raise InputError("a case's id needs its suite, and a target by its name there")
    if keys or graders:
        raise InputError("a suite of a file says itself how it is run")
    with opened(Path(suite), catalogue) as (loaded, environ):
        wanted = _named(loaded, case)
        return _ran(loaded, wanted, target, trials, root, catalogue, environ)


def run_loaded_case(
    loaded: Loaded,
    case: Case,
    options: RunOptions,
    catalogue: Catalogue,
    environ: Mapping[str, str],
) -> CaseResult:
    """Run one case of a loaded suite, held against no baseline.

    Raises InputError where it cannot begin, and KeyboardInterrupt where it was interrupted.
    """
    alone = msgspec.structs.replace(loaded.suite, cases=(case,))
    loaded = msgspec.structs.replace(loaded, suite=alone)
    select = Selection(cases=(glob.escape(case.id),))
    options = msgspec.structs.replace(options, select=select)
    prepared = prepare(loaded, options, environ, least_trials=least_trials(loaded.suite, catalogue))
    prepared = msgspec.structs.replace(prepared, held=False)
    run = run_to_end(lambda: run_prepared(prepared, catalogue, Silent()))
    return result_of(run)


def result_of(run: Run) -> CaseResult:
    """Return what the one case of a run came to. Raises KeyboardInterrupt where it did not end."""
    if run.summary is None:
        raise KeyboardInterrupt
    reader = RunReader(run.folder)
    (found,) = run.summary.per_case.values()
    trials = [Trial(record=record, transcript=seen) for record, seen in reader.trials()]
    return CaseResult(
        case=reader.suite().cases[0],
        status=found.status,
        trials=tuple(sorted(trials, key=lambda trial: trial.record.trial)),
        case_wide=tuple(v for record in reader.case_records() for v in record.verdicts),
        planned=found.trials,
        cost_usd=run.summary.cost_usd,
        run=run,
    )


def _ran(
    loaded: Loaded,
    case: Case,
    target: str | None,
    trials: int | None,
    runs: Path,
    catalogue: Catalogue,
    environ: Mapping[str, str],
) -> CaseResult:
    options = RunOptions(target=target, trials=trials, runs=str(runs))
    return run_loaded_case(loaded, case, options, catalogue, environ)


def _target(target: Agent | Mapping[str, Any] | str | None) -> Any:
    return mapping(target) or target


def _named(loaded: Loaded, name: str) -> Case:
    for case in loaded.suite.cases:
        if case.id == name:
            return case
    hint = did_you_mean(name, [case.id for case in loaded.suite.cases])
    raise SelectionError(f"suite '{loaded.suite.name}' has no case '{name}'", hint=hint)
