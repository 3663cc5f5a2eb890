"""`probare review incident`: what dangerous scores opened."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, get_args

import click

from probare.cli.desks import at_desk, desk_options
from probare.cli.options import RUN
from probare.cli.showing import console_for
from probare.encoding import jsonbytes
from probare.errors import NotFound
from probare.model.incident import Incident, Severity
from probare.model.review import Person
from probare.reporting.reviewqueue import render_incidents
from probare.review.desk import ReviewDesk
from probare.review.incidentpages import as_json as incident_json
from probare.review.incidentpages import markdown
from probare.stores.reader import RunReader


@click.group("incident", short_help="What dangerous scores opened: list, show, change, close.")
def incident_command() -> None:
    """Incidents of a run. One that holds the gate does so until a lead closes it."""


@incident_command.command("list")
@click.argument("run", type=RUN)
@desk_options
def list_command(run: Path, database: str | None, name: str | None, as_json: bool) -> int:
    """List the incidents of RUN, as far as whoever asks may see them."""
    with at_desk(run, database, name) as (desk, person, reader):
        found = desk.incidents(person, reader.plan.run_id)
    if as_json:
        click.echo(jsonbytes.encode(found).decode())
    elif found:
        render_incidents(console_for(sys.stdout), found)
    else:
        click.echo("no incident")
    return 0


@incident_command.command("show")
@click.argument("run", type=RUN)
@click.argument("incident")
@desk_options
def show_command(
    run: Path, incident: str, database: str | None, name: str | None, as_json: bool
) -> int:
    """Print one incident whole, as Markdown or JSON. A lead who reads of an item that is not
    reviewed yet can review it no more.
    """
    with at_desk(run, database, name) as (desk, person, reader):
        found = _incident(desk, person, reader, incident)
    click.echo(incident_json(found).decode() if as_json else markdown(found), nl=as_json)
    return 0


@incident_command.command("change")
@click.argument("run", type=RUN)
@click.argument("incident")
@click.option("--severity", type=click.Choice(get_args(Severity)))
@click.option("--owner", metavar="NAME", help="Who sees to it.")
@click.option("--containment", metavar="TEXT", help="What was done so that it does no harm.")
@click.option("--decision", metavar="TEXT", help="What was decided.")
@click.option("--note", metavar="TEXT", default="", help="Anything else.")
@desk_options
def change_command(
    run: Path, incident: str, database: str | None, name: str | None, as_json: bool, **said: Any
) -> int:
    """Append to an incident; what was said before stays on record."""
    with at_desk(run, database, name) as (desk, person, reader):
        _incident(desk, person, reader, incident)
        found = desk.change_incident(person, incident, **said)
    _told(found, as_json)
    return 0


@incident_command.command("close")
@click.argument("run", type=RUN)
@click.argument("incident")
@click.option("--decision", metavar="TEXT", required=True, help="What was decided.")
@click.option("--note", metavar="TEXT", default="", help="Anything else.")
@desk_options
def close_command(
    run: Path,
    incident: str,
    database: str | None,
    name: str | None,
    as_json: bool,
    decision: str,
    note: str,
) -> int:
    """Close an incident with a decision. It stays closed."""
    with at_desk(run, database, name) as (desk, person, reader):
        _incident(desk, person, reader, incident)
        found = desk.close_incident(person, incident, decision=decision, note=note)
    _told(found, as_json)
    return 0


def _incident(desk: ReviewDesk, person: Person, reader: RunReader, name: str) -> Incident:
    found = desk.incident(person, name)
    if found.run != reader.plan.run_id:
        raise NotFound(f"incident {name} is of another run: {found.run}")
    return found


def _told(found: Incident, as_json: bool) -> None:
    if as_json:
        click.echo(incident_json(found).decode())
    else:
        render_incidents(console_for(sys.stdout), [found])
