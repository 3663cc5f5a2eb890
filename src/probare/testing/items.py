"""A suite as pytest collects it, and a case as pytest runs it.

How a case ends for pytest: failed and flaky are failures. Errored, ungraded and what a person has
to judge are errors, as pytest calls what goes wrong before a test can say anything: the case runs
in its item's set-up. Cases for people alone are skipped, without being run. A `capability` that
fails is an expected failure.
"""

from __future__ import annotations

import dataclasses
import os
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from probare.errors import InputError, LoadError
from probare.loading import Loaded
from probare.masking import Masker, secrets_from_environ
from probare.model.case import Case
from probare.model.suite import Suite
from probare.pipeline.catalogue import BuiltCatalogue
from probare.pipeline.dotenv import filled_environ
from probare.pipeline.options import RunOptions
from probare.pipeline.preparing import choose_target, suite_secrets
from probare.pipeline.runs import opened
from probare.reporting.reproduce import command
from probare.stores.reader import RunReader
from probare.testing.caseruns import (
    CaseErrored,
    CaseFailed,
    CaseNotPassed,
    CaseResult,
    run_loaded_case,
)
from probare.testing.runfolder import RunFolder

_FOR_PEOPLE = "for people: no required check judges it, a person does"
_HILL = "capability: still to be won, need not pass"


class ProbareWarning(pytest.PytestWarning):
    """Something in a suite that can be run and is worth a look."""


class SuiteFile(pytest.File):
    """A suite: loaded once in a process, whichever of its cases are run."""

    def __init__(self, *, runs: RunFolder, **more: Any) -> None:
        super().__init__(**more)
        self.runs = runs
        self._spent = 0.0

    def collect(self) -> Iterator[CaseItem]:
        """Yield an item a case. Raises CollectError with all faults of the suite."""
        try:
            self.catalogue = BuiltCatalogue()
            with opened(self.path, self.catalogue) as (loaded, _):
                self.loaded = loaded
            self._refuse_unknown_target(loaded.suite)
        except InputError as error:
            raise self.CollectError(self._placed(error)) from None
        for warning in loaded.warnings:
            self.warn(ProbareWarning(self._near(warning)))
        for case in loaded.suite.cases:
            yield cast("Any", CaseItem).from_parent(self, name=case.id, case=case)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException]) -> Any:
        """Return the faults alone: they are the user's, and so need no traceback."""
        if isinstance(excinfo.value, ProbareWarning):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    @property
    def target(self) -> str | None:
        """The target that was asked for; None for the suite's own."""
        asked: str | None = self.config.getoption("--probare-target")
        return asked or self.config.getini("probare_target") or None

    def run(self, case: Case) -> CaseResult:
        """Run a case. Raises CaseErrored where it cannot begin."""
        with filled_environ(self.loaded.folder) as environ:
            options = RunOptions(
                target=self.target,
                trials=self.config.getoption("--probare-trials"),
                runs=str(self.runs.path),
            )
            try:
                result = run_loaded_case(
                    self._within_budget(), case, options, self.catalogue, environ
                )
            except InputError as error:
                masker = Masker(
                    {**secrets_from_environ(environ), **suite_secrets(self.loaded.suite)}
                )
                said = masker.mask_text(self._placed(error))
                raise CaseErrored(f"errored, not failed: {said}") from None
        self._spent += result.cost_usd or 0.0
        return result

    def again(self, result: CaseResult) -> str:
        """Return the commands that run a case anew and show what it did."""
        folder = result.run.folder
        plan = msgspec.structs.replace(RunReader(folder).plan, suite_path=self._near(self.path))
        show = shlex.join(["probare", "show", str(folder), result.case.id])
        return f"  run it again: {command(plan) or ''}\n  look into it: {show}"

    def _within_budget(self) -> Loaded:
        """Return the suite with what is left of its cost limit, which holds for all its cases."""
        limits = self.loaded.suite.limits
        if limits.cost is None:
            return self.loaded
        left = limits.cost - self._spent
        if left <= 0:
            raise CaseErrored(
                "errored, not failed: it did not run:"
                f" the suite's cost limit of ${limits.cost:g} is spent"
            )
        limits = msgspec.structs.replace(limits, cost=left)
        suite = msgspec.structs.replace(self.loaded.suite, limits=limits)
        return msgspec.structs.replace(self.loaded, suite=suite)

    def _refuse_unknown_target(self, suite: Suite) -> None:
        """A variable that is not set is no fault of the suite: the cases will say so."""
        if (self.target or suite.target) not in suite.targets:
            choose_target(suite, self.target)

    def _placed(self, error: InputError) -> str:
        """Return an error's text, with files as they are seen from where pytest was started."""
        if not isinstance(error, LoadError):
            return str(error)
        faults = [
            dataclasses.replace(
                fault, place=dataclasses.replace(fault.place, file=self._near(fault.place.file))
            )
            for fault in error.faults
        ]
        return str(LoadError(faults))

    def _near(self, text: str | Path) -> str:
        start = f"{self.config.invocation_params.dir}{os.sep}"
        return str(text).removeprefix(start)


