"""`probare trace hash|show|diff`: what a trial did, as one digest and step by step."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from probare.cli.options import RUN
from probare.cli.showing import console_for
from probare.errors import InputError
from probare.grading.traces import OUTSIDE, first_difference, trace_hash
from probare.model.event import Artifact
from probare.model.record import TrialRecord
from probare.pipeline.stored import stored_case
from probare.reporting.printing import print_data
from probare.reporting.traces import render_difference, render_steps
from probare.reporting.words import one_line, plural

_NAME = 120
_TRIAL = click.IntRange(0)


@click.group("trace", short_help="What a trial did: its hash, its steps, two compared.")
def trace_command() -> None:
    """The trace of a trial: its events in order, without clocks, durations and artifacts.

    Exit code 0 where traces are the same, 1 where they differ, 2 on bad input.
    """


@trace_command.command("hash")
@click.argument("run", type=RUN)
@click.argument("case")
@click.argument("trial", type=_TRIAL, required=False)
def hash_command(run: Path, case: str, trial: int | None) -> int:
    """Print the trace hash of each trial of CASE in RUN, or of one TRIAL (from 0).

    Of several trials it says whether they agree.
    """
    stored = stored_case(run, case)
    chosen = stored.trials if trial is None else (stored.trial(trial),)
    hashes: list[str] = []
    for record in chosen:
        events = stored.transcript(record).events
        hashes.append(trace_hash(events))
        outside = sum(isinstance(event, Artifact) for event in events)
        counted = plural(len(events) - outside, "event")
        counted += f" and {plural(outside, 'artifact event')} outside" if outside else ""
        click.echo(f"trial {record.trial}  {hashes[-1]}  ({counted}{_stopped(record)})")
    agree = len(set(hashes)) == 1
    if len(hashes) > 1:
        count = plural(len(hashes), "trial")
        different = len(set(hashes))
        said = f"{count}, one trace" if agree else f"{count}, {different} different traces"
        click.echo(said if agree else f"{said}: probare trace diff shows where two part")
    click.echo(f"outside the hash: {OUTSIDE}")
    return 0 if agree else 1


@trace_command.command("show")
@click.argument("run", type=RUN)
@click.argument("case")
@click.argument("trial", type=_TRIAL, default=0)
def show_command(run: Path, case: str, trial: int) -> int:
    """Show the steps of TRIAL (0 where none is named) of CASE in RUN as a tree.

    What names a call stands below it. The numbers are positions in the trace, from 0.
    """
    stored = stored_case(run, case)
    record = stored.trial(trial)
    console = console_for(sys.stdout)
    events = stored.transcript(record).events
    of = f" of {len(stored.trials)}" if len(stored.trials) > 1 else ""
    title = f"{one_line(case, _NAME)}, trial {trial}{of}: {plural(len(events), 'event')}"
    print_data(console, f"{title}{_stopped(record)}", 0, "bold")
    render_steps(console, events)
    return 0


@trace_command.command("diff")
@click.argument("run", type=RUN)
@click.argument("case")
@click.argument("one", metavar="[A]", type=_TRIAL, default=0)
@click.argument("two", metavar="[B]", type=_TRIAL, required=False)
@click.option("--other", type=RUN, help="Compare with a trial of this run.")
def diff_command(run: Path, case: str, one: int, two: int | None, other: Path | None) -> int:
    """Show where the traces of two trials of CASE in RUN first differ: A (0) and B (1).

    With --other, A of RUN is compared with B (A where none is named) of that run.
    """
    first = stored_case(run, case)
    second = first if other is None else stored_case(other, case)
    if two is None:
        two = one if other is not None else 1
    if other is None and one == two:
        raise InputError("these are one trial", hint="name two, or another run with --other")
    a, b = first.trial(one), second.trial(two)
    names = (f"trial {one}", f"trial {two}" if other is None else f"trial {two} of the other run")
    events, others = first.transcript(a).events, second.transcript(b).events
    console = console_for(sys.stdout)
    for name, record in zip(names, (a, b), strict=True):
        if record.stop != "completed":
            print_data(console, f"{name} did not complete{_stopped(record)}", 0, "yellow")
    found = first_difference(events, others)
    if found is None:
        said = f"{names[0]} and {names[1]} left one trace: {trace_hash(events)}"
        print_data(console, said)
        return 0
    render_difference(console, found, *names)
    return 1


def _stopped(record: TrialRecord) -> str:
    return "" if record.stop == "completed" else f", {record.stop.replace('_', ' ')}"
