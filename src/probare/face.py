"""Probare in Python: everything that `probare run` does, for a script or a notebook."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from probare.encoding.durations import parse_duration
from probare.errors import InputError
from probare.evidence.keys import load_private
from probare.loading import Loaded, from_shape, load
from probare.loading.shapes import CaseShape as Case
from probare.loading.shapes import SuiteShape
from probare.model.case import Split
from probare.pipeline.catalogue import BuiltCatalogue
from probare.pipeline.dotenv import filled_environ
from probare.pipeline.options import DEFAULT_RETRIES, RunOptions, Selection
from probare.pipeline.runs import Run, resume_loaded, run_loaded
from probare.ports.grader import Grader
from probare.reporting.progress import Lines, Silent
from probare.running.loops import run_to_end

__all__ = ["Case", "Suite", "arun", "run"]

Agent = Callable[..., Any]


class Suite:
    """A suite made in Python, with the keys of a suite file as arguments.

    `target` is the agent itself (a function, a coroutine function, a generator, a class), or
    what a suite file would say. Names of files and modules are looked up in `folder`, by
    default the current one.
    """

    def __init__(
        self,
        name: str,
        *,
        cases: Sequence[Case | str],
        target: Agent | str | dict[str, Any] | None = None,
        targets: dict[str, Agent | dict[str, Any]] | None = None,
        folder: str | Path = ".",
        **keys: Any,
    ) -> None:
        self.shape = SuiteShape(
            name,
            target=_as_target(target) if callable(target) else target,
            targets={key: _as_target(value) for key, value in (targets or {}).items()},
            cases=list(cases),
            **keys,
        )
        self.folder = Path(folder)

    def loaded(self, catalogue: BuiltCatalogue, environ: dict[str, str]) -> Loaded:
        """Check the suite as a file of the same content would be. Raises LoadError."""
        return from_shape(self.shape, self.folder, catalogue, environ)


def run(suite: Suite | str | Path, **options: Any) -> Run:
    """Run a suite, or the suite file or folder at a path, and return the run.

    Takes the options of `arun`. Works inside a running event loop too (a notebook), on a
    thread of its own.
    """
    return run_to_end(lambda: arun(suite, **options))


async def arun(
    suite: Suite | str | Path,
    *,
    target: str | None = None,
    cases: str | Iterable[str] = (),
    tags: str | Iterable[str] = (),
    categories: str | Iterable[str] = (),
    split: Split | None = None,
    limit: int | None = None,
    sample: int | None = None,
    failed: str | Path | None = None,
    trials: int | None = None,
    concurrency: int | None = None,
    timeout: float | str | None = None,
    retries: int = DEFAULT_RETRIES,
    max_cost: float | None = None,
    seed: int = 0,
    model: str | None = None,
    judge_model: str | Iterable[str] = (),
    cache: str | Path | None = None,
    fail_fast: bool = False,
    runs: str | Path = "runs",
    baseline: str | Path | None = None,
    resume: str | Path | None = None,
    retry_errored: bool = False,
    graders: Iterable[type[Grader]] = (),
    progress: bool = False,
    key: str | Path | None = None,
    passphrase: str | None = None,
    plan: str | Path | None = None,
) -> Run:
    """Run a suite and return the run: its decision, scores and records.

    The options are those of `probare run` (`timeout` in seconds, or as text such as `2m`);
    `graders` are one's own (made with `@grader`),
    `resume` is a run directory to be finished, `key` the private key that signs the seal (with
    its `passphrase`). Raises InputError (LoadError, SelectionError, …)
    where nothing could run; failed cases raise nothing: look at `passed` or `summary`.
    """
    catalogue = BuiltCatalogue(graders)
    options = RunOptions(
        target=target,
        select=Selection(
            cases=_words(cases),
            tags=_words(tags),
            categories=_words(categories),
            split=split,
            limit=limit,
            sample=sample,
            failed=str(failed) if failed is not None else None,
        ),
        trials=trials,
        concurrency=concurrency,
        timeout=_seconds(timeout),
        retries=retries,
        max_cost=max_cost,
        seed=seed,
        model=model,
        judge_model=_words(judge_model),
        cache=str(cache) if cache is not None else None,
        fail_fast=fail_fast,
        runs=str(runs),
        baseline=str(baseline) if baseline is not None else None,
    )
    signer = None if key is None else load_private(Path(key), passphrase)
    teller = Lines(sys.stderr) if progress else Silent()
    with filled_environ(_folder(suite)):
        environ = dict(os.environ)
        loaded = _loaded(suite, catalogue, environ)
        if resume is not None:
            folder = Path(resume)
            return await resume_loaded(
                folder,
                loaded,
                catalogue,
                environ,
                teller,
                retry_errored=retry_errored,
                key=signer,
            )
        held = None if plan is None else Path(plan)
        return await run_loaded(loaded, options, catalogue, environ, teller, key=signer, plan=held)


def _words(given: str | Iterable[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def _seconds(timeout: float | str | None) -> float | None:
    try:
        return None if timeout is None else parse_duration(timeout)
    except ValueError as error:
        raise InputError(f"timeout: {error}") from None


def _as_target(target: Agent | dict[str, Any]) -> dict[str, Any]:
    return {"python": target} if callable(target) else target


def _folder(suite: Suite | str | Path) -> Path:
    if isinstance(suite, Suite):
        return suite.folder
    path = Path(suite)
    return path if path.is_dir() else path.parent


def _loaded(
    suite: Suite | str | Path, catalogue: BuiltCatalogue, environ: dict[str, str]
) -> Loaded:
    if isinstance(suite, Suite):
        return suite.loaded(catalogue, environ)
    return load(Path(suite), catalogue, environ)
