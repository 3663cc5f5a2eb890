"""Loading a suite: its file, its parts, its cases, and all that is wrong with any of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import msgspec
from msgspec import UNSET

from probare.encoding import digest
from probare.encoding.narrow import mapping
from probare.loading import dialects, mirrors, privacy, pythonvalues, runners
from probare.loading.caselist import written_cases
from probare.loading.cases import CaseReader, read_seconds, salvaged
from probare.loading.documents import Document, Origin, PythonDocument
from probare.loading.faultlist import Faults
from probare.loading.gates import read_gate
from probare.loading.judges import read_judge
from probare.loading.parsing import read_tree
from probare.loading.proofs import ProofReader, Surroundings
from probare.loading.reviews import read_review
from probare.loading.sentences import Sentences
from probare.loading.shapes import SuiteShape
from probare.loading.suitepath import find_suite_file, sibling_suite, suite_above
from probare.loading.targetspecs import DEFAULT_NAME, TargetReader
from probare.loading.vocabulary import Adapters, Vocabulary
from probare.loading.words import shown
from probare.model.case import Case
from probare.model.private import private_suite
from probare.model.proof import Proof
from probare.model.suite import Limits, Privacy, Suite, TargetSpec
from probare.ports.catalogue import Catalogue

_NAMELESS = "suite"
_AS_WRITTEN = ("prove", "criteria")
_HOW_TO_RUN = (
    "target",
    "targets",
    "timeout",
    "concurrency",
    "isolation",
    "languages",
    "limits",
    "privacy",
    "runners",
    "criteria",
    "judge",
)


class Loaded(msgspec.Struct, frozen=True, kw_only=True):
    """A suite that has no faults.

    `folder` is where its relative names are looked up; `path` the suite's file, null where it
    was made in Python. `digest` is taken over the suite's content, secrets left out. `proof` is
    its `prove` block, null where there is none.
    """

    suite: Suite
    folder: Path
    path: Path | None
    digest: str
    warnings: tuple[str, ...] = ()
    proof: Proof | None = None


def load(path: Path, catalogue: Catalogue, environ: Mapping[str, str]) -> Loaded:
    """Load a suite: a folder with `suite.yaml` (or .yml, .json), a suite file, or a file of a
    dialect, which is run as the suite that it belongs to says how to run.

    Imports none of the suite's modules. Raises LoadError with all faults.
    """
    faults = Faults()
    file = find_suite_file(path, faults)
    faults.raise_if_any()
    tree = read_tree(file, faults)
    faults.raise_if_any()
    assert tree is not None
    value, document = tree
    folder = file.parent
    if dialects.detected(value):
        value, document, folder = _around(file, faults)
        faults.raise_if_any()
    return _Loading(catalogue, environ, folder, file, faults).run(value, Origin(document))


def from_shape(
    shape: SuiteShape,
    folder: Path,
    catalogue: Catalogue,
    environ: Mapping[str, str],
    path: Path | None = None,
) -> Loaded:
    """Check a suite made in Python, as a file of the same content would be.

    `path` is the file that the suite stands for, if any. Raises LoadError with all faults; their
    places are paths only.
    """
    faults = Faults()
    origin = Origin(PythonDocument())
    value = pythonvalues.plain(shape, origin, faults)
    return _Loading(catalogue, environ, folder, path, faults).run(value, origin)


def _around(file: Path, faults: Faults) -> tuple[dict[str, Any], Document, Path]:
    """Return a suite around a file of a dialect, run as the suite beside it is, or as the one
    above that lists it; and that suite's folder.
    """
    suite = sibling_suite(file.parent) or suite_above(file)
    folder = file.parent if suite is None else suite.parent
    name = file.stem if folder == file.parent else file.parent.name
    inside = file.absolute().relative_to(folder.absolute()).as_posix()
    own: dict[str, Any] = {"suite": name, "cases": [inside]}
    tree = read_tree(suite, faults) if suite is not None else None
    if tree is None or not isinstance(tree[0], dict):
        return own, PythonDocument(), folder
    written = cast("dict[str, Any]", tree[0])
    return {key: written[key] for key in _HOW_TO_RUN if key in written} | own, tree[1], folder


class _Loading:
    """One suite on its way from a plain value to the model."""

    def __init__(
        self,
        catalogue: Catalogue,
        environ: Mapping[str, str],
        folder: Path,
        path: Path | None,
        faults: Faults,
    ) -> None:
        self._catalogue = catalogue
        self._environ = environ
        self._folder = folder
        self._path = path
        self._faults = faults
        self._case_names: Mapping[str, Origin] = {}
        self._some_lost = False

    def run(self, value: Any, origin: Origin) -> Loaded:
        self._refuse_other_things(value, origin)
        raw = dict(cast("dict[str, Any]", value))
        listed, defaults = raw.pop("cases", None), raw.pop("defaults", None)
        shape = salvaged(raw, SuiteShape, origin, self._faults, {"suite": _NAMELESS})
        kinds = self._catalogue.targets
        targets = TargetReader(kinds, self._environ, self._faults, self._folder)
        specs, own = targets.read_all(shape.target, shape.targets, origin)
        adapters = Adapters([*shape.targets, *specs.keys() - shape.targets.keys()], own)
        cases = self._cases(listed, defaults, shape, origin, adapters)
        own = adapters.target
        targets.check(specs.values(), own, cases)
        proof, broken = self._proof(
            raw, shape, {each.id: each for each in cases}, specs, own, origin
        )
        review, rubric = read_review(
            shape.review, self._folder, origin.below("review"), self._faults
        )
        suite = Suite(
            name=shape.suite,
            description=shape.description,
            targets={**specs, **broken},
            target=own,
            trials=shape.trials,
            timeout=read_seconds(shape.timeout, origin.below("timeout"), self._faults) or 60.0,
            concurrency=shape.concurrency,
            isolation=shape.isolation,
            equivalent_languages=tuple(tuple(names) for names in shape.languages.equivalent),
            language_detector=self._detector(shape, origin),
            gate=read_gate(shape.gate, origin.below("gate"), self._faults),
            limits=self._limits(shape, origin),
            privacy=Privacy(mask=shape.privacy.mask),
            judge=read_judge(shape.judge, self._folder, origin.below("judge"), self._faults),
            review=review,
            rubric=rubric,
            extras={key: raw[key] for key in _AS_WRITTEN if raw.get(key) is not None},
            cases=cases,
        )
        self._faults.raise_if_any()
        return Loaded(
            suite=suite,
            folder=self._folder,
            path=self._path,
            digest=_digest(suite, targets.written),
            warnings=(*self._faults.warnings, *_unchecked(cases)),
            proof=proof,
        )

    def _refuse_other_things(self, value: Any, origin: Origin) -> None:
        before = len(self._faults)
        if value is None or value == {}:
            hint = "it begins with `suite: NAME` and has `cases:`"
            self._faults.add(origin.place(), "the suite is empty", hint)
        elif isinstance(value, list):
            hint = "give the suite that names this file"
            self._faults.add(origin.place(), "this is a list, such as cases, not a suite", hint)
        elif not isinstance(value, dict):
            self._faults.add(origin.place(), f"a suite should be a mapping, is {shown(value)}")
        elif "id" in value and "suite" not in value:
            hint = "give the suite that lists it"
            self._faults.add(origin.place(), "this is a case, not a suite", hint)
        if len(self._faults) > before:
            self._faults.raise_if_any()

    def _cases(
        self, listed: Any, defaults: Any, shape: SuiteShape, origin: Origin, adapters: Adapters
    ) -> tuple[Case, ...]:
        graders, folder, faults = self._catalogue.graders, self._folder, self._faults
        given: Any = {} if defaults is None else defaults
        known = runners.read(shape.runners, origin.below("runners"), faults)
        reader = CaseReader(graders, folder, faults, given, origin.below("defaults"), known)
        sentences = Sentences(self._catalogue.criteria)
        if shape.criteria is not UNSET:
            sentences.add(shape.criteria, origin.below("criteria"), graders, faults)
        may_name = Vocabulary(graders, sentences, adapters, (folder,))
        written = written_cases(listed, origin.below("cases"), may_name, faults)
        cases = tuple(case for case in self._read_each(written, reader) if case is not None)
        reader.close()
        self._case_names = reader.origins
        privacy.check_planted(cases, reader.origins, faults)
        if shape.privacy.mask:
            privacy.check_masked(cases, reader.origins, faults)
        if shape.mirrors is not None:
            prompt = folder / shape.mirrors
            mirrors.check(prompt, origin.place("mirrors"), cases, reader.origins, faults)
        return cases

    def _read_each(
        self, written: Iterator[tuple[Any, Origin]], reader: CaseReader
    ) -> Iterator[Case | None]:
        """Yield each case that is written, and note whether some could not be had at all."""
        while True:
            before = len(self._faults)
            found = next(written, None)
            self._some_lost = self._some_lost or len(self._faults) > before
            if found is None:
                return
            yield reader.read(*found)

    def _proof(
        self,
        raw: dict[str, Any],
        shape: SuiteShape,
        cases: Mapping[str, Case],
        specs: Mapping[str, TargetSpec],
        own: str | None,
        origin: Origin,
    ) -> tuple[Proof | None, dict[str, TargetSpec]]:
        if raw.get("prove") is None:
            return None, {}
        inline = [DEFAULT_NAME] if isinstance(raw.get("target"), dict) else []
        names = (*inline, *mapping(raw.get("targets")))
        around = Surroundings(
            specs=specs,
            target_names=names,
            own=own,
            has_own=raw.get("target") is not None or len(names) == 1,
            cases=cases,
            case_names=self._case_names,
            some_lost=self._some_lost,
        )
        where = origin.below("prove")
        reader = ProofReader(around, self._environ, where, self._faults)
        return reader.read(raw["prove"], shape.prove)

    def _detector(self, shape: SuiteShape, origin: Origin) -> str | None:
        name = shape.languages.detector
        if name is not None and ":" not in name:
            place = origin.place("languages", "detector")
            self._faults.add(place, f"'{name}' names no function", "write module:function")
        return name

    def _limits(self, shape: SuiteShape, origin: Origin) -> Limits:
        limits = shape.limits
        where = origin.below("limits", "time")
        return Limits(
            cost=limits.cost,
            time=read_seconds(limits.time, where, self._faults),
            errors_in_a_row=limits.errors_in_a_row,
        )


def _digest(suite: Suite, targets: dict[str, Any]) -> str:
    """Digest a suite with its targets as they are written, so that secrets play no part; and with
    planted identifiers masked, where they are: short ones could be guessed from a digest.
    """
    bare = msgspec.structs.replace(private_suite(suite), targets={})
    return digest.of_value([bare, pythonvalues.named(targets)])


def _unchecked(cases: tuple[Case, ...]) -> Iterator[str]:
    names = [case.id for case in cases if not case.expect + case.forbid and case.review != "always"]
    if names:
        some = ", ".join(names[:5]) + (", …" if len(names) > 5 else "")
        count = "1 case has" if len(names) == 1 else f"{len(names)} cases have"
        yield f"{count} no checks and will be ungraded: {some}"
