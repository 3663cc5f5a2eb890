"""Sheets as JSON, for other tools: the rubric with its levels, then one object a review."""

from __future__ import annotations

from typing import Any

import msgspec

from probare.encoding.jsonbytes import decode_strict, encode
from probare.errors import Fault, InvalidReview, Place
from probare.model.review import Meaning
from probare.review.csvsheets import read_csv
from probare.review.exchange import Sheet
from probare.review.filled import Filled, text_of


class _Row(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    item: str
    transcript: str
    case: str = ""
    trial: int = 0
    why: str = ""
    context: dict[str, str] = {}
    reviewer: str = ""
    meaning: Meaning = "reviewed"
    scores: dict[str, int | str | None] = {}
    comments: dict[str, str] = {}
    excerpt: str = ""
    supersedes: str | None = None


class _Sheet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    rubric: dict[str, Any]
    reviews: list[dict[str, Any]]
    run: str = ""
    digest: str = ""
    format: int = 1


def json_of(sheet: Sheet) -> bytes:
    """Return a sheet as JSON. Each dimension that is to be scored stands there as null."""
    rows = [
        _Row(
            item=row.item,
            case=row.case,
            trial=row.trial,
            why=row.why,
            context=sheet.context.get(row.item, {}),
            reviewer=row.reviewer,
            meaning=row.meaning,
            transcript=row.transcript,
            scores={each.id: row.scores.get(each.id) for each in sheet.rubric.dimensions},
            comments=row.comments,
            supersedes=row.supersedes or None,
        )
        for row in sheet.rows
    ]
    whole = _Sheet(
        run=sheet.run,
        digest=sheet.rubric.digest,
        rubric=msgspec.to_builtins(sheet.rubric),
        reviews=[msgspec.to_builtins(row) for row in rows],
    )
    return msgspec.json.format(encode(whole), indent=2) + b"\n"


def read_json(data: bytes, name: str) -> list[Filled]:
    """Read what was filled in. Raises InvalidReview with every fault of form, by place."""
    place = Place(file=name)
    try:
        sheet = msgspec.convert(decode_strict(text_of(data, name)), _Sheet)
    except (msgspec.ValidationError, ValueError, RecursionError) as error:
        raise InvalidReview([Fault(f"is no sheet of reviews: {error}", place)]) from None
    if sheet.format != 1:
        raise InvalidReview([Fault(f"is of format {sheet.format}; 1 is known", place)])
    faults: list[Fault] = []
    found: list[Filled] = []
    for number, plain in enumerate(sheet.reviews):
        where = Place(file=name, path=f"reviews[{number}]")
        try:
            row = msgspec.convert(plain, _Row)
        except msgspec.ValidationError as error:
            faults.append(Fault(str(error), where))
            continue
        found.append(_filled(row, sheet.digest, where))
    if faults:
        raise InvalidReview(faults)
    return found


def read_filled(data: bytes, name: str) -> list[Filled]:
    """Read a filled-in file, JSON or CSV by what it begins with. Raises InvalidReview."""
    begins = data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    return read_json(data, name) if begins in (b"{", b"[") else read_csv(data, name)


def _filled(row: _Row, rubric: str, where: Place) -> Filled:
    scores: dict[str, Any] = {
        name: score for name, score in row.scores.items() if score is not None
    }
    return Filled(
        where=where,
        item=row.item,
        case=row.case,
        trial=row.trial,
        why=row.why,
        rubric=rubric,
        transcript=row.transcript,
        reviewer=row.reviewer,
        meaning=row.meaning,
        scores=scores,
        comments=row.comments,
        excerpt=row.excerpt,
        supersedes=row.supersedes or "",
    )
