"""`probare run` and `probare regrade`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from probare.cli.exporting import EXPORT, asked_for, exported
from probare.cli.keys import KEY, signing_key
from probare.cli.options import RUN, SUITE, Duration, judge_options, selection_options
from probare.cli.showing import progress_for, show_run
from probare.errors import InputError
from probare.evidence.keys import SigningKey
from probare.loading import Loaded
from probare.pipeline.catalogue import BuiltCatalogue
from probare.pipeline.dotenv import filled_environ
from probare.pipeline.options import DEFAULT_RETRIES, RunOptions, Selection
from probare.pipeline.regrading import regrade
from probare.pipeline.runs import INTERRUPTED, Run, opened, resume, run_loaded
from probare.running.loops import run_to_end

_WORST_FIRST = (INTERRUPTED, 1, 3, 0)


@click.command("run", short_help="Run suites, grade, score, gate and report.")
@click.argument("suites", nargs=-1, type=SUITE, metavar="SUITE...")
@click.option("--target", help="Run against this target of the suite.")
@click.option("--trials", type=click.IntRange(1), help="Trials of each case.")
@selection_options
@click.option("--fail-fast", is_flag=True, help="Stop at the first failed trial.")
@click.option("--model", help="Handed to the target as its model.")
@judge_options
@click.option("--concurrency", type=click.IntRange(1), help="Trials at once.")
@click.option("--timeout", type=Duration(), help="Deadline of a trial (60s, 2m).")
@click.option("--retries", type=click.IntRange(0), default=DEFAULT_RETRIES, show_default=True)
@click.option("--max-cost", type=click.FloatRange(0, min_open=True), help="US dollars.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--runs", default="runs", show_default=True, metavar="DIR", help="Where runs go.")
@click.option("--resume", "resumed", type=RUN, metavar="RUN", help="Finish an interrupted run.")
@click.option("--retry-errored", is_flag=True, help="With --resume: errored trials run again.")
@click.option("--baseline", type=click.Path(exists=True, dir_okay=False), metavar="FILE")
@click.option("--key", type=KEY, help="Sign the seal with this private key.")
@click.option("--plan", type=KEY, help="Hold the run to this sealed plan.")
@EXPORT
@click.option("--no-table", is_flag=True, help="Print the summary alone.")
@click.option("--json", "as_json", is_flag=True, help="Print summary.json, one line a suite.")
def run_command(
    suites: tuple[Path, ...],
    resumed: Path | None,
    key: Path | None,
    plan: Path | None,
    export: str | None,
    no_table: bool,
    as_json: bool,
    **asked: Any,
) -> int:
    """Run each SUITE (a folder or a file) and decide.

    Exit code: 0 passed, 1 failed, 2 bad input (nothing ran), 3 incomplete, 130 interrupted.
    """
    options = _options(asked)
    where = asked_for(export)
    signer = signing_key(key)
    if plan is not None and (resumed is not None or len(suites) != 1):
        raise InputError("--plan goes with one suite, and not with --resume")
    if resumed is not None:
        work = [_resuming(resumed, suites, options, signer)]
    else:
        work = _running(suites, options, signer, plan)
    codes: list[int] = []
    for step in work:
        run = _shown(step(), no_table, as_json)
        codes.append(run.exit_code)
        if run.summary is not None:
            exported(run.folder, where)
        if codes[-1] == INTERRUPTED:
            break
    return next(code for code in _WORST_FIRST if code in codes)


def _resuming(
    resumed: Path, suites: tuple[Path, ...], options: RunOptions, key: SigningKey | None
) -> Callable[[], Run]:
    if suites:
        raise InputError("--resume takes no suite", hint="the run names its own")
    again = options.retry_errored
    if options != RunOptions(retry_errored=again):
        raise InputError(
            "--resume goes on with the options that the run began with",
            hint="of the others, only --retry-errored, --key, --export, --no-table and --json go "
            "with it",
        )
    catalogue = BuiltCatalogue()
    return lambda: run_to_end(
        lambda: resume(resumed, catalogue, progress_for(), retry_errored=again, key=key)
    )


def _running(
    suites: tuple[Path, ...], options: RunOptions, key: SigningKey | None, plan: Path | None
) -> list[Callable[[], Run]]:
    if options.retry_errored:
        raise InputError("--retry-errored goes with --resume RUN")
    if not suites:
        raise InputError("no suite given", hint="probare run SUITE, or probare new demo")
    catalogue = BuiltCatalogue()
    ready = [_loaded(suite, catalogue) for suite in suites]  # all, before any runs
    return [
        lambda loaded=loaded: _run_one(loaded, catalogue, options, key, plan) for loaded in ready
    ]


def _loaded(suite: Path, catalogue: BuiltCatalogue) -> Loaded:
    with opened(suite, catalogue) as (loaded, _):
        for warning in loaded.warnings:
            click.echo(f"warning: {warning}", err=True)
        return loaded


def _run_one(
    loaded: Loaded,
    catalogue: BuiltCatalogue,
    options: RunOptions,
    key: SigningKey | None,
    plan: Path | None,
) -> Run:
    with filled_environ(loaded.folder) as environ:
        return run_to_end(
            lambda: run_loaded(
                loaded, options, catalogue, environ, progress_for(), key=key, plan=plan
            )
        )


def _shown(run: Run, no_table: bool, as_json: bool) -> Run:
    show_run(run, table=not no_table, as_json=as_json)
    return run


def _options(asked: dict[str, Any]) -> RunOptions:
    select = Selection(
        cases=asked.pop("cases"),
        tags=asked.pop("tags"),
        categories=asked.pop("categories"),
        split=asked.pop("split"),
        limit=asked.pop("limit"),
        sample=asked.pop("sample"),
        failed=asked.pop("failed"),
    )
    return RunOptions(select=select, **asked)


@click.command("regrade", short_help="Grade a run's stored transcripts with today's graders.")
@click.argument("run", type=RUN)
@click.option("--suite", type=SUITE, help="Use this suite's checks instead of the run's own.")
@click.option("--runs", default=None, metavar="DIR", help="Where the new run goes.")
@judge_options
@click.option("--key", type=KEY, help="Sign the new run's seal with this private key.")
@click.option("--no-table", is_flag=True, help="Print the summary alone.")
@click.option("--json", "as_json", is_flag=True, help="Print summary.json.")
def regrade_command(
    run: Path,
    suite: Path | None,
    runs: str | None,
    judge_model: tuple[str, ...],
    cache: str | None,
    key: Path | None,
    no_table: bool,
    as_json: bool,
) -> int:
    """Grade the stored transcripts of RUN again; the result is a new run that names RUN."""
    root = Path(runs) if runs is not None else run.resolve().parent
    done = regrade(
        run,
        BuiltCatalogue(),
        root,
        suite_path=suite,
        key=signing_key(key),
        judge_model=judge_model,
        cache=cache,
    )
    return _shown(done, no_table, as_json).exit_code
