"""People's reviews of a run as labelled examples for a judge.

A file of reviews is a sheet as `probare review export` writes it, filled in; or CSV, JSON or JSON
Lines with a row for each score: `case`, `trial` (from 0), `dimension`, `score` (a whole number, or
`unsure`), and `reviewer` where there are several.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any, cast

import msgspec
from msgspec import UNSET

from probare.encoding import jsonbytes
from probare.encoding.narrow import mapping
from probare.errors import Fault, InputError, InvalidReview, Place
from probare.model.labelled import Example
from probare.review.jsonsheets import read_filled
from probare.stores.reader import RunReader

_COLUMNS = ("case", "trial", "dimension", "score")


class Scored(msgspec.Struct, frozen=True):
    """One person's score of one dimension of one trial; null where the person was unsure."""

    case: str
    trial: int
    dimension: str
    score: int | None
    reviewer: str = ""
    adjudicated: bool = False


def reviewed_examples(file: Path, run: Path) -> tuple[Example, ...]:
    """Return the trials of a run that people scored, with their scores.

    Several people's scores of a dimension come to their lower median; one who is unsure leaves it
    without a score. An adjudication stands in place of the reviews. Raises InputError on a file
    that holds no such thing, and on reviews of trials that are not in the run.
    """
    try:
        data = file.read_bytes()
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror}") from error
    by_trial: dict[tuple[str, int], list[Scored]] = {}
    for each in _scored(data, str(file)):
        by_trial.setdefault((each.case, each.trial), []).append(each)
    if not by_trial:
        raise InputError(f"{file} holds no scores")
    reader = RunReader(run)
    cases = {case.id: case for case in reader.suite().cases}
    examples: list[Example] = []
    for record, transcript in reader.trials():
        scored = by_trial.pop((record.case, record.trial), None)
        output = transcript.outcome.output
        if scored is None:
            continue
        if output is UNSET or output is None:
            raise InputError(f"case {record.case}, trial {record.trial} has no output to judge")
        case = cases[record.case]
        examples.append(
            Example(
                id=f"{record.case} trial {record.trial}",
                input=case.input,
                output=output,
                reference=case.reference,
                scores=_settled(scored),
                source=str(file),
            )
        )
    if by_trial:
        case, trial = next(iter(by_trial))
        more = f" and {len(by_trial) - 1} more" if len(by_trial) > 1 else ""
        raise InputError(
            f"{file} reviews what is not in {run}: case {case}, trial {trial}{more}",
            hint="give the run that was reviewed",
        )
    return tuple(examples)


def _settled(scored: list[Scored]) -> dict[str, int | None]:
    """Return the score of each dimension that several people come to."""
    counted = [each for each in scored if each.adjudicated] or scored
    last = {(each.dimension, each.reviewer): each.score for each in counted}
    by_dimension: dict[str, list[int | None]] = {}
    for (dimension, _), score in last.items():
        by_dimension.setdefault(dimension, []).append(score)
    found: dict[str, int | None] = {}
    for name, scores in by_dimension.items():
        known = sorted(score for score in scores if score is not None)
        found[name] = known[(len(known) - 1) // 2] if len(known) == len(scores) else None
    return found


def _scored(data: bytes, name: str) -> list[Scored]:
    """Read a file of either form. Raises InputError with its faults."""
    rows = _rows(data)
    if rows is not None:
        return _of_rows(rows, name)
    try:
        filled = read_filled(data, name)
    except InvalidReview as error:
        hint = f"a sheet of `probare review export`, or rows with {', '.join(_COLUMNS)}"
        raise InputError(str(error), hint=hint) from error
    return [
        Scored(
            case=row.case,
            trial=row.trial,
            dimension=dimension,
            score=_score(score, row.where),
            reviewer=row.reviewer,
            adjudicated=row.meaning == "adjudicated",
        )
        for row in filled
        for dimension, score in row.scores.items()
    ]


def _rows(data: bytes) -> list[dict[str, Any]] | None:
    """Return the rows of a file with a row for each score; None where it is of another form."""
    text = data.decode("utf-8-sig", "replace")
    values: Any = None
    try:
        values = jsonbytes.decode_strict(text)
    except (ValueError, RecursionError):
        values = _lines(text)
    if values is None:
        first = text.partition("\n")[0]
        delimiter = ";" if first.count(";") > first.count(",") else ","
        values = list(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter))
    if not isinstance(values, list) or not values:
        return None
    rows = [mapping(each) for each in cast("list[Any]", values)]
    return rows if set(_COLUMNS) <= rows[0].keys() else None


def _lines(text: str) -> list[Any] | None:
    try:
        return [jsonbytes.decode_strict(line) for line in text.splitlines() if line.strip()]
    except (ValueError, RecursionError):
        return None


def _of_rows(rows: Iterable[dict[str, Any]], name: str) -> list[Scored]:
    found: list[Scored] = []
    faults: list[Fault] = []
    for number, row in enumerate(rows, 1):
        where = Place(file=name, path=f"row {number}")
        case, dimension = row.get("case"), row.get("dimension")
        trial = _whole(row.get("trial"))
        if not isinstance(case, str) or not isinstance(dimension, str) or not case or not dimension:
            faults.append(Fault("names no case or no dimension", where))
        elif trial is None or trial < 0:
            faults.append(Fault(f"trial should be a number from 0, is {row.get('trial')!r}", where))
        else:
            try:
                score = _score(row.get("score"), where)
            except InputError as error:
                faults.append(Fault(error.message, where))
                continue
            reviewer = str(row.get("reviewer") or "")
            adjudicated = row.get("meaning") == "adjudicated"
            found.append(Scored(case, trial, dimension, score, reviewer, adjudicated))
    if faults:
        shown = "\n".join(map(str, faults[:10]))
        more = f"\nand {len(faults) - 10} more" if len(faults) > 10 else ""
        raise InputError(f"{name} has rows that cannot be read:\n{shown}{more}")
    return found


def _score(value: Any, where: Place) -> int | None:
    if isinstance(value, str) and value.strip().casefold() == "unsure":
        return None
    number = _whole(value)
    if number is None:
        raise InputError(f"a score should be a whole number or unsure, is {value!r}", place=where)
    return number


def _whole(value: Any) -> int | None:
    if isinstance(value, str) and value.strip().removeprefix("-").isdecimal():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
