"""Why an item is queued, as far as a reviewer may know it."""

from __future__ import annotations

from collections.abc import Iterable

from probare.model.review import Reason

SAID_BY_PEOPLE = ("asked", "tagged")
_FLAGGED = "chosen by an automatic rule"


def blind_reasons(reasons: Iterable[Reason]) -> str:
    """Say why an item is queued, as far as it tells nothing of verdicts: what the suite says, and
    no more of the rest than that there is some.
    """
    found = list(reasons)
    told = [each.words for each in found if each.rule in SAID_BY_PEOPLE]
    return "; ".join(told if len(told) == len(found) else [*told, _FLAGGED])
