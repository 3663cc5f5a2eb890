"""`probare review`: people's reviews of a run, without the page."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

import click
import msgspec

from probare.cli.desks import DB, NAME, at_desk, desk_options
from probare.cli.incidents import incident_command
from probare.cli.keys import KEY, signing_key
from probare.cli.options import RUN, Duration
from probare.cli.showing import console_for, show_run
from probare.encoding import jsonbytes
from probare.errors import InputError
from probare.model.review import Meaning
from probare.pipeline.applying import apply_reviews
from probare.pipeline.people import people_in
from probare.pipeline.peoplereport import reviewed
from probare.pipeline.reviewing import (
    Asking,
    all_items,
    assign_items,
    import_files,
    queue_run,
    sheets_of,
)
from probare.pipeline.reviewlogs import people_today
from probare.reporting.reviewed import rendered_reviewed
from probare.reporting.reviewqueue import render_incidents, render_queue
from probare.reporting.words import plural
from probare.review.csvsheets import csv_of
from probare.review.exchange import Sheet
from probare.review.jsonsheets import json_of
from probare.stores.reader import RunReader

_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
_NEW = click.Path(path_type=Path, dir_okay=False)


def _echo(value: Any) -> None:
    click.echo(jsonbytes.encode(value).decode())


@click.group("review", short_help="People's reviews: queue, sheets, incidents, apply.")
def review_command() -> None:
    """What people say of a run. The reviews stand in a database beside the runs (--db, by default
    RUNS/.probare/reviews.db); nothing in the run changes. `probare serve RUNS` is the page.
    """


review_command.add_command(incident_command)


@review_command.command("queue")
@click.argument("run", type=RUN)
@click.option("--rubric", type=_FILE, help="Review with this rubric  [the suite's].")
@click.option("--new-rubric", is_flag=True, help="What another version reviewed is reviewed anew.")
@click.option("--overlap", type=click.IntRange(1, 50), help="Reviewers that an item needs.")
@click.option("--sample", type=click.FloatRange(0, 1), help="Share of the passes that is drawn.")
@click.option("--due", type=Duration(), help="How long reviewers have, such as 48h.")
@desk_options
def queue_command(
    run: Path, database: str | None, name: str | None, as_json: bool, **asked: Any
) -> int:
    """Put RUN's trials in the queue by the suite's `review` rules, and show the queue.

    Doing it twice changes nothing. The table says why each item is there, which tells of verdicts:
    reviewers get sheets (`review export`) or the page, which do not.
    """
    with at_desk(run, database, name, create=True) as (desk, person, reader):
        done = queue_run(desk, person, reader, Asking(**asked))
        items = all_items(desk, person, reader.plan.run_id)
    if as_json:
        _echo({**msgspec.to_builtins(done), "items": items})
        return 0
    render_queue(console_for(sys.stdout), items)
    changed = f", {done.changed} changed" if done.changed else ""
    click.echo(f"{plural(len(items), 'item')}: {done.added} added, {done.known} known{changed}")
    return 0


@review_command.command("assign")
@click.argument("run", type=RUN)
@click.argument("reviewer")
@click.option("--item", "items", multiple=True, help="This item, which must have a free place.")
@click.option("--case", "cases", multiple=True, metavar="GLOB", help="Only items of these cases.")
@click.option("--count", type=click.IntRange(1), help="At most so many, in the queue's order.")
@click.option("--adjudicate", is_flag=True, help="To adjudicate, where reviewers disagree.")
@click.option("--release", is_flag=True, help="Take back what is not submitted; needs --item.")
@desk_options
def assign_command(
    run: Path, reviewer: str, database: str | None, name: str | None, as_json: bool, **asked: Any
) -> int:
    """Assign items of RUN to REVIEWER: those with a free place, or those named."""
    with at_desk(run, database, name) as (desk, person, reader):
        if asked["release"]:
            if not asked["items"]:
                raise InputError("--release needs the items", hint="--item ITEM")
            found = [desk.release(person, item, reviewer) for item in asked["items"]]
        else:
            found = assign_items(
                desk,
                person,
                reader.plan.run_id,
                reviewer,
                purpose=_meaning(asked["adjudicate"]),
                items=asked["items"],
                cases=asked["cases"],
                count=asked["count"],
            )
    if as_json:
        _echo(found)
    else:
        verb = "released from" if asked["release"] else "assigned to"
        click.echo(f"{plural(len(found), 'item')} {verb} {reviewer}")
    return 0


def _meaning(adjudicate: bool) -> Meaning:
    return "adjudicated" if adjudicate else "reviewed"


@review_command.command("status")
@click.argument("run", type=RUN)
@desk_options
def status_command(run: Path, database: str | None, name: str | None, as_json: bool) -> int:
    """Show how far the reviews of RUN are: the queue, who has what, incidents."""
    with at_desk(run, database, name) as (desk, person, reader):
        run_id = reader.plan.run_id
        items = all_items(desk, person, run_id)
        incidents = desk.incidents(person, run_id)
    left, submitted = Counter[str](), Counter[str]()
    for item in items:
        for each in item.assigned:
            (submitted if each.submitted else left)[each.person] += 1
    states = Counter(item.state for item in items)
    people = {
        each: {"submitted": submitted[each], "left": left[each]}
        for each in sorted(left.keys() | submitted.keys())
    }
    if as_json:
        _echo({"states": states, "people": people, "items": items, "incidents": incidents})
        return 0
    console = console_for(sys.stdout)
    render_queue(console, items)
    counted = ", ".join(f"{states[each]} {each.replace('_', ' ')}" for each in sorted(states))
    click.echo(f"{plural(len(items), 'item')}: {counted or 'nothing is queued'}")
    for each, work in people.items():
        click.echo(f"{each}: {work['submitted']} submitted, {work['left']} left")
    render_incidents(console, incidents)
    return 0


@review_command.command("export")
@click.argument("run", type=RUN)
@click.option("--reviewer", metavar="NAME", help="Whose sheet  [who acts].")
@click.option("--adjudicate", is_flag=True, help="What waits for an adjudicator.")
@click.option("--format", "kind", type=click.Choice(["csv", "json"]), help="[as --out ends, csv]")
@click.option("--out", type=_NEW, help="A file  [standard output].")
@DB
@NAME
def export_command(
    run: Path,
    reviewer: str | None,
    adjudicate: bool,
    kind: str | None,
    out: Path | None,
    database: str | None,
    name: str | None,
) -> int:
    """Write what a reviewer is to fill in: the items assigned to them and those with a free place,
    with question, reply and reference, and nothing of verdicts or of other reviews.
    """
    with at_desk(run, database, name) as (desk, person, reader):
        sheets = sheets_of(desk, person, reader, reviewer=reviewer, meaning=_meaning(adjudicate))
    if not sheets:
        raise InputError("there is nothing to fill in", hint=f"probare review status {run}")
    if kind is None:
        kind = "json" if out is not None and out.suffix == ".json" else "csv"
    if len(sheets) > 1 and out is None:
        raise InputError(
            f"{len(sheets)} rubrics are in use, a sheet for each", hint="write them to files: --out"
        )
    for number, sheet in enumerate(sheets):
        _written(sheet, kind, out, number)
    return 0


def _written(sheet: Sheet, kind: str, out: Path | None, number: int) -> None:
    data = json_of(sheet) if kind == "json" else csv_of(sheet).encode()
    if out is None:
        click.echo(data.decode(), nl=False)
        return
    place = out if number == 0 else out.with_stem(f"{out.stem}-{number + 1}")
    try:
        place.write_bytes(data)
    except OSError as error:
        raise InputError(f"{place} cannot be written: {error.strerror}") from error
    click.echo(f"wrote {place}: {plural(len(sheet.rows), 'item')}")


@review_command.command("import")
@click.argument("run", type=RUN)
@click.argument("files", nargs=-1, required=True, type=_FILE)
@desk_options
def import_command(
    run: Path, files: tuple[Path, ...], database: str | None, name: str | None, as_json: bool
) -> int:
    """Submit sheets that were filled in (CSV or JSON): all of it, or nothing.

    Each row is the review of the reviewer that it names. The same again changes nothing.
    """
    with at_desk(run, database, name) as (desk, person, reader):
        done = import_files(desk, person, reader, files)
    if as_json:
        _echo(done)
        return 0
    click.echo(f"{plural(len(done.added), 'review')} added, {done.known} known")
    render_incidents(console_for(sys.stdout), done.incidents)
    return 0


@review_command.command("agreement")
@click.argument("run", type=RUN)
@DB
@click.option("--json", "as_json", is_flag=True, help="As JSON, in one line.")
def agreement_command(run: Path, database: str | None, as_json: bool) -> int:
    """Show how far reviewers agree on each dimension, and how automatic verdicts do beside them,
    over the items whose reviews are all in.

    Of a run with reviews graded in, what is told is what its own review log says.
    """
    reader = RunReader(run)
    people = people_in(run) or people_today(run, reader.plan, database)
    found = () if people is None else reviewed(people, reader.records())
    if not found:
        raise InputError(
            f"nobody was asked about {reader.plan.run_id}", hint=f"probare review queue {run}"
        )
    if as_json:
        _echo(found)
    else:
        click.echo(rendered_reviewed(found))
    return 0


@review_command.command("apply")
@click.argument("run", type=RUN)
@click.option("--key", type=KEY, help="Sign the new run with this private key.")
@click.option("--runs", type=click.Path(path_type=Path, file_okay=False), help="[beside RUN]")
@DB
@click.option("--no-table", is_flag=True, help="The summary alone.")
@click.option("--json", "as_json", is_flag=True, help="Print summary.json, in one line.")
def apply_command(
    run: Path,
    key: Path | None,
    runs: Path | None,
    database: str | None,
    no_table: bool,
    as_json: bool,
) -> int:
    """Grade people's reviews into a new sealed run that names RUN and holds the review log.

    What people said is one more required verdict of a trial: it settles what checks left unknown,
    and undoes no failure. Nothing in RUN changes. Exit code as of `run`.
    """
    new = apply_reviews(run, root=runs, database=database, key=signing_key(key))
    show_run(new, table=not no_table, as_json=as_json)
    return new.exit_code
