"""Incidents: what a dangerous score opens, as appended records, and as these leave it."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from probare.model.review import Role
from probare.model.rubric import Opens

Severity: TypeAlias = Literal["low", "medium", "high", "critical"]


class Opening(msgspec.Struct, frozen=True, kw_only=True):
    """What opened an incident: the review whose score of a dimension met a trigger.

    `happened` says it in words; `transcript` (its digest) and `excerpt` are the evidence.
    """

    kind: Opens
    run: str
    item: str
    case: str
    trial: int
    dimension: str
    score: int
    review: str
    holds_gate: bool
    happened: str
    transcript: str
    excerpt: str


class IncidentChange(msgspec.Struct, frozen=True, kw_only=True):
    """One record of an incident; the first opens it. What it does not change is null.

    `severity`, `owner`, `containment` and `decision` are set anew; `note` is only said.
    """

    incident: str
    action: Literal["opened", "changed", "closed"]
    who: str
    role: Role
    when: str
    note: str = ""
    severity: Severity | None = None
    owner: str | None = None
    containment: str | None = None
    decision: str | None = None
    opened: Opening | None = None


class Incident(msgspec.Struct, frozen=True, kw_only=True):
    """An incident as its records leave it. `route` is where it goes, in words. `hidden` says that
    what it tells of a review is left out, for whoever may not see that yet.
    """

    id: str
    kind: Opens
    run: str
    item: str
    case: str
    trial: int
    dimension: str
    score: int
    review: str
    opened: str
    opened_by: str
    happened: str
    transcript: str
    excerpt: str
    severity: Severity
    route: str
    holds_gate: bool
    owner: str | None = None
    containment: str | None = None
    decision: str | None = None
    closed_by: str | None = None
    closed: str | None = None
    changes: tuple[IncidentChange, ...] = ()
    hidden: bool = False

    @property
    def open(self) -> bool:
        """Whether it is not closed."""
        return self.closed is None
