"""Proving a suite: the oracle, the null target, the healthy agent and each broken one are run,
one after the other, and held against what the suite's `prove` block says of them.

Every run is an ordinary run directory, in a folder of the proof's own. None is held against a
baseline. All agents share this process; one that changes a module puts it back in `tear_down`.
"""

from __future__ import annotations

import glob
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import msgspec

from probare.encoding import jsonbytes
from probare.errors import InputError, RunDirectoryError, SelectionError, did_you_mean
from probare.loading import Loaded
from probare.masking import Masker
from probare.model.case import Case
from probare.model.proof import Defect, Proof, ProofResult
from probare.model.record import CaseStatus, TrialRecord
from probare.pipeline.options import RunOptions, Selection
from probare.pipeline.preparing import Prepared, least_trials, prepare
from probare.pipeline.runs import run_prepared
from probare.pipeline.selection import select
from probare.ports.catalogue import Catalogue
from probare.ports.progress import Progress
from probare.reporting.files import write_whole
from probare.reporting.proofmarkdown import proof_markdown
from probare.scoring.observed import observe
from probare.scoring.proofs import Ran, judge_proof
from probare.stores import directory, layout

JSON, MARKDOWN = "prove.json", "prove.md"
ORACLE, NULL, HEALTHY, DEFECT = "oracle", "null", "healthy", "defect"

EXAMPLE = """\
it says how, for example:

prove:
  oracle: oracle          # a target that must pass every case
  "null": nothing         # a target that does nothing, and must pass none that needs an act
  defects:
    - name: forgets_the_name
      config: {forgets: name}          # of the suite's target; or `target: broken`
      must_fail: [greets_by_name]
"""


class ProveOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How to prove. `defects` and `cases` are patterns, empty for all; with `fast`, a broken
    agent runs only the cases that must fail for it. `runs` is where the proof's folder is made.
    """

    defects: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()
    fast: bool = False
    concurrency: int | None = None
    runs: str = "runs"


class Proved(msgspec.Struct, frozen=True, kw_only=True):
    """A proof's folder, and what was found; null where the proof was interrupted."""

    folder: Path
    result: ProofResult | None


class _Step(msgspec.Struct, frozen=True, kw_only=True):
    role: str
    prepared: Prepared
    defect: Defect | None = None

    @property
    def title(self) -> str:
        if self.defect is not None:
            return f"defect {self.defect.name}"
        return f"{self.role} ({self.prepared.spec.name})"


def proof_of(loaded: Loaded) -> Proof:
    """Return what a suite says of proving. Raises InputError, with how to write it, where it says
    nothing.
    """
    if loaded.proof is None:
        message = f"suite '{loaded.suite.name}' has no `prove` block"
        raise InputError(message, hint=EXAMPLE.rstrip())
    return loaded.proof


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
    defects = _chosen(proof, options, [case.id for case in cases])
    folder_id = layout.new_run_id(f"prove-{loaded.suite.name}")
    root = Path(options.runs) / folder_id
    planner = _Planner(loaded, options, str(root), catalogue, environ)
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
        part=tuple(_left_out(proof, defects, loaded.suite.cases, cases, options)),
        duration_ms=round((time.monotonic() - began) * 1000, 3),
    )
    result = _masked(result, steps[0].prepared.masker)
    _write(folder, result)
    return Proved(folder=folder, result=result)


def _chosen(proof: Proof, options: ProveOptions, cases: Sequence[str]) -> list[Defect]:
    """Return the chosen defects, each with those of its cases that were chosen."""
    names = [defect.name for defect in proof.defects]
    for pattern in options.defects:
        if not any(fnmatchcase(name, pattern) for name in names):
            hint = did_you_mean(pattern, names) or f"there are: {', '.join(names)}"
            raise SelectionError(f"--defect {pattern} matches no defect", hint=hint)
    ids = frozenset(cases)
    found: list[Defect] = []
    for defect in proof.defects:
        if not options.defects or any(fnmatchcase(defect.name, each) for each in options.defects):
            asked = tuple(case for case in defect.must_fail if case in ids)
            if asked:
                found.append(msgspec.structs.replace(defect, must_fail=asked))
    if not found:
        raise SelectionError("no defect must fail in the chosen cases")
    return found


class _Planner:
    """Prepares every run of a proof before the first one begins."""

    def __init__(
        self,
        loaded: Loaded,
        options: ProveOptions,
        root: str,
        catalogue: Catalogue,
        environ: Mapping[str, str],
    ) -> None:
        self._loaded = loaded
        self._options = options
        self._root = root
        self._environ = environ
        self._least = least_trials(loaded.suite, catalogue)

    def steps(self, proof: Proof, defects: Sequence[Defect]) -> Iterator[_Step]:
        yield self._step(ORACLE, proof.oracle)
        yield self._step(NULL, proof.null)
        own = self._loaded.suite.target
        asked = {case for defect in defects for case in defect.must_fail}
        if own is not None and own not in (proof.oracle, proof.null):
            yield self._step(HEALTHY, own, asked)
        for defect in defects:
            yield self._step(DEFECT, defect.target, defect.must_fail, defect)

    def _step(
        self,
        role: str,
        target: str,
        asked: Sequence[str] | set[str] = (),
        defect: Defect | None = None,
    ) -> _Step:
        """`asked` are the cases that a fast proof narrows the run to; none for all."""
        patterns = self._options.cases
        if self._options.fast and asked:
            listed = [case.id for case in self._loaded.suite.cases if case.id in asked]
            patterns = tuple(map(glob.escape, listed))
        options = RunOptions(
            target=target,
            select=Selection(cases=patterns),
            concurrency=self._options.concurrency,
            runs=self._root,
        )
        name = role if defect is None else f"{role}-{defect.name}"
        prepared = prepare(
            self._loaded,
            options,
            self._environ,
            least_trials=self._least,
            run_id=layout.new_run_id(name),
        )
        return _Step(
            role=role, prepared=msgspec.structs.replace(prepared, held=False), defect=defect
        )


async def _run_all(
    steps: Sequence[_Step], catalogue: Catalogue, progress: Progress, told: Callable[[str], None]
) -> list[Ran] | None:
    """Run all, one after the other; None where one was interrupted."""
    found: list[Ran] = []
    for number, step in enumerate(steps, 1):
        ran = await _run(step, catalogue, progress)
        if ran is None:
            return None
        found.append(ran)
        told(f"{number} of {len(steps)}: {step.title}: {_in_words(ran)}")
    return found


async def _run(step: _Step, catalogue: Catalogue, progress: Progress) -> Ran | None:
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
    steps: Sequence[_Step],
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


def _left_out(
    proof: Proof,
    defects: Sequence[Defect],
    every: Sequence[Case],
    cases: Sequence[Case],
    options: ProveOptions,
) -> Iterator[str]:
    if len(defects) < len(proof.defects):
        yield f"{len(defects)} of {len(proof.defects)} defects"
    if len(cases) < len(every):
        yield f"{len(cases)} of {len(every)} cases"
    if options.fast:
        yield "the broken agents ran only the cases that must fail for them (--fast)"


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
