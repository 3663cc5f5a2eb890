"""`probare check`, `probare list`, `probare new`: suites, without running anything."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import click

from probare.cli.options import SUITE, selection_options
from probare.encoding import jsonbytes
from probare.errors import LoadError
from probare.loading import mirrors, scaffold
from probare.pipeline.catalogue import BuiltCatalogue
from probare.pipeline.options import Selection
from probare.pipeline.runs import opened
from probare.pipeline.selection import select


@click.command("check", short_help="Check suites without running anything.")
@click.argument("suites", nargs=-1, type=SUITE, required=True, metavar="SUITE...")
@click.option("--repin", is_flag=True, help="Accept the mirrored examples as they stand now.")
def check_command(suites: tuple[Path, ...], repin: bool) -> int:
    """Load each SUITE and tell all its faults at once. No module of the suite is imported."""
    catalogue = BuiltCatalogue()
    bad = False
    for suite in suites:
        if repin:
            for line in mirrors.repin(suite):
                click.echo(line)
        try:
            with opened(suite, catalogue) as (loaded, _):
                for warning in loaded.warnings:
                    click.echo(f"warning: {warning}", err=True)
                found = loaded.suite
        except LoadError as error:
            click.echo(str(error), err=True)
            bad = True
            continue
        checks = sum(len(case.expect) + len(case.forbid) for case in found.cases)
        click.echo(f"{suite}: ok: {_plural(len(found.cases), 'case')}, {_plural(checks, 'check')}")
    return 2 if bad else 0


@click.command("list", short_help="List a suite's cases.")
@click.argument("suite", type=SUITE)
@selection_options
@click.option("--seed", type=int, default=0, help="Seed of --sample.")
@click.option("--json", "as_json", is_flag=True, help="One case a line, as JSON.")
def list_command(suite: Path, seed: int, as_json: bool, **asked: Any) -> int:
    """List the cases of SUITE that a selection chooses: id, category, split, tags, checks."""
    wanted = Selection(**{name: value for name, value in asked.items() if value is not None})
    with opened(suite, BuiltCatalogue()) as (loaded, _):
        cases = select(loaded.suite.cases, wanted, seed)
    if as_json:
        for case in cases:
            click.echo(jsonbytes.encode(case).decode())
        return 0
    width = max(len(case.id) for case in cases)
    for case in cases:
        parts = [
            case.category or "-",
            case.split,
            _plural(len(case.expect) + len(case.forbid), "check"),
            " ".join(f"#{tag}" for tag in case.tags),
            "for people" if case.review == "always" else "",
        ]
        click.echo(f"{case.id:<{width}}  {'  '.join(part for part in parts if part)}")
    categories = Counter(case.category or "no category" for case in cases)
    counted = ", ".join(f"{name} {count}" for name, count in categories.items())
    click.echo(f"{_plural(len(cases), 'case')}: {counted}")
    return 0


@click.command("new", short_help="Make a small suite that runs at once.")
@click.argument("folder", type=click.Path(path_type=Path))
def new_command(folder: Path) -> int:
    """Make FOLDER with a suite, cases and an agent; `probare run FOLDER` passes."""
    scaffold(folder, folder.resolve().name)
    click.echo(f"made {folder}: now run\n\n    probare run {folder}\n")
    return 0


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
