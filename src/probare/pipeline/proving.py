"""Proving a suite: the oracle, the null target, the healthy agent and each broken one are run,
one after the other, and held against what the suite's `prove` block says of them.

Every run is an ordinary run directory, in a folder of the proof's own. None is held against a
baseline. All agents share this process; one that changes a module puts it back in `tear_down`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from probare.encoding import jsonbytes
from probare.errors import InputError, RunDirectoryError
from probare.loading import Loaded
from probare.masking import Masker
from probare.model.case import Case
from probare.model.proof import Proof, ProofResult
from probare.model.record import CaseStatus, TrialRecord
from probare.pipeline.catalogue import BuiltCatalogue
from probare.pipeline.options import Selection
from probare.pipeline.proofplan import (
    HEALTHY,
    NULL,
    ORACLE,
    Planner,
    ProveOptions,
    Step,
    chosen,
    left_out,
    proof_of,
)
from probare.pipeline.runs import opened, run_prepared
from probare.pipeline.selection import select
from probare.ports.catalogue import Catalogue
from probare.ports.progress import Progress
from probare.reporting.files import write_whole
from probare.reporting.progress import Silent
from probare.reporting.proofmarkdown import proof_markdown
from probare.running.loops import run_to_end
from probare.scoring.observed import observe
from probare.scoring.proofends import Ran
from probare.scoring.proofs import judge_proof
from probare.stores import directory, layout

JSON, MARKDOWN = "prove.json", "prove.md"


class Proved(msgspec.Struct, frozen=True, kw_only=True):
    """A proof's folder, and what was found; null where the proof was interrupted."""

    folder: Path
    result: ProofResult | None


def proved(suite: Path, *, runs: Path, fast: bool = False) -> ProofResult:
    """Prove the suite at a path, quietly, from a script or a test. Raises as `prove_loaded`, and
    KeyboardInterrupt where it was interrupted.
    """
    catalogue = BuiltCatalogue()
    options = ProveOptions(runs=str(runs), fast=fast)
    with opened(suite, catalogue) as (loaded, environ):
        done = run_to_end(
            lambda: prove_loaded(loaded, options, catalogue, environ, Silent(), lambda _: None)
        )
    if done.result is None:
        raise KeyboardInterrupt
    return done.result


async def prove_loaded(
    loaded: Loaded,
    options: ProveOptions,
    catalogue: Catalogue,
    environ: Mapping[str, str],
    progress: Progress,
    told: Callable[[str], None],
) -> Proved:
    """Prove a loaded suite. `told` is told of each run that ends, in a line.

    Raises InputError where the suite says nothing of proving, where a target lacks a variable,
    and where the oracle or the null target cannot be opened; SelectionError where a pattern
    matches nothing.
    """
    proof = proof_of(loaded)
    cases = select(loaded.suite.cases, Selection(cases=options.cases), 0)
    defects = chosen(proof, options, [case.id for case in cases])
    folder_id = layout.new_run_id(f"prove-{loaded.suite.name}")
    root = Path(options.runs) / folder_id
    planner = Planner(loaded, options, str(root), catalogue, environ)
    steps = list(planner.steps(proof, defects))
    folder = directory.create(Path(options.runs), folder_id)
    began = time.monotonic()
    joined = _Joined(progress, sum(sum(step.prepared.plan.cases.values()) for step in steps))
    try:
        ran = await _run_all(steps, catalogue, joined, told)
    except InputError:
        if not any(folder.iterdir()):
            folder.rmdir()
        raise
    finally:
        joined.close()
    if ran is None:
        return Proved(folder=folder, result=None)
    result = _result(loaded, proof, cases, steps, ran, folder)
    result = msgspec.structs.replace(
        result,
        part=tuple(left_out(proof, defects, loaded.suite.cases, cases, options)),
        duration_ms=round((time.monotonic() - began) * 1000, 3),
    )
    result = _masked(result, steps[0].prepared.masker)
    _write(folder, result)
    return Proved(folder=folder, result=result)


