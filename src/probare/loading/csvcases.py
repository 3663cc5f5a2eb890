"""Cases from a table: CSV, or the same with tabs or semicolons.

The first row names the columns. Those named like a key of a case are that key: `tags` are
texts between semicolons, `trials` is a number, `reference` and all others are texts; an empty
cell says nothing. `expect`, `forbid` and these with a number (`expect1`, `forbid2`) each hold
one check as text (`probare.loading.checktext`). `planted.name` is an identifier. Every other
column is a key of the input, as text, also where it is empty; dots nest (`state.analysis`), and
`input.tags` is the input's key `tags`. A lone column of the input named `input` is the input.

The column separator is the one of tab, comma and semicolon that stands most often in the first
row, tab in a `.tsv` file.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from io import StringIO
from typing import Any, TypeAlias, cast

from probare.errors import Place
from probare.loading import checktext
from probare.loading.documents import Origin, Steps, shown
from probare.loading.faultlist import Faults
from probare.loading.shapes import CaseShape
from probare.ports.grader import Grader

Graders: TypeAlias = Mapping[str, type[Grader]]

_CHECKS = re.compile(r"(expect|forbid)[0-9]*\Z")
KEYS = frozenset(CaseShape.__struct_fields__) - {
    "input",
    "expect",
    "forbid",
    "planted",
    "turns",
    "simulate",
}


class TableDocument:
    """A table. The first step of a path is the line, from 1."""

    def __init__(self, file: str) -> None:
        self._file = file

    def place(self, steps: Steps, *, key: bool = False) -> Place:  # noqa: ARG002
        """Return the row's line, and the path within the case."""
        line = int(steps[0]) if steps else 1
        return Place(self._file, line, path=shown(steps[1:]))


def read(text: str, file: str, graders: Graders, faults: Faults) -> Iterator[tuple[Any, Origin]]:
    """Yield each row as a case in the form of a suite file, with its origin."""
    rows = csv.reader(StringIO(text, newline=""), delimiter=_delimiter(text, file), strict=True)
    document = TableDocument(file)
    columns: list[str] | None = None
    line = 1
    try:
        for cells in rows:
            first, line = line, rows.line_num + 1
            if not any(cell.strip() for cell in cells):
                continue
            if columns is None:
                columns = [cell.strip() for cell in cells]
                if not _good_header(columns, Place(file, first), faults):
                    return
                continue
            if len(cells) != len(columns):
                faults.add(
                    Place(file, first),
                    f"the row has {len(cells)} cells, the header {len(columns)}",
                    "put a cell that holds the separator in double quotes",
                )
                continue
            origin = Origin(document, (first,))
            yield _case(columns, cells, graders, origin, faults), origin
    except csv.Error as error:
        faults.add(Place(file, rows.line_num), f"is not CSV: {error}")


def _delimiter(text: str, file: str) -> str:
    if file.lower().endswith((".tsv", ".tab")):
        return "\t"
    first = next((line for line in StringIO(text) if line.strip()), "")
    bare = re.sub(r'"(?:[^"]|"")*"', "", first)
    return max(",\t;", key=bare.count)


def _good_header(columns: list[str], place: Place, faults: Faults) -> bool:
    before = len(faults)
    for name in dict.fromkeys(columns):
        if not name:
            faults.add(place, "a column has no name")
        elif columns.count(name) > 1:
            faults.add(place, f"duplicate column '{name}'")
        elif (meant := _misspelt(name)) is not None:
            hint = f"did you mean '{meant}'? a key of the input is written 'input.{name}'"
            faults.add(place, f"unknown column '{name}'", hint)
    if "id" not in columns:
        faults.add(place, "there is no column 'id'", "each case needs an id")
    return len(faults) == before


def _misspelt(name: str) -> str | None:
    """Return the key of a case that a column's name nearly is, or None."""
    if name in KEYS or name == "input" or "." in name or _CHECKS.match(name):
        return None
    known = [*KEYS, "input", "expect", "forbid"]
    return next(iter(get_close_matches(name.lower(), known, n=1, cutoff=0.8)), None)


def _case(
    columns: list[str], cells: list[str], graders: Graders, origin: Origin, faults: Faults
) -> dict[str, Any]:
    case: dict[str, Any] = {}
    given: dict[str, str] = {}
    for name, cell in zip(columns, cells, strict=True):
        checks = _CHECKS.match(name)
        if checks is not None:
            _add_check(case, checks[1], cell, graders, origin, faults)
        elif name in KEYS:
            if cell.strip():
                case[name] = _value(name, cell)
        elif name.startswith("planted."):
            if cell.strip():
                case.setdefault("planted", {})[name.removeprefix("planted.")] = cell
        else:
            given[name] = cell
    if list(given) == ["input"]:
        case["input"] = given["input"]
    elif given:
        case["input"] = _nested(given, origin, faults)
    return case


def _value(name: str, cell: str) -> Any:
    if name == "tags":
        return [tag.strip() for tag in cell.split(";") if tag.strip()]
    if name in ("trials", "timeout") and re.fullmatch(r"[0-9]+(\.[0-9]+)?", cell.strip(), re.A):
        return float(cell) if "." in cell else int(cell)
    return cell if name in ("reference", "description") else cell.strip()


def _add_check(
    case: dict[str, Any],
    name: str,
    cell: str,
    graders: Graders,
    origin: Origin,
    faults: Faults,
) -> None:
    if not cell.strip():
        return
    items: list[Any] = case.setdefault(name, [])
    try:
        items.append(checktext.read(cell, graders))
    except ValueError as error:
        faults.add(origin.place(name, len(items)), str(error))


def _nested(given: dict[str, str], origin: Origin, faults: Faults) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for name, cell in given.items():
        parts = name.removeprefix("input.").split(".")
        below = result
        for part in parts[:-1]:
            inner: Any = below.setdefault(part, {})
            if not isinstance(inner, dict):
                break
            below = cast("dict[str, Any]", inner)
        else:
            if parts[-1] not in below:
                below[parts[-1]] = cell
                continue
        faults.add(origin.place("input"), f"column '{name}' and another one are the same key")
    return result
