"""Sheets as CSV (RFC 4180, UTF-8): a row an item, a column a dimension.

A cell that a spreadsheet would run as a formula goes out with an apostrophe before it, which is
taken off again when it comes back (OWASP, CSV injection).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping

from probare.errors import Fault, InvalidReview, Place, did_you_mean
from probare.model.review import LevelScore, Meaning
from probare.review.exchange import Sheet
from probare.review.filled import Filled, text_of

_BEFORE = ("item", "case", "trial", "why", "reviewer", "meaning")
_AFTER = ("comment", "supersedes", "rubric", "transcript")
_NEEDED = ("item", "rubric", "transcript")
_SCORE, _COMMENT, _CONTEXT = "score:", "comment:", "context:"
_ESCAPED = ("=", "+", "-", "@", "\t", "\r", "\n", "'")


def csv_of(sheet: Sheet) -> str:
    """Return a sheet as CSV. The columns of its context come first after those that name it."""
    dimensions = [each.id for each in sheet.rubric.dimensions]
    said = sorted({column for each in sheet.context.values() for column in each})
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    headings = [
        *_BEFORE,
        *(f"{_CONTEXT}{column}" for column in said),
        *(f"{_SCORE}{each}" for each in dimensions),
        *(f"{_COMMENT}{each}" for each in dimensions),
        *_AFTER,
    ]
    writer.writerow(map(safe, headings))
    for row in sheet.rows:
        more = sheet.context.get(row.item, {})
        cells = [
            *(row.item, row.case, str(row.trial), row.why, row.reviewer, row.meaning),
            *(more.get(column, "") for column in said),
            *(str(row.scores.get(each, "")) for each in dimensions),
            *(row.comments.get(each, "") for each in dimensions),
            *(row.comments.get("", ""), row.supersedes, row.rubric, row.transcript),
        ]
        writer.writerow(map(safe, cells))
    return buffer.getvalue()


def safe(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula.

    >>> safe("=1+1")
    "'=1+1"
    """
    return f"'{text}" if text.startswith(_ESCAPED) else text


def plain(text: str) -> str:
    """Return a text as it was before `safe`.

    >>> plain("'=1+1")
    '=1+1'
    """
    return text[1:] if text.startswith("'") and text[1:].startswith(_ESCAPED) else text


def read_csv(data: bytes, name: str) -> list[Filled]:
    """Read what was filled in. Commas and semicolons both separate; rows that are empty are left.

    Raises InvalidReview with every fault of form, by line.
    """
    text = text_of(data, name)
    first = text.split("\n", 1)[0]
    separator = ";" if first.count(";") > first.count(",") else ","
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    faults: list[Fault] = []
    found: list[Filled] = []
    try:
        headings = [plain(cell).strip() for cell in next(rows, list[str]())]
        faults.extend(_heading_faults(headings, name))
        before = rows.line_num
        for cells in rows:
            place = Place(file=name, line=before + 1)
            before = rows.line_num
            if not faults and any(cell.strip() for cell in cells):
                found.extend(_row(headings, cells, place, faults))
    except csv.Error as error:
        faults.append(Fault(f"cannot be read: {error}", Place(file=name, line=rows.line_num + 1)))
    if faults:
        raise InvalidReview(faults)
    return found


def _heading_faults(headings: list[str], name: str) -> Iterator[Fault]:
    place = Place(file=name, line=1)
    known = (*_BEFORE, *_AFTER)
    for heading in headings:
        if heading not in known and not heading.startswith((_SCORE, _COMMENT, _CONTEXT)):
            yield Fault(f"no column '{heading[:80]}'", place, did_you_mean(heading, known))
    for heading in sorted({each for each in headings if headings.count(each) > 1}):
        yield Fault(f"the column '{heading[:80]}' stands twice", place)
    for heading in _NEEDED:
        if heading not in headings:
            yield Fault(f"has no column '{heading}'", place)


def _row(
    headings: list[str], cells: list[str], place: Place, faults: list[Fault]
) -> Iterator[Filled]:
    if len(cells) != len(headings):
        message = f"has {len(cells)} cells; the heading has {len(headings)}"
        faults.append(Fault(message, place))
        return
    values = {heading: plain(cell) for heading, cell in zip(headings, cells, strict=True)}
    meaning = _meaning(values.get("meaning", "").strip(), place, faults)
    trial = values.get("trial", "").strip() or "0"
    if meaning is None:
        return
    yield Filled(
        where=place,
        item=values["item"].strip(),
        case=values.get("case", ""),
        trial=int(trial) if trial.isascii() and trial.isdigit() and len(trial) < 10 else 0,
        rubric=values["rubric"].strip(),
        transcript=values["transcript"].strip(),
        reviewer=values.get("reviewer", ""),
        meaning=meaning,
        scores=dict(_scores(values)),
        comments=dict(_comments(values.items())),
        supersedes=values.get("supersedes", "").strip(),
    )


def _meaning(text: str, place: Place, faults: list[Fault]) -> Meaning | None:
    if text in ("", "reviewed"):
        return "reviewed"
    if text == "adjudicated":
        return "adjudicated"
    at = Place(place.file, place.line, None, "meaning")
    faults.append(Fault(f"'{text[:80]}' is neither reviewed nor adjudicated", at))
    return None


def _scores(values: Mapping[str, str]) -> Iterator[tuple[str, LevelScore]]:
    """Yield scores; what is no whole number stays as it stands, and is refused when submitted."""
    for heading, cell in values.items():
        text = cell.strip()
        if heading.startswith(_SCORE) and text:
            yield heading.removeprefix(_SCORE), score_of(text)


def score_of(text: str) -> LevelScore:
    """Return a score as it was written: a whole number, or the text itself."""
    digits = text.removeprefix("-")
    if digits.isascii() and digits.isdigit() and len(digits) < 10:
        return int(text)
    return text  # type: ignore[return-value] # refused, with its place, by the validation


def _comments(values: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    for heading, cell in values:
        if (heading == "comment" or heading.startswith(_COMMENT)) and cell.strip():
            yield ("" if heading == "comment" else heading.removeprefix(_COMMENT)), cell