async def _run_all(
    steps: Sequence[Step], catalogue: Catalogue, progress: Progress, told: Callable[[str], None]
) -> list[Ran] | None:
    """Run all, one after the other; None where one was interrupted, or the time between two."""
    found: list[Ran] = []
    for number, step in enumerate(steps, 1):
        try:
            ran = await _run(step, catalogue, progress)
        except KeyboardInterrupt:
            return None
        if ran is None:
            return None
        found.append(ran)
        line = f"{number} of {len(steps)}: {step.title}: {_in_words(ran)}"
        told(step.prepared.masker.mask_text(line))
    return found


async def _run(step: Step, catalogue: Catalogue, progress: Progress) -> Ran | None:
    target = step.prepared.spec.name
    try:
        run = await run_prepared(step.prepared, catalogue, progress)
    except RunDirectoryError:
        raise
    except InputError as error:
        if step.role in (ORACLE, NULL):
            message = f"the {step.title} cannot be run: {error.message}"
            raise InputError(message, place=error.place, hint=error.hint) from error
        return Ran(target=target, run=None, seen={}, problem=str(error))
    if run.summary is None:
        return None
    statuses: dict[str, CaseStatus] = {
        name: case.status for name, case in run.summary.per_case.items()
    }
    seen = observe(statuses, run.records(), run.case_records())
    trials = run.summary.trials.run
    return Ran(target=target, run=run.folder.name, seen=seen, trials=trials)


def _in_words(ran: Ran) -> str:
    if ran.run is None:
        return f"could not be run: {ran.problem}"
    passed = sum(seen.status == "passed" for seen in ran.seen.values())
    return f"passes {passed} of {len(ran.seen)} cases"


def _result(
    loaded: Loaded,
    proof: Proof,
    cases: Sequence[Case],
    steps: Sequence[Step],
    ran: Sequence[Ran],
    folder: Path,
) -> ProofResult:
    pairs = list(zip(steps, ran, strict=True))
    ends = {step.role: found for step, found in pairs if step.defect is None}
    notes: list[str] = []
    healthy = ends.get(HEALTHY)
    if healthy is not None and healthy.run is None:
        notes.append(f"the healthy agent could not be run ({healthy.problem})")
    if healthy is None or healthy.run is None:
        own_is_null = loaded.suite.target == proof.null
        ends[HEALTHY] = ends[NULL] if own_is_null else ends[ORACLE]
    broken = [(step.defect, found) for step, found in pairs if step.defect is not None]
    judged = judge_proof(proof, {case.id: case for case in cases}, ends, broken)
    found: dict[str, Any] = msgspec.structs.asdict(judged)
    found["notes"] = (*notes, *judged.notes)
    return ProofResult(
        suite=loaded.suite.name,
        suite_digest=loaded.digest,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        folder=str(folder),
        cases=tuple(case.id for case in cases),
        runs=sum(each.run is not None for each in ran),
        trials=sum(each.trials for each in ran),
        duration_ms=0.0,
        **found,
    )


def _masked(result: ProofResult, masker: Masker) -> ProofResult:
    return msgspec.json.decode(masker.mask_bytes(jsonbytes.encode(result)), type=ProofResult)


def _write(folder: Path, result: ProofResult) -> None:
    whole = msgspec.json.format(jsonbytes.encode(result), indent=1).decode()
    write_whole(folder / JSON, [whole, "\n"])
    write_whole(folder / MARKDOWN, proof_markdown(result))


class _Joined:
    """One progress over all runs of a proof."""

    def __init__(self, progress: Progress, planned: int) -> None:
        self._progress = progress
        self._planned = planned
        self._began = False

    def started(self, planned: int, done: int) -> None:  # noqa: ARG002
        if not self._began:
            self._began = True
            self._progress.started(self._planned, 0)

    def ended(self, record: TrialRecord) -> None:
        self._progress.ended(record)

    def finished(self) -> None:
        """One run of several ended."""

    def close(self) -> None:
        if self._began:
            self._progress.finished()
