"""An incident as a page of Markdown and as JSON, from the one template."""

from __future__ import annotations

import re
from collections.abc import Iterator

from probare.encoding import jsonbytes
from probare.model.incident import Incident, IncidentChange
from probare.review.incidents import ROUTES

_MARKUP = re.compile(r"[\\`*_\[\]<>|~&$#]")
_BACKTICKS = re.compile("`+")
_NOT_YET = "(not yet)"


def as_json(incident: Incident) -> bytes:
    """Return an incident with all its records, as one line of JSON."""
    return jsonbytes.encode_sorted(incident)


def markdown(incident: Incident) -> str:
    """Return an incident as Markdown. Nothing that people or agents wrote in it is markup."""
    return "".join(_lines(incident))


def _lines(incident: Incident) -> Iterator[str]:
    standing = "open" if incident.open else "closed"
    yield f"# {ROUTES[incident.kind].capitalize()}: {_text(incident.case)} ({standing})\n\n"
    gate = "holds the gate until it is closed" if incident.holds_gate else "does not hold the gate"
    rows = [
        ("Incident", incident.id),
        ("Run", incident.run),
        ("Case and trial", f"{incident.case}, trial {incident.trial}"),
        ("Opened", f"{incident.opened} by {incident.opened_by or '(hidden)'}"),
        ("Severity", incident.severity),
        ("Route", f"{incident.route}; {gate}"),
        ("Owner", incident.owner or "(nobody yet)"),
    ]
    for name, value in rows:
        yield f"- **{name}:** {_text(value)}\n"
    yield f"\n## What happened\n\n{_text(incident.happened)}\n\n"
    yield f"## Evidence\n\n- **Transcript (SHA-256):** {_text(incident.transcript)}\n"
    if incident.review:
        score = f"{incident.dimension}: {incident.score}, review {incident.review}"
        yield f"- **Score:** {_text(score)}\n"
    yield "\n"
    if incident.excerpt:
        yield f"Excerpt of the transcript:\n\n{_fenced(incident.excerpt)}\n"
    yield f"## Containment\n\n{_said(incident.containment)}\n"
    yield f"## Decision\n\n{_said(incident.decision)}\n"
    yield "## Closed by\n\n"
    closed = f"{incident.closed_by} at {incident.closed}" if incident.closed_by else _NOT_YET
    yield f"{_text(closed)}\n\n"
    yield "## Records\n\n"
    for change in incident.changes:
        yield from _record(change)


def _record(change: IncidentChange) -> Iterator[str]:
    yield f"- {_text(change.when)}: {change.action} by {_text(change.who)} ({change.role})\n"
    said = {
        "severity": change.severity,
        "owner": change.owner,
        "containment": change.containment,
        "decision": change.decision,
        "note": change.note or None,
    }
    for name, value in said.items():
        if value is not None:
            yield f"  - {name}: {_text(value)}\n"


def _said(text: str | None) -> str:
    return _fenced(text) if text else f"{_NOT_YET}\n"


def _text(value: str) -> str:
    """Return data on one line, with nothing in it that is markup."""
    line = " ".join("".join(each if each.isprintable() else " " for each in value).split())
    return _MARKUP.sub(r"\\\g<0>", line)


def _fenced(value: str) -> str:
    """Return data as a block, in a fence longer than any run of backticks in it."""
    kept = "".join(each if each.isprintable() or each in "\n\t" else "\ufffd" for each in value)
    longest = max((len(run) for run in _BACKTICKS.findall(kept)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{kept}\n{fence}\n"
