"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from probare.encoding.durations import parse_duration
from probare.errors import InputError

REPLIES = ".probare-cache"
F = TypeVar("F", bound=Callable[..., Any])

SUITE = click.Path(path_type=Path)
RUN = click.Path(path_type=Path, exists=True, file_okay=False)


if TYPE_CHECKING:
    _FloatType = click.ParamType[float]
else:
    _FloatType = click.ParamType  # takes no parameter before click 8.2


def write_out(path: Path, data: bytes) -> None:
    """Write what was asked for to a file and say so. Raises InputError where it cannot be."""
    try:
        path.write_bytes(data)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from error
    click.echo(f"wrote {path}")


class Duration(_FloatType):
    """A time: seconds, or a number with a unit (500ms, 60s, 2m)."""

    name = "time"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return seconds, or fail with what is wrong."""
        try:
            return parse_duration(float(value) if _is_number(value) else value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


def _is_number(value: Any) -> bool:
    return isinstance(value, str) and value.replace(".", "", 1).isdecimal() and value.isascii()


def selection_options(function: F) -> F:
    """Add the options that choose cases."""
    options = [
        click.option("--case", "cases", multiple=True, metavar="GLOB", help="Only these cases."),
        click.option("--tag", "tags", multiple=True, help="Only cases with this tag."),
        click.option("--category", "categories", multiple=True, help="Only this category."),
        click.option("--split", type=click.Choice(["held_out", "carried_over"])),
        click.option("--limit", type=click.IntRange(1), help="At most so many cases."),
        click.option("--sample", type=click.IntRange(1), help="A seeded random sample of N."),
        click.option("--failed", metavar="RUN", help="Only cases that did not pass in that run."),
    ]
    for option in reversed(options):
        function = option(function)
    return function


def judge_options(function: F) -> F:
    """Add the options of judges and of the cache of models' replies."""
    options = [
        click.option(
            "--judge-model",
            multiple=True,
            metavar="MODEL",
            help="Judges ask this model; several vote.",
        ),
        click.option(
            "--cache",
            is_flag=False,
            flag_value=REPLIES,
            default=None,
            metavar="[DIR]",
            help=f"Keep chat models' replies and give them again  [{REPLIES}].",
        ),
    ]
    for option in reversed(options):
        function = option(function)
    return function
