"""How a run is shown: the live bar, the table, the summary."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import click
from rich.console import Console

from probare.encoding import jsonbytes
from probare.model.case import Case
from probare.pipeline.runs import Run
from probare.ports.progress import Progress
from probare.reporting.details import details
from probare.reporting.progress import Bar, Lines
from probare.reporting.terminal import render_run
from probare.stores.reader import RunReader


def console_for(stream: TextIO) -> Console:
    """Return a console that prints data as data: no markup, no emoji codes, no highlighting."""
    return Console(file=stream, markup=False, emoji=False, highlight=False, soft_wrap=False)


def progress_for() -> Progress:
    """Return the live bar on a terminal, plain lines elsewhere; both on standard error."""
    console = console_for(sys.stderr)
    live = console.is_terminal and not console.is_dumb_terminal
    return Bar(console) if live else Lines(sys.stderr)


def _cases(run: Path) -> Iterator[Case]:
    yield from RunReader(run).suite().cases


def show_run(run: Run, *, table: bool, as_json: bool) -> None:
    """Print a run: as JSON in one line, or as a person reads it."""
    if run.summary is None:
        click.echo(f"interrupted: what ended is kept. Go on with:\n\n    {run.resume}\n", err=True)
        return
    if as_json:
        click.echo(jsonbytes.encode(run.summary).decode())
        return
    console = console_for(sys.stdout)
    found = details(run.summary.trials, run.records(), run.case_records(), cases=_cases(run.folder))
    render_run(console, run.summary, found, table=table)
    console.print(f"{run.folder}/report.html\n{run.folder}/report.md")
