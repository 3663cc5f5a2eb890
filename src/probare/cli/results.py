"""`probare report`, `probare diff`, `probare gate`: what finished runs say."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from probare.cli.exporting import EXPORT, asked_for, exported
from probare.cli.options import RUN, write_out
from probare.cli.showing import console_for
from probare.encoding import jsonbytes
from probare.pipeline.comparing import decide_again, diff_runs, report_text
from probare.reporting.diffs import render_diff


@click.command("report", short_help="Write a report of a finished run.")
@click.argument("run", type=RUN)
@click.option(
    "--format",
    "name",
    default="md",
    show_default=True,
    metavar="FORMAT",
    help="md, html, junit, json, csv or github.",
)
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="A file.")
@EXPORT
def report_command(run: Path, name: str, out: Path | None, export: str | None) -> int:
    """Write a report of RUN to --out, or print it; or export it. Nothing in RUN changes."""
    if export is not None:
        exported(run, asked_for(export))
        return 0
    text = report_text(run, name)
    if out is None:
        click.echo(text.decode(), nl=False)
        return 0
    write_out(out, text)
    return 0


@click.command("diff", short_help="Compare two runs, case by case.")
@click.argument("before", type=RUN)
@click.argument("after", type=RUN)
@click.option("--json", "as_json", is_flag=True, help="The comparison as JSON.")
def diff_command(before: Path, after: Path, as_json: bool) -> int:
    """Compare AFTER with BEFORE, paired by case. It informs; `gate` decides."""
    found = diff_runs(before, after)
    if as_json:
        click.echo(jsonbytes.encode(found).decode())
    else:
        render_diff(console_for(sys.stdout), found)
    return 0


@click.command("gate", short_help="Decide a finished run again: exit code and reasons.")
@click.argument("run", type=RUN)
@click.option("--baseline", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--db", "database", metavar="DB", help="The review database: a file or a URL.")
@click.option("--json", "as_json", is_flag=True, help="The decision as JSON.")
def gate_command(run: Path, baseline: Path | None, database: str | None, as_json: bool) -> int:
    """Decide RUN from its records, with today's baseline, and with the reviews and incidents of
    the review database beside it, where there is one. Exit code as of `run`.
    """
    summary = decide_again(run, baseline, database=database)
    if as_json:
        click.echo(jsonbytes.encode({"decision": summary.decision, "why": summary.why}).decode())
    else:
        click.echo(f"{summary.decision.upper()}: {'; '.join(summary.why)}")
    return summary.exit_code
