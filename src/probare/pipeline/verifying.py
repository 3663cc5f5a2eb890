"""Verifying a run: its seal, then everything that follows from its records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from probare.errors import ProbareError
from probare.evidence.examination import Examination, Finding
from probare.evidence.keys import PublicKey
from probare.evidence.lineage import Link, walk_back
from probare.evidence.names import PLAN
from probare.evidence.verifying import examine
from probare.pipeline.people import REASON
from probare.pipeline.preregistering import kept
from probare.pipeline.recounting import recount
from probare.stores import layout
from probare.stores.reader import RunReader

_RECOUNTED = "statuses, summary and decision follow from the recorded verdicts"
_NOT_REGRADED = (
    "that the verdicts are right: they were taken as recorded (probare regrade judges the stored "
    "transcripts again)"
)
_REVIEWED = (
    f"the records of {layout.REVIEWS} are one unbroken chain and keep the rules of reviewing; "
    "what people said in each trial, and which incidents were open, follows from them"
)
_WHO_REVIEWED = (
    "that reviewers are who the log says, and read what they scored: the review database's "
    "accounts answer for the first, nothing for the second"
)

_PLAN_FIRST = (
    "that the plan came before the run: that needs an outside witness (a published digest of the "
    "plan, or an RFC 3161 time stamp)"
)
_NONE_THROWN_AWAY = "that no other runs were made under this plan and thrown away"


def verify(path: Path, public: PublicKey | None = None) -> Examination:
    """Examine a run directory, or an excerpt, without trust in whoever wrote it.

    The seal is checked over stored bytes; then statuses, summary and decision are worked out
    again from the records, and a sealed plan is held against the run. Nothing is imported from
    the suite, nothing asked of a network.
    """
    found = examine(path, public=public)
    if found.kind != "bundle" or not found.readable:
        return found
    reader = RunReader(path)
    discrepancies = list(recount(reader))
    reviewed = reader.plan.parent_reason == REASON
    found = found.plus(
        findings=discrepancies,
        checked=() if discrepancies else (_RECOUNTED, *([_REVIEWED] if reviewed else [])),
        shows_not=(_NOT_REGRADED, *([_WHO_REVIEWED] if reviewed else [])),
    )
    return _with_plan(found, reader, public)


def verify_chain(
    path: Path, public: PublicKey | None = None, search: Sequence[Path] = ()
) -> tuple[Link, ...]:
    """Examine a run and those it was made from, back to the first."""
    return tuple(_recounted(link, public) for link in walk_back(path, public=public, search=search))


def _recounted(link: Link, public: PublicKey | None) -> Link:
    if link.folder is None or not link.intact:
        return link
    return replace(link, examination=verify(link.folder, public))


def _with_plan(found: Examination, reader: RunReader, public: PublicKey | None) -> Examination:
    named = reader.plan.plan
    if named is None and not (reader.folder / PLAN).exists():
        return found
    try:
        faults, checked, unchecked = kept(reader, public)
    except ProbareError as error:
        return found.plus(findings=[Finding(PLAN, error.message)])
    return found.plus(
        findings=faults,
        checked=checked,
        unchecked=unchecked,
        shows_not=(_PLAN_FIRST, _NONE_THROWN_AWAY),
    )
