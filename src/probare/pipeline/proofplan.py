"""What a proof will run: which defects and cases are chosen, and every run, prepared before the
first one begins.
"""

from __future__ import annotations

import glob
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

import msgspec

from probare.errors import InputError, SelectionError, did_you_mean
from probare.loading import Loaded
from probare.model.case import Case
from probare.model.proof import Defect, Proof
from probare.pipeline.options import RunOptions, Selection
from probare.pipeline.preparing import Prepared, least_trials, prepare
from probare.ports.catalogue import Catalogue
from probare.stores import layout

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


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One run of a proof: whose it is (`oracle`, `null`, `healthy`, or a defect's)."""

    role: str
    prepared: Prepared
    defect: Defect | None = None

    @property
    def title(self) -> str:
        """Whose run it is, as people read it."""
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


def chosen(proof: Proof, options: ProveOptions, cases: Sequence[str]) -> list[Defect]:
    """Return the chosen defects, each with those of its cases that were chosen."""
    names = [defect.name for defect in proof.defects]
    for pattern in options.defects:
        if not any(fnmatchcase(name, pattern) for name in names):
            hint = did_you_mean(pattern, names) or f"there are: {', '.join(names) or 'none'}"
            raise SelectionError(f"--defect {pattern} matches no defect", hint=hint)
    ids = frozenset(cases)
    found: list[Defect] = []
    for defect in proof.defects:
        if not options.defects or any(fnmatchcase(defect.name, each) for each in options.defects):
            asked = tuple(case for case in defect.must_fail if case in ids)
            if asked:
                found.append(msgspec.structs.replace(defect, must_fail=asked))
    if proof.defects and not found:
        raise SelectionError("no defect must fail in the chosen cases")
    return found


class Planner:
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

    def steps(self, proof: Proof, defects: Sequence[Defect]) -> Iterator[Step]:
        """Yield all runs, in their order. The suite's own target, the healthy agent, is run once
        where it is none of the two ends.
        """
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
    ) -> Step:
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
        return Step(
            role=role, prepared=msgspec.structs.replace(prepared, held=False), defect=defect
        )


def left_out(
    proof: Proof,
    defects: Sequence[Defect],
    every: Sequence[Case],
    cases: Sequence[Case],
    options: ProveOptions,
) -> Iterator[str]:
    """Yield what a narrowed proof leaves out, in words; nothing for a whole one."""
    if len(defects) < len(proof.defects):
        yield f"{len(defects)} of {len(proof.defects)} defects"
    if len(cases) < len(every):
        yield f"{len(cases)} of {len(every)} cases"
    if options.fast:
        yield "the broken agents ran only the cases that must fail for them (--fast)"
