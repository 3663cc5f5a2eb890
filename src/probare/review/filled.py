"""A row that a reviewer filled in, or is to fill in, outside the page."""

from __future__ import annotations

import msgspec

from probare.errors import Fault, InvalidReview, Place
from probare.model.review import LevelScore, Meaning

LARGEST_FILE = 50_000_000
ENDINGS = (".csv", ".json")


class Filled(msgspec.Struct, frozen=True, kw_only=True):
    """One review as it stands in a file; `where` says where. A dimension that was not filled in
    is absent. A score may be anything that stood there: it is checked when it is submitted.
    `supersedes` is the id of the review that it corrects.
    """

    where: Place
    item: str
    case: str
    trial: int
    rubric: str
    transcript: str
    reviewer: str
    meaning: Meaning
    scores: dict[str, LevelScore]
    comments: dict[str, str]
    why: str = ""
    excerpt: str = ""
    supersedes: str = ""


def text_of(data: bytes, name: str) -> str:
    """Return a file's text. Raises InvalidReview where it is too large or no UTF-8."""
    if len(data) > LARGEST_FILE:
        message = f"has {len(data):,} bytes; at most {LARGEST_FILE:,} are read"
        raise InvalidReview([Fault(message, Place(file=name))])
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        hint = "save it as UTF-8"
        raise InvalidReview([Fault(f"is not UTF-8: {error}", Place(file=name), hint)]) from None
