"""Spans of verdicts, moved to where their stretches stand in the masked text."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from probare.encoding import jsonbytes
from probare.errors import GraderError
from probare.grading import placeholders
from probare.masking import Masks
from probare.masking.moving import moved
from probare.model.case import Case
from probare.model.outcome import Transcript
from probare.model.record import TrialRecord
from probare.model.verdict import CheckVerdict, Span
from probare.ports.grader import GradingSettings, TrialView
from probare.reporting.looked import looked_at


def mover(cases: Iterable[Case], masks: Masks) -> Callable[[Transcript, TrialRecord], TrialRecord]:
    """Return what moves the spans of a record whose transcript is about to be masked.

    The transcript is given as it was graded. Spans into a text that is not known, or cannot be
    found again, are left out: a wrong place is worse than none.
    """
    known = {case.id: case for case in cases}

    def move(transcript: Transcript, record: TrialRecord) -> TrialRecord:
        case = known.get(record.case)
        if case is None or not any(verdict.spans for verdict in record.verdicts):
            return record
        mask = masks.of_case(case.id)
        view = TrialView(case=case, transcript=transcript, settings=GradingSettings())
        verdicts = list(record.verdicts)
        for looked in looked_at(case, record.verdicts, transcript):
            place = looked.place or "$text"
            verdicts[looked.verdict] = _moved(verdicts[looked.verdict], place, view, mask)
        return msgspec.structs.replace(record, verdicts=tuple(verdicts))

    return move


def _moved(
    verdict: CheckVerdict, place: str, view: TrialView, mask: Callable[[bytes], bytes]
) -> CheckVerdict:
    try:
        found = placeholders.parse(place)
        seen = None if found is None else placeholders.look_up(found, view)
    except GraderError:
        seen = None
    after: list[tuple[int, int]] | None = None
    if isinstance(seen, str):
        masked = _masked(seen, place, view, mask)
        after = moved(seen, masked, [(span.start, span.end) for span in verdict.spans])
    spans = tuple(Span(start, end) for start, end in after or ())
    return msgspec.structs.replace(verdict, spans=spans)


def _masked(seen: str, place: str, view: TrialView, mask: Callable[[bytes], bytes]) -> str:
    """Return a text as it will be read back: one that was made of JSON is masked as JSON."""
    output = view.transcript.outcome.output
    made = place == "$text" and not isinstance(output, str)
    line = seen.encode() if made else jsonbytes.encode({"input": [seen]})
    masked = mask(line)
    return masked.decode() if made else msgspec.json.decode(masked)["input"][0]
