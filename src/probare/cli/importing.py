"""`probare import`."""

from __future__ import annotations

from pathlib import Path

import click

from probare.loading.importing import import_file


@click.command("import", short_help="Turn recorded work into a suite and transcripts.")
@click.argument("format_name", metavar="FORMAT")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True, help="A new folder.")
def import_command(format_name: str, file: Path, out: Path) -> int:
    """Read FILE (FORMAT: tau_bench, inspect, chat) and write a suite that replays it."""
    written = import_file(format_name, file, out)
    click.echo(f"{out}: {written.cases} cases, {written.trials} recorded trials")
    for note in written.notes:
        click.echo(f"note: {note}")
    click.echo(f"now run: probare run {out}")
    return 0
