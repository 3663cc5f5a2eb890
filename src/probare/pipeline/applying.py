"""Grading people's reviews into a new sealed run, which names the old one and holds their log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from probare.errors import InputError
from probare.evidence.keys import SigningKey
from probare.masking import Masker, secrets_from_environ
from probare.masking.terminal import keep_off
from probare.model.basis import Basis
from probare.model.record import RunPlan, TrialRecord
from probare.model.verdict import people_verdict
from probare.pipeline.concluding import conclude_on
from probare.pipeline.dotenv import filled_environ
from probare.pipeline.people import REASON, People
from probare.pipeline.preparing import recorded_secrets
from probare.pipeline.reviewlogs import desk_for, people_of, refuse_reviewed, reviewed_run
from probare.pipeline.runs import Run
from probare.pipeline.sealing import seal_run
from probare.stores import directory, layout
from probare.stores.copying import copy_records
from probare.stores.reader import RunReader


def apply_reviews(
    old: Path, *, root: Path | None = None, database: str | None = None, key: SigningKey | None
) -> Run:
    """Grade the reviews of a run in, and return the new run: sealed, signed with a key, beside
    the old one unless `root` says where.

    Its records have what people said as the last of a trial's verdicts, `reviews.jsonl` is the
    whole review log of the old run, and it rests on the old one's basis else. Raises InputError
    where there is no review to apply, or the log holds a secret; ReviewError where the log does
    not hold.
    """
    reader = RunReader(old)
    plan = reader.plan
    refuse_reviewed(plan, "reviewed again")
    basis, suite = reader.basis, reader.suite()
    people = _people(old, plan, database)
    _refuse_lost(people, reader)
    folder = Path(plan.suite_path).parent if plan.suite_path is not None else Path.cwd()
    with filled_environ(folder) as environ:
        secrets = secrets_from_environ(environ) | recorded_secrets(suite, environ)
        masker = _masker(secrets, people)
        new_plan = msgspec.structs.replace(
            plan,
            run_id=layout.new_run_id(plan.suite),
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            parent=plan.run_id,
            parent_reason=REASON,
            plan=None,
        )
        new = directory.create(root or old.resolve().parent, new_plan.run_id)
        directory.write_plan(new, new_plan, suite, masker.mask_bytes)
        said: Counter[str] = Counter()
        copy_records(reader, new, lambda record: _counted(people.graded_in(record), said))
        (new / layout.REVIEWS).write_bytes(b"".join(line + b"\n" for line in people.lines))
        conclude_on(new, _basis(people, basis, said), masker.mask_text)
    seal_run(new, key=key, parent=old)
    return Run(new)


def _people(old: Path, plan: RunPlan, database: str | None) -> People:
    with desk_for(old, database) as desk:
        run = reviewed_run(desk, plan)
        if run is None:
            raise InputError(
                f"nothing of {plan.run_id} was ever queued for review",
                hint=f"begin with: probare review queue {old}",
            )
        people = people_of(desk, run)
    if not people.replayed.reviews:
        raise InputError(
            f"no review of {plan.run_id} is in", hint=f"see: probare review status {old}"
        )
    return people


def _refuse_lost(people: People, reader: RunReader) -> None:
    """Refuse reviews of trials that the run does not have, before anything is written."""
    lost = set(people.outcomes)
    for record in reader.records():
        people.verdict(record)
        lost.discard((record.case, record.trial))
    if lost:
        case, trial = min(lost)
        raise InputError(f"people reviewed case {case} trial {trial}, which the run does not have")


def _masker(secrets: Mapping[str, str], people: People) -> Masker:
    """Return what masks secrets. A log that holds one cannot be sealed: masked, its chain would
    break. Raises InputError.
    """
    keep_off(secrets)
    masker = Masker(secrets)
    for number, line in enumerate(people.lines):
        if masker.mask_bytes(line) != line:
            raise InputError(
                f"record {number} of the review log holds a secret, which may not be sealed",
                hint="somebody wrote it into a comment; change the secret, then apply again",
            )
    return masker


def _counted(record: TrialRecord, said: Counter[str]) -> TrialRecord:
    verdict = people_verdict(record.verdicts)
    if verdict is not None:
        said[verdict.result] += 1
    return record


def _basis(people: People, basis: Basis, said: Counter[str]) -> Basis:
    trials = "1 trial" if said.total() == 1 else f"{said.total()} trials"
    words = f"people judged {trials}: {said['pass']} passed, {said['fail']} failed"
    if said["unknown"]:
        words += f", {said['unknown']} unsure"
    if people.waiting:
        count = len(people.waiting)
        words += f"; {'1 case waits' if count == 1 else f'{count} cases wait'} for them"
    found = people.on(basis)
    return msgspec.structs.replace(found, notes=(*basis.notes, words))
