"""A trial as a page shows it: the conversation, what happened, the passages cited, the law.

All of it is plain text in named places; the templates make the markup.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, cast

import msgspec
from msgspec import UNSET

from probare.grading.placeholders import text_of
from probare.model.case import Case
from probare.model.event import Message, Retrieval
from probare.model.outcome import Transcript
from probare.model.record import TrialRecord
from probare.reporting.events import told, value_text
from probare.reporting.words import plural, visible
from probare.web.passages import Passage, citations_of, once, passages_of
from probare.web.plaintext import cut_short, text_of_value

_MOST_EVENTS = 1_000
_TOLD_APART = ("answer", "jurisdiction", "law", "law_as_of")
_STYLES = {
    "bold": "said",
    "cyan": "call",
    "green": "good",
    "red": "bad",
    "yellow": "asked",
    "magenta": "file",
    "dim": "quiet",
}


class Part(msgspec.Struct, frozen=True):
    """A named value, as text. The name is empty where the title says it."""

    name: str
    text: str


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One event. `role` is set for a message, `passages` for a retrieval."""

    kind: str
    style: str
    title: str
    parts: tuple[Part, ...]
    source: str = ""
    clock: str = ""
    role: str = ""
    passages: tuple[Passage, ...] = ()


class Law(msgspec.Struct, frozen=True, kw_only=True):
    """What the case says of the law: the jurisdiction, a note, and its date."""

    jurisdiction: str
    note: str
    as_of: str


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """A trial to read. `output` is null where the agent said it in its last message, or gave none
    (`no_output` says which). `ended` says how the trial stopped, where it did not complete.
    """

    description: str
    asked: tuple[Part, ...]
    answer: str | None
    reference: tuple[Part, ...]
    law: Law | None
    steps: tuple[Step, ...]
    passages: tuple[Passage, ...]
    output: str | None
    more_output: tuple[Part, ...]
    no_output: bool
    state: str | None
    ended: str
    left_out: str = ""


def tell(case: Case | None, record: TrialRecord, transcript: Transcript) -> Told:
    """Return a trial as it is read, without any verdict or score of it."""
    events, state = transcript.events, transcript.outcome.state
    citations = citations_of(transcript.outcome.output)
    steps = tuple(_step(event, citations) for event in events[:_MOST_EVENTS])
    output = transcript.outcome.output
    missing = output is UNSET or output is None
    text = None if missing else cut_short(str(text_of(output)))
    last = next((e for e in reversed(events) if isinstance(e, Message)), None)
    said = last is not None and text is not None and cut_short(value_text(last.content)) == text
    more = len(events) - len(steps)
    reference = UNSET if case is None else case.reference
    return Told(
        description="" if case is None else case.description,
        asked=_asked(case),
        answer=_answer(reference),
        reference=_reference(reference),
        law=_law(reference),
        steps=steps,
        passages=tuple(once(passage for step in steps for passage in step.passages)),
        output=None if said else text,
        more_output=_rest(output),
        no_output=missing,
        state=None if state is UNSET else text_of_value(state),
        ended=_ended(record),
        left_out=f"{plural(more, 'more event')} not shown" if more > 0 else "",
    )


def excerpt_of(transcript: Transcript, longest: int = 600) -> str:
    """Return the start of what the agent answered: evidence for an incident."""
    output = transcript.outcome.output
    if output is UNSET or output is None:
        return ""
    text = visible(str(text_of(output)))
    return text if len(text) <= longest else f"{text[:longest]}…"


def moment(text: str | None, *, date: bool = True) -> str:
    """Return a time of ISO 8601 as it is read: "2026-12-01 04:12 UTC"."""
    if not text:
        return "–"
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return text
    return found.strftime("%Y-%m-%d %H:%M UTC" if date else "%H:%M")


def _asked(case: Case | None) -> tuple[Part, ...]:
    if case is None:
        return ()
    given: Any = case.input
    turns = [Part(f"turn {number}", cut_short(turn)) for number, turn in enumerate(case.turns, 1)]
    if isinstance(given, dict):
        named = cast("dict[str, Any]", given)
        return (*(Part(name, text_of_value(value)) for name, value in named.items()), *turns)
    return (*([] if given is None else [Part("", text_of_value(given))]), *turns)


def _answer(reference: Any) -> str | None:
    if isinstance(reference, str):
        return cut_short(reference)
    if isinstance(reference, dict):
        found = cast("dict[str, Any]", reference).get("answer")
        return text_of_value(found) if found is not None else None
    return None


def _reference(reference: Any) -> tuple[Part, ...]:
    if reference is UNSET or reference is None or isinstance(reference, str):
        return ()
    if not isinstance(reference, dict):
        return (Part("", text_of_value(reference)),)
    named = cast("dict[str, Any]", reference)
    return tuple(
        Part(name, "none" if value is None else text_of_value(value))
        for name, value in named.items()
        if name not in _TOLD_APART
    )


def _law(reference: Any) -> Law | None:
    if not isinstance(reference, dict):
        return None
    named = cast("dict[str, Any]", reference)
    jurisdiction, note, as_of = (named.get(name) for name in ("jurisdiction", "law", "law_as_of"))
    if jurisdiction is None and note is None:
        return None
    return Law(
        jurisdiction="" if jurisdiction is None else text_of_value(jurisdiction),
        note="" if note is None else text_of_value(note),
        as_of="" if as_of is None else text_of_value(as_of),
    )


def _step(event: Any, citations: Sequence[dict[str, Any]]) -> Step:
    found = told(event)
    said = isinstance(event, Message) and event.source == "claimed"
    passages = passages_of(event, citations) if isinstance(event, Retrieval) else ()
    parts = [
        Part(name, text_of_value(value))
        for name, value in found.parts
        if not (passages and name == "documents")
    ]
    return Step(
        kind=event.kind,
        style=_STYLES.get(found.style, ""),
        title=found.title,
        parts=tuple(parts),
        source="" if event.source == "observed" or said else event.source,
        clock="" if event.at_ms is None else f"{event.at_ms:,.0f} ms",
        role=event.role if isinstance(event, Message) else "",
        passages=passages,
    )


def _rest(output: Any) -> tuple[Part, ...]:
    if not isinstance(output, dict) or "text" not in output:
        return ()
    named = cast("dict[str, Any]", output)
    return tuple(
        Part(name, "none" if value is None else text_of_value(value))
        for name, value in named.items()
        if name != "text"
    )


def _ended(record: TrialRecord) -> str:
    if record.stop == "completed":
        return ""
    words = record.stop.replace("_", " ")
    return (
        words if record.error is None else f"{words}: {record.error.type}: {record.error.message}"
    )
