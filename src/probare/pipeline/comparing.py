"""What finished runs say: compared, decided again, reported."""

from __future__ import annotations

import tempfile
from pathlib import Path

import msgspec

from probare.errors import InputError, did_you_mean
from probare.model.score import Diff, Summary
from probare.pipeline.catalogue import BuiltCatalogue
from probare.pipeline.concluding import Conclusion, basis_of, counted, material_of
from probare.pipeline.people import REASON
from probare.pipeline.reviewlogs import people_today
from probare.ports.catalogue import Catalogue
from probare.reporting import FORMATS
from probare.scoring.diff import compare
from probare.scoring.sides import side_of_summary
from probare.stores.reader import RunReader


def diff_runs(before: Path, after: Path) -> Diff:
    """Compare two finished runs. Raises InputError where they are of two suites."""
    first, second = RunReader(before).summary, RunReader(after).summary
    if first.suite != second.suite:
        raise InputError(
            f"these are runs of two suites: '{first.suite}' and '{second.suite}'",
            hint="cases are paired by id, which means nothing across suites",
        )
    return compare(side_of_summary(first), side_of_summary(second))


def decide_again(
    run: Path,
    baseline: Path | None,
    catalogue: Catalogue | None = None,
    *,
    database: str | None = None,
) -> Summary:
    """Return the summary of a run as its records give it, with today's baseline and with what
    people have said up to now, where there is a review database (`database`, else the one beside
    the run). Of a run that has their reviews graded in, only today's incidents count anew.

    Raises RunDirectoryError where the run did not end, ReviewError where the review log does not
    hold.
    """
    reader = RunReader(run)
    plan, suite = reader.plan, reader.suite()
    conclusion = Conclusion(
        folder=run,
        plan=plan,
        suite=suite,
        suite_file=Path(plan.suite_path) if plan.suite_path is not None else None,
        baseline=baseline,
    )
    today = basis_of(conclusion, catalogue or BuiltCatalogue())
    then = reader.basis
    basis = msgspec.structs.replace(
        then, baseline=today.baseline, notes=(today.notes[0], *then.notes[1:])
    )
    people = people_today(run, plan, database)
    if people is None:
        return counted(reader, plan, suite, basis)
    if plan.parent_reason == REASON:
        found = msgspec.structs.replace(basis, open_incidents=people.open_incidents)
        return counted(reader, plan, suite, found)
    return counted(reader, plan, suite, people.on(basis), people.graded_in)


def report_text(run: Path, name: str) -> bytes:
    """Return a report of a finished run in a format. Raises InputError on an unknown format."""
    if name not in FORMATS:
        hint = did_you_mean(name, FORMATS) or f"there are: {', '.join(FORMATS)}"
        raise InputError(f"there is no report format '{name}'", hint=hint)
    reader = RunReader(run)
    material = material_of(reader, reader.suite(), reader.summary)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report"
        FORMATS[name].write(path, material)
        return path.read_bytes()
