"""What the report keeps of one trial, and of its case: enough to read what happened."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from probare.encoding import jsonbytes
from probare.grading.placeholders import text_of
from probare.model.case import Case, Check
from probare.model.event import Channel, Event
from probare.model.outcome import Outcome, Stop, Transcript, UsageTotal
from probare.model.record import TrialError, TrialRecord, TrialStatus
from probare.model.verdict import CheckVerdict
from probare.reporting.cutting import cut
from probare.reporting.looked import Looked, looked_at

_PLAIN = 24_000
_LARGEST = 200_000
_FEWER = 2_000
_EVENTS = 200


class TrialPage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One trial as the page shows it. `text` is the output's text where the output is none."""

    trial: int
    status: TrialStatus
    stop: Stop
    error: TrialError | None = None
    attempts: int = 1
    verdicts: tuple[CheckVerdict, ...] = ()
    looked: list[Looked] = []
    started: str = ""
    duration_ms: float | None = None
    first_token_ms: float | None = None
    usage: UsageTotal | None = None
    events: tuple[Event, ...] = ()
    outcome: Outcome = Outcome()
    text: str | UnsetType = UNSET
    observes: tuple[Channel, ...] = ()


class CasePage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One case as the page shows it. Its planted identifiers stay out."""

    id: str
    description: str = ""
    notes: dict[str, str] = {}
    input: Any = None
    reference: Any = UNSET
    expect: tuple[Check, ...] = ()
    forbid: tuple[Check, ...] = ()
    cluster: str | None = None
    wide: tuple[CheckVerdict, ...] = ()


def trial_page(record: TrialRecord, transcript: Transcript, case: Case | None) -> str:
    """Return a trial as JSON, at most about 200 KB of it: long texts are cut first, then events
    are left out of the middle; both are counted where they stood.
    """
    output = transcript.outcome.output
    has_text = output is not UNSET and output is not None and not isinstance(output, str)
    page = TrialPage(
        trial=record.trial,
        status=record.status,
        stop=record.stop,
        error=record.error,
        attempts=record.attempts,
        verdicts=record.verdicts,
        looked=looked_at(case, record.verdicts, transcript),
        started=record.started,
        duration_ms=record.duration_ms,
        first_token_ms=record.first_token_ms,
        usage=record.usage,
        events=transcript.events,
        outcome=transcript.outcome,
        text=text_of(output) if has_text else UNSET,
        observes=transcript.observes,
    )
    return small(page)


def case_page(case: Case, wide: tuple[CheckVerdict, ...] = ()) -> CasePage:
    """Return what the page shows of a case."""
    return CasePage(
        id=case.id,
        description=case.description,
        notes=case.notes,
        input=cut(case.input),
        reference=UNSET if case.reference is UNSET else cut(case.reference),
        expect=case.expect,
        forbid=case.forbid,
        cluster=case.cluster,
        wide=wide,
    )


def small(page: TrialPage) -> str:
    """Return the page as JSON, cut where it is large."""
    whole = jsonbytes.encode(page)
    if len(whole) <= _PLAIN:
        return whole.decode()
    plain: Any = msgspec.json.decode(whole)
    whole = jsonbytes.encode(cut(plain))
    if len(whole) > _LARGEST:
        whole = jsonbytes.encode(_much_smaller(plain))
    if len(whole) > _LARGEST:
        note = {"kind": "note", "text": "[what happened is too large for this file]"}
        bare: dict[str, Any] = {**plain, "events": [note], "outcome": {}, "looked": []}
        bare.pop("text", None)
        whole = jsonbytes.encode(cut(bare, _FEWER))
    return whole.decode()


def _much_smaller(plain: dict[str, Any]) -> Any:
    events: list[Any] = plain.get("events", [])
    if len(events) > _EVENTS:
        half = _EVENTS // 2
        gone = len(events) - 2 * half
        between = {"kind": "note", "text": f"[{gone:,} events are not in this file]"}
        events = [*events[:half], between, *events[-half:]]
    return cut({**plain, "events": events}, _FEWER)
