"""Grading stored transcripts again, into a new run that names the old one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from probare.errors import InputError
from probare.evidence.keys import SigningKey
from probare.masking import Masker, Masks, secrets_from_environ
from probare.masking.terminal import keep_off
from probare.model.case import Case
from probare.model.private import private_case, private_suite
from probare.model.record import TrialRecord
from probare.model.statuses import trial_status
from probare.model.suite import Privacy, Suite
from probare.pipeline.assessing import Assessor
from probare.pipeline.concluding import Conclusion
from probare.pipeline.dotenv import filled_environ
from probare.pipeline.execution import judge_stored_case
from probare.pipeline.models import models_for, told_once
from probare.pipeline.preparing import masks_of, recorded_secrets, suite_secrets
from probare.pipeline.respanning import mover
from probare.pipeline.reviewlogs import refuse_reviewed
from probare.pipeline.runs import Run, opened
from probare.pipeline.sealing import conclude_and_seal
from probare.ports.catalogue import Catalogue
from probare.ports.chat import ChatModels
from probare.running.loops import run_to_end
from probare.running.threads import DaemonThreads
from probare.stores import directory, layout, salts
from probare.stores.reader import RunReader
from probare.stores.writer import RecordWriter


def regrade(
    old: Path,
    catalogue: Catalogue,
    root: Path,
    *,
    suite_path: Path | None = None,
    key: SigningKey | None = None,
    judge_model: Sequence[str] = (),
    cache: str | None = None,
) -> Run:
    """Grade the stored transcripts of `old` with today's graders and return the new run.

    The checks are the run's own, or those of the suite at `suite_path` for the cases of the
    same id. Cases that this suite no longer has are refused: nothing may vanish. The new run is
    sealed, and its seal names the old one's. Judges are asked again: by `judge_model` where it is
    given, with replies kept in the folder `cache`.
    """
    reader = RunReader(old)
    refuse_reviewed(reader.plan, "graded again")
    folder = _folder(reader, suite_path)
    with filled_environ(folder) as environ:
        secrets = secrets_from_environ(environ) | recorded_secrets(reader.suite(), environ)
        keep_off(secrets)
        warnings: list[str] = []
        with models_for(cache, warnings.append) as chat:
            asked = _Judges(chat=chat, models=tuple(judge_model), warnings=warnings)
            return _regrade(reader, catalogue, root, suite_path, folder, secrets, key, asked)


class _Judges(msgspec.Struct, frozen=True, kw_only=True):
    chat: ChatModels
    models: tuple[str, ...]
    warnings: list[str]


def _regrade(
    reader: RunReader,
    catalogue: Catalogue,
    root: Path,
    suite_path: Path | None,
    folder: Path,
    secrets: Mapping[str, str],
    key: SigningKey | None,
    judges: _Judges,
) -> Run:
    old = reader.folder
    suite = reader.suite()
    if suite_path is not None:
        with opened(suite_path, catalogue) as (loaded, _):
            secrets = {**secrets, **suite_secrets(loaded.suite)}
            suite = _with_checks_of(suite, loaded.suite)
            digest = loaded.digest
    else:
        digest = reader.plan.suite_digest
    plan = msgspec.structs.replace(
        reader.plan,
        run_id=layout.new_run_id(reader.plan.suite),
        suite_digest=digest,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        parent=reader.plan.run_id,
        parent_reason="regrade",
        plan=None,
    )
    masker = Masker(secrets)
    masks = masks_of(masker, suite)
    assessor = Assessor(
        suite,
        folder,
        catalogue.graders,
        "claimed" if plan.trust == "claimed" else "observed",
        chat=judges.chat,
        judge_models=judges.models,
    )
    assessor.refuse_unready(suite.cases)
    new = directory.create(root, plan.run_id)
    directory.write_plan(new, plan, private_suite(suite), masker.mask_bytes)
    run_to_end(lambda: _grade_all(reader, suite, assessor, new, masks))
    conclude_and_seal(
        Conclusion(
            folder=new,
            plan=plan,
            suite=private_suite(suite),
            suite_file=_suite_file(reader, suite_path),
            mask=masker.mask_text,
            mask_note=masks.of_run(),
            problem=told_once(judges.warnings),
        ),
        catalogue,
        key=key,
        parent=old,
    )
    return Run(new)


async def _grade_all(
    reader: RunReader, suite: Suite, assessor: Assessor, new: Path, masks: Masks
) -> None:
    threads = DaemonThreads()
    writer = RecordWriter(new, masks.masker.mask_bytes, masks.of_case, mover(suite.cases, masks))
    cases = {case.id: case for case in suite.cases}
    try:
        for record in reader.records():
            case = cases[record.case]
            transcript = reader.transcript(record)
            view = assessor.stored_view(case, record, transcript)
            verdicts = await assessor.verdicts(view, threads)
            status = trial_status(record.stop, verdicts)
            writer.append(
                transcript,
                lambda reference, record=record, verdicts=verdicts, status=status: (
                    msgspec.structs.replace(
                        record,
                        verdicts=verdicts,
                        status=status,
                        transcript=reference,
                        salt=salts.fresh(),
                    )
                ),
            )
        for case in suite.cases:
            if assessor.has_case_wide(case):
                _settle_case(assessor, RunReader(new), case, writer)
    finally:
        threads.close()
        writer.close()


def _settle_case(assessor: Assessor, reader: RunReader, case: Case, writer: RecordWriter) -> None:
    stored: Iterable[TrialRecord] = (r for r in reader.records() if r.case == case.id)
    writer.append_case(judge_stored_case(assessor, reader, case, stored))


def _with_checks_of(old: Suite, new: Suite) -> Suite:
    """Return the new suite's checks on the old run's cases, by id.

    The inputs stay those that the agent was given. Where either suite masks what is planted, the
    result does; what the old run masked already stays masked.
    """
    today = {case.id: case for case in new.cases}
    gone = [case.id for case in old.cases if case.id not in today]
    if gone:
        raise InputError(
            f"the suite no longer has {len(gone)} of the run's cases: {', '.join(gone[:5])}",
            hint="regrade with the run's own checks (without --suite), or run anew",
        )
    mask = old.privacy.mask
    cases = tuple(
        msgspec.structs.replace(
            private_case(today[case.id]) if mask else today[case.id],
            input=case.input,
            planted=case.planted,
        )
        for case in old.cases
    )
    return msgspec.structs.replace(
        new,
        cases=cases,
        targets=old.targets,
        target=old.target,
        privacy=Privacy(mask=mask or new.privacy.mask),
    )


def _folder(reader: RunReader, suite_path: Path | None) -> Path:
    path = _suite_file(reader, suite_path)
    if path is None:
        return Path.cwd()
    return path if path.is_dir() else path.parent


def _suite_file(reader: RunReader, suite_path: Path | None) -> Path | None:
    if suite_path is not None:
        return suite_path
    stored = reader.plan.suite_path
    return Path(stored) if stored is not None else None
