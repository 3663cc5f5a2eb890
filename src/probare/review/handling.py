"""Reading, changing and closing incidents, by appended records."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from probare.errors import Fault, InvalidReview, NotFound, Outdated, Place
from probare.model.incident import Incident, IncidentChange, Severity
from probare.model.review import Person, QueueItem
from probare.review import items, logbook, seeing
from probare.review.database import Transaction
from probare.review.incidents import as_left
from probare.review.people import allow, may
from probare.review.validating import text_fault

SEVERITIES: tuple[Severity, ...] = get_args(Severity)
LONGEST_TEXT = 20_000


def incidents_of(transaction: Transaction, run: str | None) -> tuple[Incident, ...]:
    """Return all incidents of a run, or of all runs, in the order they were opened."""
    return tuple(as_left(logbook.incident_changes(transaction, run=run)).values())


def seen(transaction: Transaction, person: Person, run: str | None) -> tuple[Incident, ...]:
    """Return the incidents of a run as far as a person may see them."""
    allow(person, "read")
    found = incidents_of(transaction, run)
    there: dict[str, QueueItem] = {}
    for name in {incident.item for incident in found}:
        there[name] = items.item(transaction, name)
    return seeing.seen_incidents(transaction, person, found, there)


def read(transaction: Transaction, person: Person, name: str, *, when: str) -> Incident:
    """Return one incident whole; see ReviewDesk.incident."""
    allow(person, "read")
    incident = _incident(transaction, name)
    item = items.item(transaction, incident.item, lock=True)
    if seeing.incident_visible(transaction, person, incident, item):
        return incident
    if not may(person.role, "handle_incidents"):
        raise NotFound(f"there is no incident '{name[:80]}'")
    why = f"read incident {incident.id}"
    seeing.unblind(transaction, person, item, why=why, when=when)
    return incident


def change(transaction: Transaction, person: Person, given: IncidentChange) -> Incident:
    """Append a change or the close of an incident; see ReviewDesk.change_incident."""
    allow(person, "handle_incidents")
    incident = read(transaction, person, given.incident, when=given.when)
    if not incident.open:
        message = f"incident {incident.id} was closed by '{incident.closed_by}'"
        raise Outdated(message, hint="a closed incident stays as it is")
    faults = [*_faults(given)]
    if faults:
        raise InvalidReview(faults)
    entry = logbook.Entry(
        kind="incident",
        body=given,
        item=incident.item,
        person=person.name,
        about=incident.id,
        once=("closed", incident.id) if given.action == "closed" else (),
    )
    logbook.append(transaction, incident.run, [entry])
    return _incident(transaction, incident.id)


def _incident(transaction: Transaction, name: str) -> Incident:
    found = as_left(logbook.changes_of_incident(transaction, name)).get(name)
    if found is None:
        raise NotFound(f"there is no incident '{name[:80]}'")
    return found


def _faults(given: IncidentChange) -> Iterator[Fault]:
    texts = {
        "owner": given.owner,
        "containment": given.containment,
        "decision": given.decision,
        "note": given.note,
    }
    for name, text in texts.items():
        wrong = "" if text is None else text_fault(text, LONGEST_TEXT)
        if wrong:
            yield Fault(f"the text {wrong}", Place(path=name))
    if given.severity is not None and given.severity not in SEVERITIES:
        hint = f"one of {', '.join(SEVERITIES)}"
        yield Fault("no such severity", Place(path="severity"), hint)
    said = [text for text in texts.values() if text is not None and text.strip()]
    if given.action == "closed" and not (given.decision or "").strip():
        yield Fault("an incident is closed with a decision", Place(path="decision"))
    elif not said and given.severity is None:
        yield Fault("nothing was said or changed", Place(path="note"))
