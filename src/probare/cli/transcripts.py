"""`probare show`: a case's trials as a person reads them."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from rich.console import Console

from probare.cli.options import RUN
from probare.cli.showing import console_for
from probare.pipeline.stored import StoredCase, stored_case
from probare.reporting.transcripts import StoredTrial, render_trial, render_wide

_LONGEST = 2_000


@click.command("show", short_help="Show a case's trials: conversation, calls, verdicts.")
@click.argument("run", type=RUN)
@click.argument("case")
@click.argument("trial", type=click.IntRange(0), required=False)
@click.option("--full", is_flag=True, help="Cut nothing, however long.")
def show_command(run: Path, case: str, trial: int | None, full: bool) -> int:
    """Show the trials of CASE in RUN, failed ones first, or one TRIAL (counted from 0).

    On a terminal it is paged. What was masked in the run stays masked.
    """
    stored = stored_case(run, case)
    longest = None if full else _LONGEST
    console = console_for(sys.stdout)
    if not console.is_terminal:
        _render(console, stored, trial, longest)
        return 0
    with console.capture() as captured:
        _render(console, stored, trial, longest)
    click.echo_via_pager(captured.get())
    return 0


def _render(console: Console, stored: StoredCase, trial: int | None, longest: int | None) -> None:
    records = stored.worst_first() if trial is None else [stored.trial(trial)]
    for number, record in enumerate(records):
        if number:
            console.print()
            console.rule(style="dim")
        found = StoredTrial(stored.case, record, stored.transcript(record))
        render_trial(console, found, longest=longest)
    if stored.wide:
        console.print()
        render_wide(console, stored.wide)
