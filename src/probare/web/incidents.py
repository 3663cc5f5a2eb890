"""Incidents: listed, read, changed, closed, and as files."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from probare.errors import NotFound
from probare.model.incident import Incident, Severity
from probare.review import incidentpages
from probare.web.asking import Ask, redirect

if TYPE_CHECKING:
    from starlette.responses import Response


def incidents(ask: Ask) -> Response:
    """List incidents, open ones first."""
    run = ask.query("run") or None
    found = ask.desk.incidents(ask.person, run)
    ordered = sorted(found, key=lambda each: (not each.open, not each.holds_gate, each.opened))
    return ask.page("incidents.html", found=ordered, runs=ask.desk.runs(), run=run)


def incident(ask: Ask) -> Response:
    """Show an incident. One whose item is blind to a lead stays so, until they choose to read."""
    found = _listed(ask)
    return ask.page("incident.html", incident=found, run=_run(ask, found))


def read(ask: Ask) -> Response:
    """Read an incident of a blind item, and give up reviewing that."""
    found = ask.desk.incident(ask.person, ask.path("incident"))
    return redirect(f"/incidents/{found.id}")


def change(ask: Ask) -> Response:
    """Say more of an incident, or close it."""
    name = ask.path("incident")
    if ask.field("do") == "close":
        ask.desk.close_incident(
            ask.person, name, decision=ask.field("decision"), note=ask.field("note")
        )
        return redirect(f"/incidents/{name}")
    now = _listed(ask)
    severity = ask.field("severity")
    ask.desk.change_incident(
        ask.person,
        name,
        severity=cast("Severity", severity) if severity and severity != now.severity else None,
        owner=_changed(ask, "owner", now.owner),
        containment=_changed(ask, "containment", now.containment),
        decision=_changed(ask, "decision", now.decision),
        note=ask.field("note"),
    )
    return redirect(f"/incidents/{name}")


def as_markdown(ask: Ask) -> Response:
    """Answer with an incident as Markdown."""
    from starlette.responses import PlainTextResponse

    found = _listed(ask)
    return PlainTextResponse(incidentpages.markdown(found), headers=_attached(found, "md"))


def as_json_file(ask: Ask) -> Response:
    """Answer with an incident as JSON."""
    from starlette.responses import Response

    found = _listed(ask)
    return Response(
        incidentpages.as_json(found),
        media_type="application/json",
        headers=_attached(found, "json"),
    )


def _listed(ask: Ask) -> Incident:
    """Return an incident as far as the person may see it, giving nothing up."""
    name = ask.path("incident")
    found = next((each for each in ask.desk.incidents(ask.person) if each.id == name), None)
    if found is None:
        raise NotFound(f"there is no incident '{name[:80]}'")
    return found


def _run(ask: Ask, found: Incident) -> str | None:
    run = ask.shelf.by_id(found.run)
    return run.name if run is not None else None


def _changed(ask: Ask, name: str, now: str | None) -> str | None:
    given = ask.field(name)
    return given if given != (now or "") else None


def _attached(found: Incident, ending: str) -> dict[str, str]:
    safe = re.sub(r"[^A-Za-z0-9_-]", "_", found.id)
    return {"content-disposition": f'attachment; filename="{safe}.{ending}"'}