class CaseItem(pytest.Item):
    """A case: all its trials, against the suite's target, in a run of its own."""

    def __init__(self, *, case: Case, **more: Any) -> None:
        super().__init__(**more)  # pyright: ignore[reportUnknownMemberType]
        assert isinstance(self.parent, SuiteFile)
        self.suite_file: SuiteFile = self.parent
        self.case = case
        self.result: CaseResult | None = None
        suite = self.suite_file.loaded.suite.name
        self.add_marker(pytest.mark.probare(suite=suite, category=case.category, split=case.split))
        for tag in case.tags:
            self.add_marker(pytest.mark.probare(tag=tag))
        words = (suite, case.category, case.split, *case.tags)
        self.extra_keyword_matches.update(word for word in words if word)
        if case.review == "always" and not case.automatic:
            self.add_marker(pytest.mark.skip(reason=_FOR_PEOPLE))
        if case.on_the_hill:
            self.add_marker(pytest.mark.xfail(reason=_HILL, raises=CaseFailed, strict=False))

    def setup(self) -> None:
        """Run the case; one that has no answer is an error here, in its own words."""
        self.result = None
        said = ""
        try:
            self.result = self._answered()
        except CaseErrored as error:
            said = str(error)
        if said:
            pytest.fail(said, pytrace=False)

    def _answered(self) -> CaseResult:
        """Run the case. Return what it came to where it passed or failed, skip where people judge
        it, raise CaseErrored where it has no answer.
        """
        result = self.suite_file.run(self.case)
        self.user_properties += [
            ("probare_status", result.status),
            ("probare_run", str(result.run.folder)),
        ]
        if result.status in ("needs_review", "ungraded") and self._is_for_people(result):
            self.suite_file.runs.forget(result.run.folder)
            pytest.skip(result.explain().splitlines()[0])
        if not result.has_answer:
            raise self._failure(result)
        return result

    def runtest(self) -> None:
        """Raise CaseFailed where the case failed."""
        result = self.result
        assert result is not None
        if not result.passed:
            raise self._failure(result)
        self.suite_file.runs.forget(result.run.folder)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the case's own words; what is a fault of Probare keeps its traceback."""
        if isinstance(excinfo.value, CaseNotPassed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[os.PathLike[str], int | None, str]:
        """Return the suite's file and the case."""
        return self.path, 0, f"{self.suite_file.loaded.suite.name}: {self.name}"

    def _failure(self, result: CaseResult) -> CaseNotPassed:
        said = f"{result.explain(named=False)}\n{self.suite_file.again(result)}"
        return CaseFailed(said) if result.has_answer else CaseErrored(said)

    def _is_for_people(self, result: CaseResult) -> bool:
        if self.case.review == "always":
            return True
        asked: str = self.config.getini("probare_review")
        return result.status == "needs_review" and asked == "skip"
