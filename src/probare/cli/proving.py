"""`probare prove`: does a suite catch broken agents?"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from probare.cli.options import SUITE
from probare.cli.showing import console_for
from probare.encoding import jsonbytes
from probare.errors import InputError
from probare.loading import Loaded
from probare.model.record import TrialRecord
from probare.pipeline.catalogue import BuiltCatalogue
from probare.pipeline.dotenv import filled_environ
from probare.pipeline.proofplan import ProveOptions, proof_of
from probare.pipeline.proving import MARKDOWN, Proved, prove_loaded
from probare.pipeline.runs import INTERRUPTED, opened
from probare.ports.progress import Progress
from probare.reporting.progress import Bar, Lines
from probare.reporting.proofs import render_proof
from probare.running.loops import run_to_end

_WORST_FIRST = (INTERRUPTED, 1, 3, 0)


class _Counting(Lines):
    """Lines without one for each failure: broken agents are here to fail."""

    def ended(self, record: TrialRecord) -> None:
        """Count one trial."""
        self._tally.add(record)


@click.command("prove", short_help="Does a suite catch broken agents?")
@click.argument("suites", nargs=-1, type=SUITE, metavar="SUITE...")
@click.option("--defect", "defects", multiple=True, metavar="GLOB", help="Only these defects.")
@click.option("--case", "cases", multiple=True, metavar="GLOB", help="Only these cases.")
@click.option("--fast", is_flag=True, help="Run of each defect only the cases that must fail.")
@click.option("--concurrency", type=click.IntRange(1), help="Trials at once.")
@click.option("--runs", default="runs", show_default=True, metavar="DIR", help="Where runs go.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Marks in ASCII alone.")
@click.option("--json", "as_json", is_flag=True, help="Print prove.json, one line a suite.")
def prove_command(
    suites: tuple[Path, ...],
    defects: tuple[str, ...],
    cases: tuple[str, ...],
    fast: bool,
    concurrency: int | None,
    runs: str,
    ascii_only: bool,
    as_json: bool,
) -> int:
    """Run the oracle, the null target and each defect of SUITE's `prove` block.

    Exit code: 0 all defects caught, the oracle passes everything, the null target nothing that
    needs an act; 1 one of these does not hold; 2 bad input (nothing ran); 3 incomplete, where
    errors left no answer; 130 interrupted.
    """
    if not suites:
        raise InputError("no suite given", hint="probare prove SUITE")
    options = ProveOptions(
        defects=defects, cases=cases, fast=fast, concurrency=concurrency, runs=runs
    )
    catalogue = BuiltCatalogue()
    ready = [_loaded(suite, catalogue) for suite in suites]  # all, before any runs
    codes: list[int] = []
    for loaded in ready:
        proved = _prove(loaded, options, catalogue)
        codes.append(_shown(proved, as_json=as_json, ascii_only=ascii_only))
        if codes[-1] == INTERRUPTED:
            break
    return next(code for code in _WORST_FIRST if code in codes)


def _loaded(suite: Path, catalogue: BuiltCatalogue) -> Loaded:
    with opened(suite, catalogue) as (loaded, _):
        for warning in loaded.warnings:
            click.echo(f"warning: {warning}", err=True)
    proof_of(loaded)
    return loaded


def _prove(loaded: Loaded, options: ProveOptions, catalogue: BuiltCatalogue) -> Proved:
    console = console_for(sys.stderr)
    live = console.is_terminal and not console.is_dumb_terminal
    progress: Progress = Bar(console) if live else _Counting(sys.stderr)

    def told(line: str) -> None:
        if not live:
            click.echo(line, err=True)

    with filled_environ(loaded.folder) as environ:
        return run_to_end(lambda: prove_loaded(loaded, options, catalogue, environ, progress, told))


def _shown(proved: Proved, *, as_json: bool, ascii_only: bool) -> int:
    if proved.result is None:
        click.echo(f"interrupted: what ended is kept in {proved.folder}; prove again", err=True)
        return INTERRUPTED
    if as_json:
        click.echo(jsonbytes.encode(proved.result).decode())
    else:
        console = console_for(sys.stdout)
        render_proof(console, proved.result, ascii_only=ascii_only)
        console.print(f"{proved.folder}/{MARKDOWN}")
    return proved.result.exit_code
