"""`--export`, of `probare run` and `probare report`."""

from __future__ import annotations

from pathlib import Path

import click

from probare.pipeline.exporting import Exporting, export_run, exporting

EXPORT = click.option(
    "--export",
    "export",
    metavar="otlp[=ENDPOINT]",
    help="Send the verdicts to your tracing.",
)


def asked_for(export: str | None) -> Exporting | None:
    """Return where to export to, before anything runs. Raises InputError where that cannot be."""
    return None if export is None else exporting(export)


def exported(run: Path, where: Exporting | None) -> None:
    """Export a finished run and say so; a failure is a loud warning, and changes no decision."""
    if where is None:
        return
    done = export_run(run, where)
    count = "1 verdict" if done.sent == 1 else f"{done.sent:,} verdicts"
    if done.problem:
        message = f"the export failed after {count}: {done.problem}"
        click.echo(f"WARNING: {message}; the decision stands, and is in {run}", err=True)
        return
    click.echo(f"exported {count} to {where.place}", err=True)
