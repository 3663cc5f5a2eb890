"""Which text a verdict's spans point into, so that the hit itself can be shown."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import UNSET

from probare.errors import GraderError
from probare.grading import placeholders
from probare.model.case import Case, Check
from probare.model.outcome import Transcript
from probare.model.verdict import CheckList, CheckVerdict
from probare.ports.grader import GradingSettings, TrialView
from probare.reporting.cutting import cut_text

_TOKENS = ("[secret:", "[planted:")


class Looked(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the check of verdict number `verdict` looked at: the placeholder and its text.

    `text` is null where it is the output's text; `why` says why no span can be shown.
    """

    verdict: int
    place: str
    text: str | None = None
    why: str | None = None


def looked_at(
    case: Case | None, verdicts: Sequence[CheckVerdict], transcript: Transcript
) -> list[Looked]:
    """Return what each verdict with spans looked at."""
    if case is None or not any(verdict.spans for verdict in verdicts):
        return []
    checks = _checks_of(case, verdicts)
    view = TrialView(case=case, transcript=transcript, settings=GradingSettings())
    return [
        _looked(number, checks[number], view)
        for number, verdict in enumerate(verdicts)
        if verdict.spans
    ]


def _checks_of(case: Case, verdicts: Sequence[CheckVerdict]) -> list[Check | None]:
    """Return the check of each verdict: both stand in the case's order, save that case-wide
    checks have no verdict in a trial.
    """
    listed: list[tuple[CheckList, Check]] = [("expect", check) for check in case.expect]
    checks = iter(listed + _forbidden(case))
    found: list[Check | None] = []
    for verdict in verdicts:
        wanted = (verdict.list, verdict.grader)
        found.append(next((c for where, c in checks if (where, c.grader) == wanted), None))
    return found


def _forbidden(case: Case) -> list[tuple[CheckList, Check]]:
    return [("forbid", check) for check in case.forbid]


def _looked(number: int, check: Check | None, view: TrialView) -> Looked:
    place = _place(check) if check is not None else None
    if check is not None and check.turn is not None and place is not None:
        place = placeholders.in_turn(place, check.turn)
    if place is None:
        return Looked(number, "", why="the check looked at a changed text, or at several")
    try:
        found = placeholders.parse(place)
        seen = UNSET if found is None else placeholders.look_up(found, view)
    except GraderError:
        seen = UNSET
    if not isinstance(seen, str):
        return Looked(number, place, why=f"{place} is no text")
    if any(token in seen for token in _TOKENS):
        return Looked(number, place, why="something in this text is masked, so places in it moved")
    return Looked(number, place, text=None if place == "$text" else cut_text(seen))


def _place(check: Check, outer: str | None = None) -> str | None:
    """Return the one placeholder that a check and all within it looked at; None where a
    transform stands between, or they differ.
    """
    if check.transform is not None:
        return None
    own = check.look_in or outer
    if not check.checks:
        return own or "$text"
    places = {_place(inner, own) for inner in check.checks}
    return places.pop() if len(places) == 1 else None
