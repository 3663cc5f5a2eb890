"""The review desk for a command: where the reviews of a run are, and who acts."""

from __future__ import annotations

import getpass
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from probare.errors import InputError
from probare.model.review import Person
from probare.pipeline.reviewlogs import acting, desk_for
from probare.review.desk import ReviewDesk
from probare.stores.reader import RunReader

F = TypeVar("F", bound=Callable[..., Any])

DB = click.option(
    "--db", "database", metavar="DB", help="The reviews: a file or a URL  [.probare/reviews.db]."
)
NAME = click.option(
    "--as",
    "name",
    metavar="NAME",
    envvar="PROBARE_REVIEWER",
    help="Who acts  [$PROBARE_REVIEWER, else this machine's user].",
)
JSON = click.option("--json", "as_json", is_flag=True, help="As JSON, in one line.")


def desk_options(function: F) -> F:
    """Add the options that say where the reviews are, who acts, and JSON."""
    return DB(NAME(JSON(function)))


@contextmanager
def at_desk(
    run: Path, database: str | None, name: str | None, *, create: bool = False
) -> Generator[tuple[ReviewDesk, Person, RunReader]]:
    """Open the desk of a run for whoever acts."""
    reader = RunReader(run)
    with desk_for(run, database, create=create) as desk:
        yield desk, acting(desk, name or _user()), reader


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        raise InputError("who are you?", hint="--as NAME, or set PROBARE_REVIEWER") from None
