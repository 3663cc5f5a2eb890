"""Executing a prepared run: target, threads, engine, store, joined for as long as it lasts."""

from __future__ import annotations

import asyncio
import gc
import signal
import threading
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path

import msgspec

from probare.model.case import Case
from probare.model.record import CaseRecord, TrialRecord
from probare.model.suite import Limits
from probare.pipeline.assessing import Assessor, as_record
from probare.pipeline.corerunners import in_front_of
from probare.pipeline.models import models_for, told_once
from probare.pipeline.preparing import Prepared, build_target
from probare.pipeline.respanning import mover
from probare.ports.catalogue import Catalogue
from probare.ports.chat import ChatModels
from probare.ports.progress import Progress
from probare.ports.target import Services, Target
from probare.running.attempts import Ended
from probare.running.engine import Engine, EngineOptions, Finished
from probare.running.limits import LimitWatch
from probare.running.threads import DaemonThreads
from probare.stores.reader import RunReader
from probare.stores.writer import RecordWriter

_COLLECT_AFTER = 50_000


async def execute(
    prepared: Prepared,
    catalogue: Catalogue,
    run_folder: Path,
    progress: Progress,
) -> Finished:
    """Run what is planned and has no record in `run_folder` yet; all records are there when
    this returns.

    Raises InputError where the target cannot be opened, RunDirectoryError where records can no
    longer be written.
    """
    warnings: list[str] = []
    with models_for(prepared.options.cache, warnings.append) as chat:
        finished = await _execute(prepared, catalogue, run_folder, progress, chat)
    return msgspec.structs.replace(finished, problem=told_once([finished.problem, *warnings]))


async def _execute(
    prepared: Prepared,
    catalogue: Catalogue,
    run_folder: Path,
    progress: Progress,
    chat: ChatModels,
) -> Finished:
    options = prepared.options
    assessor = Assessor(
        prepared.suite,
        prepared.folder,
        catalogue.graders,
        prepared.spec.trust,
        chat=chat,
        judge_models=options.judge_model,
    )
    assessor.refuse_unready(prepared.suite.cases, code_only=True)
    target = in_front_of(build_target(prepared.spec, catalogue), prepared.suite.cases)
    threads = DaemonThreads()
    services = Services(executor=threads, folder=prepared.folder, model=options.model, chat=chat)
    writer = _writer(prepared, run_folder)
    reader = RunReader(run_folder)
    done = frozenset((record.case, record.trial) for record in reader.records())
    settling = _Settling(prepared, assessor, writer, threads, reader)
    engine = Engine(
        target,
        threads,
        settling.settle,
        LimitWatch(_limits(prepared), fail_fast=options.fail_fast),
        progress,
        EngineOptions(
            concurrency=prepared.concurrency,
            retries=options.retries,
            folder=prepared.folder,
        ),
    )
    try:
        await target.open(services)
        progress.started(sum(prepared.plan.cases.values()), len(done))
        try:
            with _interruptible(engine), _fewer_collections():
                await settling.settle_overdue()
                finished = await engine.run(prepared.trials(done))
        finally:
            progress.finished()
            problem = await _closed(target)
        return msgspec.structs.replace(finished, problem=problem)
    finally:
        threads.close()
        writer.close()


def _writer(prepared: Prepared, folder: Path) -> RecordWriter:
    masks = prepared.masks
    return RecordWriter(
        folder, masks.masker.mask_bytes, masks.of_case, mover(prepared.suite.cases, masks)
    )


async def _closed(target: Target) -> str:
    """Close a target; what goes wrong then takes nothing from what was recorded."""
    try:
        await target.close()
    except Exception as error:
        return f"the target could not be torn down: {error}"
    return ""


def _limits(prepared: Prepared) -> Limits:
    cost = prepared.options.max_cost
    limits = prepared.suite.limits
    return limits if cost is None else msgspec.structs.replace(limits, cost=cost)


class _Settling:
    """Grades and stores each ended trial, and judges a case when its last trial is stored."""

    def __init__(
        self,
        prepared: Prepared,
        assessor: Assessor,
        writer: RecordWriter,
        threads: DaemonThreads,
        reader: RunReader,
    ) -> None:
        self._assessor = assessor
        self._writer = writer
        self._threads = threads
        self._reader = reader
        self._planned = prepared.plan.cases
        wide = [case.id for case in prepared.suite.cases if assessor.has_case_wide(case)]
        self._of_case: dict[str, list[TrialRecord]] = {case_id: [] for case_id in wide}
        self._cases = {case.id: case for case in prepared.suite.cases if case.id in self._of_case}
        if wide:
            for record in reader.records():
                if record.case in self._of_case:
                    self._of_case[record.case].append(record)
            for judged in reader.case_records():
                self._of_case.pop(judged.case, None)

    async def settle(self, ended: Ended) -> TrialRecord:
        case = ended.planned.case
        verdicts = await self._assessor.verdicts(self._assessor.view(case, ended), self._threads)
        record = self._writer.append(
            ended.transcript, lambda reference: as_record(ended, verdicts, reference)
        )
        if case.id in self._of_case:
            self._of_case[case.id].append(record)
            await self._settle_if_whole(case)
        return record

    async def settle_overdue(self) -> None:
        """Judge the cases whose trials were all stored before an interruption."""
        for case_id in list(self._of_case):
            await self._settle_if_whole(self._cases[case_id])

    async def _settle_if_whole(self, case: Case) -> None:
        stored = self._of_case[case.id]
        if len(stored) == self._planned[case.id]:
            del self._of_case[case.id]
            await self._threads.call(lambda: self._settle_case(case, stored))

    def _settle_case(self, case: Case, stored: list[TrialRecord]) -> None:
        record = judge_stored_case(self._assessor, self._reader, case, stored)
        self._writer.append_case(record)


def judge_stored_case(
    assessor: Assessor, reader: RunReader, case: Case, stored: Iterable[TrialRecord]
) -> CaseRecord:
    """Judge a case's case-wide checks over its trials, read back from disk."""
    records = sorted(stored, key=lambda record: record.trial)
    views = [assessor.stored_view(case, record, reader.transcript(record)) for record in records]
    return assessor.case_verdicts(case, views)


@contextmanager
def _fewer_collections() -> Generator[None]:
    """Let the garbage collector leave the loaded suite alone, and look less often: a trial makes
    many small objects and no cycles that live long.
    """
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(max(before[0], _COLLECT_AFTER), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


@contextmanager
def _interruptible(engine: Engine) -> Generator[None]:
    """Let Ctrl-C and SIGTERM end the run cleanly; a second one ends the process at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def stop(number: int) -> None:
        signal.signal(number, signal.SIG_DFL)
        loop.remove_signal_handler(number)
        engine.interrupt()

    for number in before:
        loop.add_signal_handler(number, stop, number)
    try:
        yield
    finally:
        for number, handler in before.items():
            loop.remove_signal_handler(number)
            signal.signal(number, handler)
