"""A trial as a page shows it: the conversation, what happened, the passages cited, the law.

All of it is plain text in named places; the templates make the markup.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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

LONGEST = 100_000
_MOST_EVENTS = 1_000
_MOST_PASSAGES = 100
_FEW = 5
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


class Passage(msgspec.Struct, frozen=True, kw_only=True):
    """A passage that a retriever gave the agent; `cited` where the answer names it."""

    title: str
    facts: str
    text: str
    cited: bool


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
    events = transcript.events
    citations = _citations(transcript.outcome.output)
    steps = tuple(_step(event, citations) for event in events[:_MOST_EVENTS])
    output = transcript.outcome.output
    missing = output is UNSET or output is None
    text = None if missing else _cut(str(text_of(output)))
    last = next((e for e in reversed(events) if isinstance(e, Message)), None)
    said = last is not None and text is not None and _cut(value_text(last.content)) == text
    more = len(events) - len(steps)
    reference = UNSET if case is None else case.reference
    return Told(
        description="" if case is None else case.description,
        asked=_asked(case),
        answer=_answer(reference),
        reference=_reference(reference),
        law=_law(reference),
        steps=steps,
        passages=tuple(_once(passage for step in steps for passage in step.passages)),
        output=None if said else text,
        more_output=_rest(output),
        no_output=missing,
        state=None if transcript.outcome.state is UNSET else _text(transcript.outcome.state),
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
    turns = [Part(f"turn {number}", _cut(turn)) for number, turn in enumerate(case.turns, 1)]
    if isinstance(given, dict):
        named = cast("dict[str, Any]", given)
        return (*(Part(name, _text(value)) for name, value in named.items()), *turns)
    return (*([] if given is None else [Part("", _text(given))]), *turns)


def _answer(reference: Any) -> str | None:
    if isinstance(reference, str):
        return _cut(reference)
    if isinstance(reference, dict):
        found = cast("dict[str, Any]", reference).get("answer")
        return _text(found) if found is not None else None
    return None


def _reference(reference: Any) -> tuple[Part, ...]:
    if reference is UNSET or reference is None or isinstance(reference, str):
        return ()
    if not isinstance(reference, dict):
        return (Part("", _text(reference)),)
    named = cast("dict[str, Any]", reference)
    return tuple(
        Part(name, "none" if value is None else _text(value))
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
        jurisdiction="" if jurisdiction is None else _text(jurisdiction),
        note="" if note is None else _text(note),
        as_of="" if as_of is None else _text(as_of),
    )


def _step(event: Any, citations: Sequence[dict[str, Any]]) -> Step:
    found = told(event)
    said = isinstance(event, Message) and event.source == "claimed"
    passages = _passages(event, citations) if isinstance(event, Retrieval) else ()
    parts = [
        Part(name, _text(value))
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


def _passages(event: Retrieval, citations: Sequence[dict[str, Any]]) -> tuple[Passage, ...]:
    documents: Any = event.documents
    if not isinstance(documents, list):
        return ()
    listed = cast("list[Any]", documents)[:_MOST_PASSAGES]
    found = [_passage(each, citations) for each in listed]
    return tuple(each for each in found if each is not None) if None not in found else ()


def _passage(given: Any, citations: Sequence[dict[str, Any]]) -> Passage | None:
    if isinstance(given, str):
        return Passage(title="", facts="", text=_cut(given), cited=False)
    if not isinstance(given, dict):
        return None
    named = cast("dict[str, Any]", given)
    body = next((k for k in ("text", "content", "page_content") if k in named), None)
    if body is None:
        return None
    heading = next((k for k in ("title", "document", "id", "source") if named.get(k)), None)
    title = "" if heading is None else _text(named[heading])
    section = named.get("section")
    facts = [
        f"{name} {_text(value)}"
        for name, value in named.items()
        if name not in (body, heading, "section", "topic", "language") and _short(value)
    ]
    return Passage(
        title=f"{title}: {section}" if section else title,
        facts=" · ".join(facts),
        text=_text(named[body]),
        cited=any(_names(each, named) for each in citations),
    )


def _short(value: Any) -> bool:
    return isinstance(value, str | int | float) and len(str(value)) <= 80


def _citations(output: Any) -> list[dict[str, Any]]:
    found: Any = cast("dict[str, Any]", output).get("citations") if isinstance(output, dict) else ()
    if not isinstance(found, list):
        return []
    return [each for each in cast("list[Any]", found) if isinstance(each, dict)]


def _names(citation: dict[str, Any], document: dict[str, Any]) -> bool:
    """Whether a citation is of this document: what both say of it is the same."""
    known = [name for name in ("document", "id", "section", "version") if name in citation]
    both = [name for name in known if name in document]
    return bool(both) and all(citation[name] == document[name] for name in both)


def _once(passages: Iterator[Passage]) -> list[Passage]:
    """Return each passage once, the cited ones first."""
    found = list(dict.fromkeys(passages))
    return sorted(found, key=lambda each: not each.cited)


def _rest(output: Any) -> tuple[Part, ...]:
    if not isinstance(output, dict) or "text" not in output:
        return ()
    named = cast("dict[str, Any]", output)
    return tuple(
        Part(name, "none" if value is None else _text(value))
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


def _text(value: Any) -> str:
    if isinstance(value, dict):
        named = cast("dict[str, Any]", value)
        if 0 < len(named) <= _FEW and all(_short(each) for each in named.values()):
            return ", ".join(f"{name}: {each}" for name, each in named.items())
    return _cut(value_text(value))


def _cut(text: str) -> str:
    more = len(text) - LONGEST
    return text if more <= 0 else f"{text[:LONGEST]}… [{more:,} more characters]"
