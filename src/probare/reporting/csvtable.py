"""`--format csv`: a row a trial, for spreadsheets and data frames (RFC 4180, UTF-8).

A cell that a spreadsheet would run as a formula begins with an apostrophe (OWASP, CSV injection).
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from probare.model.record import TrialRecord
from probare.model.score import CaseSummary
from probare.model.verdict import CheckVerdict
from probare.ports.reporter import Material
from probare.reporting.details import telling
from probare.reporting.files import write_whole

COLUMNS = (
    "case",
    "trial",
    "status",
    "stop",
    "category",
    "tags",
    "split",
    "started",
    "duration_ms",
    "first_token_ms",
    "attempts",
    "input_tokens",
    "output_tokens",
    "cached_tokens",
    "cost_usd",
    "score",
    "failed",
    "undecided",
    "reason",
    "error",
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
_REASON = 1_000


class CsvReporter:
    """Writes one row a trial, in the order in which the trials ended."""

    name = "csv"
    filename = "trials.csv"

    def write(self, path: Path, material: Material) -> None:
        """Write the file, whole or not at all. Raises RunDirectoryError where it cannot."""
        write_whole(path, pieces(material))


class _Lines:
    """Stands in for a file: gives back each line that the csv module writes."""

    def write(self, line: str) -> str:
        return line


def pieces(material: Material) -> Iterator[str]:
    """Yield the table: a heading, then a line a trial. Reads the records once.

    `score` is the share of the weight of all the trial's checks that passed; `failed` and
    `undecided` list labels, one a line inside the cell; numbers that are not known are empty.
    """
    writer = csv.writer(_Lines())
    yield writer.writerow(COLUMNS)  # type: ignore[misc]
    for record in material.records():
        case = material.summary.per_case.get(record.case)
        row = [_cell(value, material) for value in _row(record, case)]
        yield writer.writerow(row)  # type: ignore[misc]


def _row(record: TrialRecord, case: CaseSummary | None) -> Iterator[str | float | None]:
    usage = record.usage
    yield record.case
    yield record.trial
    yield record.status
    yield record.stop
    yield case.category if case is not None else None
    yield " ".join(case.tags) if case is not None else None
    yield case.split if case is not None else None
    yield record.started
    yield record.duration_ms
    yield record.first_token_ms
    yield record.attempts
    yield usage.input_tokens if usage is not None else None
    yield usage.output_tokens if usage is not None else None
    yield usage.cached_tokens if usage is not None else None
    yield usage.cost_usd if usage is not None else None
    yield score(record.verdicts)
    failed = telling(record.verdicts, "fail")
    yield "\n".join(verdict.label for verdict in failed)
    undecided = telling(record.verdicts, "error", "unknown", "skipped")
    yield "\n".join(verdict.label for verdict in undecided)
    told = failed or undecided
    yield told[0].reason[:_REASON] if told else None
    error = record.error
    yield f"{error.type}: {error.message}"[:_REASON] if error is not None else None


def score(verdicts: tuple[CheckVerdict, ...]) -> float | None:
    """Return the weight of the passed checks over the weight of all; None where none counts.

    This is the trial's part in its case's accuracy (DESIGN section 6), to six digits.
    """
    whole = sum(verdict.weight for verdict in verdicts)
    if whole <= 0:
        return None
    passed = sum(verdict.weight for verdict in verdicts if verdict.result == "pass")
    return round(passed / whole, 6)


def _cell(value: str | float | None, material: Material) -> str | float:
    if value is None:
        return ""
    if not isinstance(value, str):
        return value
    return harmless(material.mask(value))


def harmless(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula.

    >>> harmless("=1+1")
    "'=1+1"
    """
    return f"'{text}" if text.startswith(_FORMULA) else text
