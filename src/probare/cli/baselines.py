"""`probare baseline set|show|clear`."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from probare.cli.options import RUN, SUITE
from probare.encoding import jsonbytes
from probare.errors import InputError
from probare.pipeline import baselinefile


@click.group("baseline", short_help="Set, show or clear a suite's baseline.")
def baseline_command() -> None:
    """The run that later runs of a suite are held against: `baseline.json` beside it."""


@baseline_command.command("set")
@click.argument("run", type=RUN)
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Another file.")
def set_command(run: Path, out: Path | None) -> int:
    """Make RUN the baseline of its suite. Commit the file."""
    path, baseline = baselinefile.set_from(run, out)
    click.echo(f"{path}: {len(baseline.cases)} cases of run {baseline.run_id}")
    return 0


@baseline_command.command("show")
@click.argument("suite", type=SUITE)
def show_command(suite: Path) -> int:
    """Print the baseline of SUITE."""
    path = baselinefile.path_for(suite)
    found = baselinefile.read(path)
    if found is None:
        raise InputError(f"{suite} has no baseline", hint="probare baseline set RUN")
    click.echo(msgspec.json.format(jsonbytes.encode(found), indent=2).decode())
    return 0


@baseline_command.command("clear")
@click.argument("suite", type=SUITE)
def clear_command(suite: Path) -> int:
    """Remove the baseline of SUITE."""
    path = baselinefile.path_for(suite)
    if not path.exists():
        raise InputError(f"{suite} has no baseline")
    path.unlink()
    click.echo(f"removed {path}")
    return 0
